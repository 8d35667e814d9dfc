// The first table: Janji, the floor and the peers, measured in turn, several rounds, as medians and ratios.
//   node bench/ratios.ts [--seconds 2] [--rounds 10] [--only profile,history,bookings,login]

import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBookings, makeDataset, makeTokens } from './dataset.ts';
import { answerTo, bareArgon2, type Contender, figures, shotsFor, startContenders } from './figures.ts';
import { type Measured, measure, median, pairedRatio, type Shot } from './load.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', default: figures.map(({ name }) => name).join(',') },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const chosen = figures.filter(({ name }) => values.only.split(',').includes(name));

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const base = await makeDataset(folder);
const wanted = new Set(chosen.flatMap(({ contenders }) => contenders));
const served = await startContenders(base, folder, wanted);
const makeShot = shotsFor(await makeTokens());

/** The same request must bring the same answer everywhere: only then are the rates comparable. */
const assertSameAnswers = async (): Promise<void> => {
  for (const path of ['profile', 'history']) {
    const answers: unknown[] = [];
    for (const name of ['janji', 'floor', 'fastify'] as const) {
      const contender = served.get(name);
      if (contender !== undefined)
        answers.push(await answerTo(contender, (await makeShot(path, name, contender)) as Shot));
    }
    for (const answer of answers) deepStrictEqual(answer, answers[0]);
  }
};

const results = new Map<string, Measured[]>();
let accepted = new Map<Contender, number>();

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
  if (name === 'bookings')
    accepted = accepted.set(contender, (accepted.get(contender) ?? 0) + measured.accepted);
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
for (const [contender, count] of accepted) checkBookings(served.get(contender)?.database ?? '', count);
rmSync(folder, { recursive: true });

const medianOf = (key: string, field: keyof Measured) =>
  median((results.get(key) ?? []).map((measured) => measured[field]));

printTable(
  ['figure', 'contender', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'Janji to it', 'at least'],
  chosen.flatMap(({ name, connections, contenders, targets }) =>
    contenders.map((contender) => {
      const key = `${name} ${contender}`;
      // Rounds are paired: noise that lasts longer than one pair falls out of the ratio.
      const ratio = pairedRatio(results.get(`${name} janji`) ?? [], results.get(key) ?? [], 'perSecond');
      return [
        `${name} @${connections}`,
        contender,
        medianOf(key, 'perSecond').toFixed(0),
        medianOf(key, 'p50').toFixed(2),
        medianOf(key, 'p99').toFixed(2),
        medianOf(key, 'cpuMicros').toFixed(0),
        contender === 'janji' ? '' : ratio.toFixed(2),
        String(targets[contender] ?? ''),
      ];
    }),
  ),
);
