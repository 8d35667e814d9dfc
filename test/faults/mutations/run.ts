import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { parseArgs, promisify } from 'node:util';
import { chosen as chosenForCi } from './chosen.ts';
import type { Edit, Mutant } from './edits.ts';
import { mutants } from './mutants.ts';
import { programWith } from './program.ts';

// Does the fault suite notice when a guard is missing? Each guard of the atomic steps is taken out of a copy of the
// program, a stress runs on the copy, and the checker must find a violation. On the program as it is it must find none.
//   node test/faults/mutations/run.ts [part of a name, or a stress] [--chosen]
// With --chosen those of chosen.ts are examined, after shorter stresses of the whole program.

const secondsForMutant = 25;
const roundsForMutant = 40;
/** Further tries of a mutant, each with other luck and an empty database. */
const furtherSeeds = [2, 3, 4, 5];
const atOnce = 2;

interface Found {
  rounds: number;
  acknowledged: number;
  violations: string[];
}

const stress = async (
  name: Mutant['stress'],
  edits: readonly Edit[],
  seconds: number,
  minRounds: number,
  seed = 1,
): Promise<Found> => {
  const { folder, path } = await programWith(name, edits);
  try {
    const numbers = [seconds, seed, minRounds].map(String);
    const { stdout } = await promisify(execFile)(process.execPath, [path, ...numbers], {
      cwd: folder,
      timeout: (seconds + 420) * 1000,
      killSignal: 'SIGKILL',
    });
    return JSON.parse(stdout) as Found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const line = (name: string, verdict: string, { rounds, acknowledged, violations }: Found, seconds: number) =>
  process.stdout.write(
    `${verdict.padEnd(9)}${name.padEnd(52)}${String(rounds).padStart(4)} rounds ${String(acknowledged).padStart(5)} acknowledged ${seconds.toFixed(0).padStart(3)} s  ${violations[0]?.slice(0, verdict === 'BROKEN' ? undefined : 110) ?? ''}\n`,
  );

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const begun = performance.now();
  const result = await work();
  return [result, (performance.now() - begun) / 1000];
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { chosen: { type: 'boolean', default: false } },
});
/** The whole program is stressed again with each commit: a few mutants need no long one to be compared with. */
const ofControl = values.chosen ? { seconds: 3, rounds: 5 } : { seconds: 10, rounds: 15 };
const leastAcknowledgedPerRound = 7;

let failures = 0;

const control = async (name: Mutant['stress']): Promise<void> => {
  const [found, seconds] = await timed(() => stress(name, [], ofControl.seconds, ofControl.rounds));
  const isWhole =
    found.violations.length === 0 && found.acknowledged >= leastAcknowledgedPerRound * ofControl.rounds;
  if (!isWhole) failures += 1;
  line(`the program as it is: ${name}`, isWhole ? 'holds' : 'BROKEN', found, seconds);
};

const examine = async ({ name, stress: which, edits }: Mutant): Promise<void> => {
  const [found, seconds] = await timed(async () => {
    let tried = await stress(which, edits, secondsForMutant, roundsForMutant);
    // A guard whose moment is rare may not have had it on a slow machine: other luck, and more of it.
    for (const seed of furtherSeeds) {
      if (tried.violations.length > 0) break;
      tried = await stress(which, edits, 2 * secondsForMutant, roundsForMutant, seed);
    }
    return tried;
  });
  const isNoticed = found.violations.length > 0;
  if (!isNoticed) failures += 1;
  line(name, isNoticed ? 'noticed' : 'SURVIVED', found, seconds);
};

const unknown = chosenForCi.filter((each) => mutants.every(({ name }) => name !== each));
if (unknown.length > 0) throw new Error(`chosen.ts names mutants that do not exist: ${unknown.join(', ')}`);
const [wanted] = positionals;
const chosen = mutants
  .filter(({ name, stress: which }) => wanted === undefined || which === wanted || name.includes(wanted))
  .filter(({ name }) => !values.chosen || chosenForCi.includes(name));
const tasks = [...new Set(chosen.map(({ stress: which }) => which))].map((which) => () => control(which));
tasks.push(...chosen.map((mutant) => () => examine(mutant)));

const worker = async (): Promise<void> => {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task();
};
await Promise.all(Array.from({ length: atOnce }, worker));
process.stdout.write(
  failures === 0
    ? `All ${chosen.length} of ${mutants.length} were noticed.\n`
    : `${failures} of ${chosen.length} failed.\n`,
);
process.exitCode = failures === 0 ? 0 : 1;
