// What a start of Node costs, by the script of package.json and without what it loads first (quick-start.ts), in turn:
// the service until it answers, on a database that is migrated, and a command that only tells what there is. The floor is
// Node with nothing to run.
//   node bench/node-starts.ts [--starts 12]

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './load.ts';
import { cpuSecondsOf, freePort, root, stopProcess } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({ options: { starts: { type: 'string', default: '12' } } });
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<'start' | 'janji', string>>;
};
const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));

const env = {
  ...process.env,
  NODE_ENV: 'production',
  DEMO: 'off',
  HOST: '127.0.0.1',
  DATABASE_URL: `file:${join(folder, 'janji.db')}`,
  JWT_SECRET: 'a-secret-of-the-bench-and-of-nothing-else-0123456789',
  DATA_KEY: Buffer.alloc(32, 'a key of this bench').toString('base64url'),
  LOG_LEVEL: 'error',
};

interface Cost {
  wallMs: number;
  cpuMs: number;
}

/** Starts Node with these arguments and gives what it took until it wrote `until`, or until it ended. */
const costOf = async (given: readonly string[], until: string | null): Promise<Cost> => {
  const own = { ...env, PORT: String(await freePort()) };
  const begun = performance.now();
  const child: ChildProcess = spawn(process.execPath, given, {
    cwd: root,
    timeout: 60_000,
    env: own,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  let cpuMs = Number.NaN;
  const reached = new Promise<number>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      written += String(chunk);
      if (until === null || !written.includes(until)) return;
      cpuMs = 1_000 * cpuSecondsOf(child.pid ?? 0);
      resolve(performance.now() - begun);
    });
    child.once('exit', (code) => {
      if (until === null && code === 0) resolve(performance.now() - begun);
      else reject(new Error(`node ${given.join(' ')} ended with ${code}.`));
    });
  });
  try {
    return { wallMs: await reached, cpuMs };
  } finally {
    await stopProcess(child);
  }
};

const [start, janji] = [scripts.start, scripts.janji].map((script) => script.split(' ').slice(1));
if (start === undefined || janji === undefined) throw new Error('package.json has no such script.');
/** The same program without what is loaded first. */
const withoutQuickStart = (given: readonly string[]): string[] => given.slice(-1);

const sides = [
  { name: 'the service, as `npm start` starts it', given: start, until: 'Janji listens' },
  { name: 'the service, without quick-start.ts', given: withoutQuickStart(start), until: 'Janji listens' },
  { name: 'the command `--help`, as `npm run janji` starts it', given: [...janji, '--help'], until: null },
  { name: 'the same without quick-start.ts', given: [...withoutQuickStart(janji), '--help'], until: null },
  { name: 'Node with nothing to run', given: ['-e', '0'], until: null },
].map((side) => ({ ...side, costs: [] as Cost[] }));

try {
  // The first start migrates the database.
  await costOf(start, 'Janji listens');
  for (let round = 0; round < Number(values.starts); round++)
    for (const { given, until, costs } of round % 2 === 0 ? sides : sides.toReversed())
      costs.push(await costOf(given, until));
} finally {
  rmSync(folder, { recursive: true });
}

const shown = (ms: readonly number[]): string => (ms.some(Number.isNaN) ? '' : median(ms).toFixed(0));
printTable(
  ['a start of Node', 'median ms', 'least ms', 'CPU ms'],
  sides.map(({ name, costs }) => {
    const wall = costs.map(({ wallMs }) => wallMs);
    return [name, shown(wall), Math.min(...wall).toFixed(0), shown(costs.map(({ cpuMs }) => cpuMs))];
  }),
);
const medianOf = (at: number): number => median(sides[at]?.costs.map(({ wallMs }) => wallMs) ?? []);
process.stdout.write(
  `with it to without it: the service ${(medianOf(0) / medianOf(1)).toFixed(2)}, a command ${(medianOf(2) / medianOf(3)).toFixed(2)}\n`,
);
