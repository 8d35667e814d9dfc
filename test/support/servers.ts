import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceArguments, workerArguments } from './node/entries.ts';
import { freePort } from './node/free-port.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Server {
  url: string;
  /** The process's output so far. */
  printed: () => string;
  signal: (name: NodeJS.Signals) => void;
  /** Asks it to end and waits for its exit code. */
  stop: () => Promise<number | null>;
}

export const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'janji-runtime-'));

const collect = (child: ChildProcess) => {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  return () => text;
};

/**
 * A process that ends is noticed at once; one that lives may take long, where the machine has much else to do. Shorter than a
 * hook may take (`hookTimeout`): nobody is left to end what a hook has started that was given up.
 */
const longestStartMs = 240_000;

/** Whether a server that is not ready is given up, by what it has printed so far. */
type IsTooLate = (printed: string) => boolean;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

const untilReady = async (
  url: string,
  child: ChildProcess,
  printed: () => string,
  isTooLate: IsTooLate,
): Promise<void> => {
  while (!isTooLate(printed())) {
    if (hasEnded(child)) throw new Error(`The server ended by itself:\n${printed()}`);
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The server did not become ready:\n${printed()}`);
};

/** Starts a process of Node, and answers once it is ready; it has ended where this throws. */
export const run = async (
  options: readonly string[],
  env: Record<string, string>,
  url: string,
  isTooLate: IsTooLate,
): Promise<Server> => {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  const child = spawn(process.execPath, options, {
    cwd: root,
    env: { ...process.env, PATH: path, ...env },
  });
  const printed = collect(child);
  const endWithThis = () => void child.kill('SIGTERM');
  process.once('exit', endWithThis);
  child.once('exit', () => process.off('exit', endWithThis));
  const stop = async () => {
    if (hasEnded(child)) return child.exitCode;
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    return code as number | null;
  };
  try {
    await untilReady(url, child, printed, isTooLate);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, printed, signal: (name) => void child.kill(name), stop };
};

/** A port that was free may be taken before the service listens on it: then it is started on another one. */
const onFreePort = async (
  start: (port: number, isTooLate: IsTooLate) => Promise<Server>,
): Promise<Server> => {
  const deadline = Date.now() + longestStartMs;
  const isTooLate = () => Date.now() > deadline;
  try {
    return await start(await freePort(), isTooLate);
  } catch (error) {
    if (!/EADDRINUSE|address already in use/i.test(String(error))) throw error;
    return start(await freePort(), isTooLate);
  }
};

/** `npm start` on a port and a database of its own. */
export const startNode = (
  folder = temporaryFolder(),
  env: Record<string, string> | ((port: number) => Record<string, string>) = {},
): Promise<Server> =>
  onFreePort((port, isTooLate) => {
    const given = typeof env === 'function' ? env(port) : env;
    const own = {
      PORT: String(port),
      DATABASE_URL: `file:${join(folder, 'janji.db')}`,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
    };
    return run(serviceArguments, { ...own, ...given }, `http://127.0.0.1:${port}`, isTooLate);
  });

/** `npm run dev` on a port and a local D1 of its own, with the demo clinic unless `more` says `--empty`. */
export const startWorker = (
  folder = temporaryFolder(),
  variables: Record<string, string> | ((port: number) => Record<string, string>) = {},
  more: readonly string[] = [],
): Promise<Server> =>
  onFreePort((port, isTooLate) => {
    const given = typeof variables === 'function' ? variables(port) : variables;
    const options = [
      ...workerArguments,
      '--port',
      String(port),
      '--persist-to',
      folder,
      ...Object.entries({ RATE_LIMIT: 'off', ...given }).flatMap(([name, value]) => [
        '--var',
        `${name}:${value}`,
      ]),
      '--log-level',
      'error',
      ...more,
    ];
    return run(options, {}, `http://127.0.0.1:${port}`, isTooLate);
  });
