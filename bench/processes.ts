import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const root = dirname(here);

/** A service under load: one process on a port of the loopback. */
export interface Served {
  port: number;
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
};

/** Ends a process, by force after ten seconds. */
export const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await gone;
  clearTimeout(force);
};

/** Waits until a process that was just started answers; throws when it ends or takes too long. */
export const untilItAnswers = async (child: ChildProcess, url: string): Promise<void> => {
  const deadline = Date.now() + 60_000;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stopProcess(child);
      throw new Error(`${url} does not answer.`);
    }
    await sleep(50);
  }
};

/** What this process started and has not ended yet. */
const started = new Set<ChildProcess>();
// A failure that nobody catches ends this process: its services would serve on.
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts a script of this repository with Node and waits until `health` answers. */
export const serveScript = async (
  script: string,
  env: Record<string, string>,
  { health = '/health', flags = [] as string[], cwd = root } = {},
): Promise<Served> => {
  const port = await freePort();
  const child = spawn(process.execPath, [...flags, script], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  started.add(child);
  child.once('exit', () => started.delete(child));
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(child, url + health);
  return { port, url, pid: child.pid ?? 0, stop: () => stopProcess(child) };
};

const ticksPerSecond = 100;

/** CPU seconds that a process used so far, all threads, user and system (proc(5); NaN where there is no /proc). */
export const cpuSecondsOf = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
};

/** CPU milliseconds of a process's threads so far, where the ticks of `cpuSecondsOf` are too coarse (NaN likewise). */
export const threadMillisecondsOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(nanoseconds) / 1e6;
    }, 0);
  } catch {
    return Number.NaN;
  }
};
