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

/** A process that ends is noticed at once; one that lives may take long, where the machine has much else to do. */
const longestStartMs = 300_000;

const untilReady = async (url: string, child: ChildProcess, printed: () => string): Promise<void> => {
  const deadline = Date.now() + longestStartMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended by itself:\n${printed()}`);
    const answer = await fetch(`${url}/ready`).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The server did not become ready:\n${printed()}`);
};

const run = async (options: readonly string[], env: Record<string, string>, url: string): Promise<Server> => {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  const child = spawn(process.execPath, options, {
    cwd: root,
    env: { ...process.env, PATH: path, ...env },
  });
  const printed = collect(child);
  await untilReady(url, child, printed);
  const stop = async () => {
    if (child.exitCode !== null) return child.exitCode;
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    return code as number | null;
  };
  return { url, printed, signal: (name) => void child.kill(name), stop };
};

/** A port that was free may be taken before the service listens on it: then it is started on another one. */
const onFreePort = async (start: (port: number) => Promise<Server>): Promise<Server> => {
  try {
    return await start(await freePort());
  } catch (error) {
    if (!/EADDRINUSE|address already in use/i.test(String(error))) throw error;
    return start(await freePort());
  }
};

/** `npm start` on a port and a database of its own. */
export const startNode = (
  folder = temporaryFolder(),
  env: Record<string, string> | ((port: number) => Record<string, string>) = {},
): Promise<Server> =>
  onFreePort((port) => {
    const given = typeof env === 'function' ? env(port) : env;
    const own = {
      PORT: String(port),
      DATABASE_URL: `file:${join(folder, 'janji.db')}`,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
    };
    return run(serviceArguments, { ...own, ...given }, `http://127.0.0.1:${port}`);
  });

/** `npm run dev` on a port and a local D1 of its own, with the demo clinic unless `more` says `--empty`. */
export const startWorker = (
  folder = temporaryFolder(),
  variables: Record<string, string> | ((port: number) => Record<string, string>) = {},
  more: readonly string[] = [],
): Promise<Server> =>
  onFreePort((port) => {
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
    return run(options, {}, `http://127.0.0.1:${port}`);
  });
