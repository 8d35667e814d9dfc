// The cost of a start of Node, as it is built (the scripts of package.json) and from the sources, in turn: the service
// until it answers, on a database that is migrated, and a command that only lists the commands. The floor is Node with
// nothing to run. With --memory also the resident memory at rest, and again after load. node bench/node-starts.ts
// [--starts 12] [--memory] [--seconds 60]

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from './load.ts';
import { cpuSecondsOf, freePort, root, stopProcess, untilItAnswers } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '12' },
    memory: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
  },
});
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
const sources = ['--import', './src/runtime/node/quick-start.ts'];

const sides = [
  { name: 'the service, as `npm start` starts it', given: start, until: 'Janji listens' },
  { name: 'the same from its sources', given: [...sources, 'src/node.ts'], until: 'Janji listens' },
  { name: 'the command `--help`, as `npm run janji` starts it', given: [...janji, '--help'], until: null },
  { name: 'the same from its sources', given: [...sources, 'src/cli.ts', '--help'], until: null },
  { name: 'Node with nothing to run', given: ['-e', '0'], until: null },
].map((side) => ({ ...side, costs: [] as Cost[] }));

const residentMbOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000;

/**
 * The resident memory in MB, twelve seconds after the start; then after `seconds` of logins and listings, and a minute
 * of rest.
 */
const residentOf = async (given: readonly string[], seconds: number): Promise<[number, number]> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { ...env, PORT: String(port), RATE_LIMIT: 'off' };
  const child = spawn(process.execPath, given, { cwd: root, env: own, stdio: 'ignore' });
  try {
    await untilItAnswers(child, `${url}/ready`);
    await sleep(12_000);
    const idle = residentMbOf(child.pid ?? 0);
    const until = performance.now() + seconds * 1000;
    const body = JSON.stringify({ email: 'nobody@klinik.example', password: 'a guess of the bench' });
    const headers = { 'Content-Type': 'application/json' };
    const client = async (nth: number): Promise<void> => {
      while (performance.now() < until)
        if (nth === 0) await (await fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body })).text();
        else await (await fetch(`${url}/v1/doctors`)).text();
    };
    await Promise.all(Array.from({ length: 20 }, (_, nth) => client(nth)));
    await sleep(65_000);
    return [idle, residentMbOf(child.pid ?? 0)];
  } finally {
    await stopProcess(child);
  }
};

const resident: [string, [number, number]][] = [];
try {
  // The first start migrates the database.
  await costOf(start, 'Janji listens');
  for (let round = 0; round < Number(values.starts); round++)
    for (const { given, until, costs } of round % 2 === 0 ? sides : sides.toReversed())
      costs.push(await costOf(given, until));
  if (values.memory)
    for (const { name, given } of sides.slice(0, 2))
      resident.push([name, await residentOf(given, Number(values.seconds))]);
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
  `built to sources: the service ${(medianOf(0) / medianOf(1)).toFixed(2)}, a command ${(medianOf(2) / medianOf(3)).toFixed(2)}; the service to Node with nothing to run: ${(medianOf(0) / medianOf(4)).toFixed(1)}\n`,
);
if (resident.length > 0)
  printTable(
    ['resident, MB', 'idle', 'after load and a minute of rest'],
    resident.map(([name, [idle, rested]]) => [name, idle.toFixed(0), rested.toFixed(0)]),
  );
