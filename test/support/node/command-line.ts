import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { commandArguments, quickStartOptions } from './entries.ts';
import type { Ended, Order } from './warm-commands.ts';

export { change, everything, rowsOf } from './rows.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const bin = join(root, 'node_modules/.bin');

/** A folder of its own, which goes when the test ends. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const environment = (databaseUrl: string) => ({
  ...process.env,
  PATH: `${bin}:${process.env.PATH}`,
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  CI: '1',
  JWT_SECRET: '',
  DATA_KEY: '',
  DATABASE_KEY: '',
  BACKUP_RECIPIENT: '',
  BACKUP_IDENTITY_FILE: '',
  JANJI_ADMIN_PASSWORD: '',
  DATABASE_URL: databaseUrl,
});

/** Runs a program to its end in a process of its own. */
const runAlone = async (
  program: string,
  args: readonly string[],
  { cwd, databaseUrl = '', input = '' }: { cwd: string; databaseUrl?: string; input?: string },
) => {
  const child = spawn(program, args, { cwd, env: environment(databaseUrl) });
  // A program that reads nothing may have ended by now.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { status: status as number | null, out, errors };
};

let warm: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

const warmProcess = (): ChildProcess => {
  if (warm?.connected) return warm;
  warm = fork(join(root, 'test/support/node/warm-commands.ts'), {
    execArgv: [...quickStartOptions, '--expose-gc'],
  });
  // It ends with this process, and does not keep it.
  warm.unref();
  warm.channel?.unref();
  return warm;
};

const runWarm = async (order: Order): Promise<Ended> => {
  const child = warmProcess();
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ended));
    child.once('exit', (code) =>
      reject(new Error(`${order.args.join(' ')} ended its process with ${code}.`)),
    );
  });
  child.send(order);
  try {
    return await ended;
  } finally {
    child.removeAllListeners();
  }
};

/**
 * The service's command line as people type it, in a folder with a database. Called, it runs a command in a process that
 * has loaded it before; `alone` and `fed` start one for the command, and `spawn` does not wait for its end.
 */
export const commandLine = (folder: string, databaseUrl = `file:${join(folder, 'janji.db')}`) => {
  const warmly = (args: readonly string[], settings: Record<string, string> = {}): Promise<Ended> => {
    const env = { ...environment(databaseUrl), ...settings };
    const ended = last.then(() => runWarm({ args, cwd: folder, env }));
    last = ended.catch(() => {});
    return ended;
  };
  const alone = (args: readonly string[], input = '') =>
    runAlone(process.execPath, [...commandArguments, ...args], { cwd: folder, databaseUrl, input });
  return Object.assign((...args: string[]) => warmly(args), {
    with: (settings: Record<string, string>, ...args: string[]) => warmly(args, settings),
    alone: (...args: string[]) => alone(args),
    fed: (input: string, ...args: string[]) => alone(args, input),
    spawn: (...args: string[]) =>
      spawn(process.execPath, [...commandArguments, ...args], { cwd: folder, env: environment(databaseUrl) }),
    spawnWith: (settings: Record<string, string>, ...args: string[]) =>
      spawn(process.execPath, [...commandArguments, ...args], {
        cwd: folder,
        env: { ...environment(databaseUrl), ...settings },
      }),
  });
};

let migrated: Promise<string> | undefined;

const migrateD1 = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-d1-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const each of ['wrangler.toml', 'drizzle'])
    cpSync(join(root, each), join(folder, each), { recursive: true });
  const migrate = ['d1', 'migrations', 'apply', 'DB', '--local'];
  const { status, errors } = await runAlone(join(bin, 'wrangler'), migrate, { cwd: folder });
  if (status !== 0) throw new Error(errors);
  return folder;
};

/** Makes a folder that of a Worker with a local D1, migrated: by wrangler the first time, then a copy. */
export const makeD1 = async (folder: string): Promise<void> => {
  migrated ??= migrateD1();
  cpSync(await migrated, folder, { recursive: true });
};

/** The file that holds the local D1 of a folder in which wrangler keeps its state. */
export const fileOfD1 = (state: string): string => {
  const [path] = globSync(join(state, 'v3/d1/*/*.sqlite')).filter(
    (file) => !file.endsWith('metadata.sqlite'),
  );
  if (path === undefined) throw new Error(`No local D1 lies in ${state}.`);
  return path;
};
