// The first table: Janji, the floors and the peers, measured in turn, several rounds, as medians and ratios; of several
// runs the worst ratio counts. POCKETBASE names PocketBase's program, where it shall be measured.
//   node bench/ratios.ts [--seconds 2] [--rounds 10] [--runs 1] [--only profile,history,bookings,login]

import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBookings } from './bookings.ts';
import { makeDataset } from './dataset.ts';
import { answerTo, bareArgon2, type Contender, figures, shotsFor, startContenders } from './figures.ts';
import { type Measured, measure, median, pairedRatio, type Shot } from './load.ts';
import { machineSpeed } from './machine-speed.ts';
import { printTable } from './table.ts';
import { makeTokens } from './tokens.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '10' },
    runs: { type: 'string', default: '1' },
    only: { type: 'string', default: figures.map(({ name }) => name).join(',') },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const runs = Number(values.runs);
const isMeasured = (contender: Contender) =>
  contender !== 'pocketbase' || process.env.POCKETBASE !== undefined;
const chosen = figures
  .filter(({ name }) => values.only.split(',').includes(name))
  .map((figure) => ({ ...figure, contenders: figure.contenders.filter(isMeasured) }));
const wanted = new Set(chosen.flatMap(({ contenders }) => contenders));
const tokens = await makeTokens();

type Results = ReadonlyMap<string, readonly Measured[]>;

/** Measures all rounds once, with services that are started for it, on data of its own. */
const measureRun = async (): Promise<Results> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
  const base = await makeDataset(folder);
  const served = await startContenders(base, folder, wanted);
  const makeShot = shotsFor(tokens);
  const accepted = new Map<Contender, number>();
  const results = new Map<string, Measured[]>();

  /** The same request must bring the same answer everywhere: only then are the rates comparable. */
  const assertSameAnswers = async (): Promise<void> => {
    for (const path of ['profile', 'history']) {
      const answers: unknown[] = [];
      for (const name of ['janji', 'floor', 'lean-floor', 'fastify'] as const) {
        const contender = served.get(name);
        if (contender !== undefined)
          answers.push(await answerTo(contender, (await makeShot(path, name, contender)) as Shot));
      }
      for (const answer of answers) deepStrictEqual(answer, answers[0]);
    }
  };

  const measureOne = async (name: string, connections: number, contender: Contender): Promise<Measured> => {
    if (contender === 'argon2')
      return {
        perSecond: bareArgon2(seconds),
        p50: 0,
        p99: 0,
        cpuMicros: 0,
        accepted: 0,
        connectionsServed: 0,
      };
    const target = served.get(contender);
    if (target === undefined) throw new Error(`${contender} is not served.`);
    const shot = await makeShot(name, contender, target);
    const measured = await measure(target, { connections, seconds, shot }).catch((cause: unknown) => {
      throw new Error(`${name} of ${contender} failed`, { cause });
    });
    if (name === 'bookings') accepted.set(contender, (accepted.get(contender) ?? 0) + measured.accepted);
    return measured;
  };

  try {
    await assertSameAnswers();
    // Round 0 warms up and does not count. Every other round goes backwards, so that nobody is always after the same.
    for (let round = 0; round <= rounds; round++)
      for (const { name, connections, contenders } of chosen)
        for (const contender of round % 2 === 0 ? contenders : [...contenders].reverse()) {
          const measured = await measureOne(name, connections, contender);
          const key = `${name} ${contender}`;
          if (round > 0) results.set(key, [...(results.get(key) ?? []), measured]);
        }
  } finally {
    for (const { stop } of served.values()) await stop();
  }
  for (const [contender, count] of accepted)
    if (contender !== 'pocketbase') checkBookings(served.get(contender)?.database ?? '', count);
  rmSync(folder, { recursive: true });
  return results;
};

const all: { results: Results; speed: number }[] = [];
for (let run = 0; run < runs; run++) {
  const before = machineSpeed();
  const results = await measureRun();
  all.push({ results, speed: Math.round((before + machineSpeed()) / 2) });
}

const medianOf = (key: string, field: keyof Measured) =>
  median(all.flatMap(({ results }) => (results.get(key) ?? []).map((measured) => measured[field])));

/** Rounds are paired: noise that lasts longer than one pair falls out of the ratio. */
const ratiosTo = (name: string, contender: Contender): number[] =>
  all.map(({ results }) =>
    pairedRatio(results.get(`${name} janji`) ?? [], results.get(`${name} ${contender}`) ?? [], 'perSecond'),
  );

printTable(
  [
    'figure',
    'contender',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU µs/request',
    'Janji to it, worst',
    'runs',
    'at least',
  ],
  chosen.flatMap(({ name, connections, contenders, targets }) =>
    contenders.map((contender) => {
      const key = `${name} ${contender}`;
      const ratios = ratiosTo(name, contender);
      const isPeer = contender !== 'janji';
      return [
        `${name} @${connections}`,
        contender,
        medianOf(key, 'perSecond').toFixed(0),
        medianOf(key, 'p50').toFixed(2),
        medianOf(key, 'p99').toFixed(2),
        medianOf(key, 'cpuMicros').toFixed(0),
        isPeer ? Math.min(...ratios).toFixed(2) : '',
        isPeer ? ratios.map((ratio) => ratio.toFixed(2)).join(' ') : '',
        String(targets[contender] ?? ''),
      ];
    }),
  ),
);
process.stdout.write(
  `The machine did ${all.map(({ speed }) => speed).join(', ')} pieces of fixed work a second, run by run.\n`,
);
