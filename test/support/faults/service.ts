import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serviceArguments } from '../node/entries.ts';

export { freePort } from '../node/free-port.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const faultsSecret = 'a-secret-of-the-fault-suite-0123456789abcdef';
export const faultsDataKey = Buffer.alloc(32, 'a data key').toString('base64url');

export interface Service {
  readonly base: string;
  readonly child: ChildProcess;
  /** The process's stderr, without the warning that it starts without rate limits. */
  readonly errors: () => string;
  /** Ends it as a power cut would: nothing is flushed, nothing is answered. */
  kill: () => Promise<void>;
  /** Asks it to stop and gives its exit code. */
  stop: () => Promise<number | null>;
}

const exited = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

type Command = [string, ...string[]];

/** Runs a command with a limit on file sizes: writes then fail as on a full disk. */
export const onFullDisk =
  (maxFileKib: number) =>
  (
    command: Command,
  ): Command => // The shell becomes the server, so a signal reaches it. A write beyond the limit shall fail, not kill.
  ['bash', '-c', `trap '' XFSZ; ulimit -S -f ${maxFileKib}; exec "$@"`, 'bash', ...command];

/** Has a command obey the modes of files: root does not, unless it gives up just that power. */
export const obeyingModes = (command: Command): Command =>
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override', ...command]
    : command;

/** Starts the serving process itself, never through npm, and waits until it listens. */
export const startService = async (
  path: string,
  port: number,
  settings: Record<string, string> = {},
  within: (command: Command) => Command = (command) => command,
): Promise<Service> => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
    NODE_ENV: 'production',
    JWT_SECRET: faultsSecret,
    DATA_KEY: faultsDataKey,
    DATABASE_URL: `file:${path}`,
    PORT: String(port),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    MAX_LIVE_BOOKINGS: '6',
    ...settings,
  };
  const [command, ...options] = within([process.execPath, ...serviceArguments]);
  const child = spawn(command, options, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', () => reject(new Error(`The service did not start: ${errors}`)));
  });
  await ready;
  return {
    base: `http://127.0.0.1:${port}`,
    child,
    errors: () => errors.replace(/^.*RATE_LIMIT is off.*\n/m, ''),
    kill: async () => {
      child.kill('SIGKILL');
      await exited(child);
    },
    stop: async () => {
      child.kill('SIGTERM');
      return exited(child);
    },
  };
};
