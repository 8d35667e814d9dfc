import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { onTestFinished } from 'vitest';

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
  JWT_SECRET: '',
  DATABASE_URL: databaseUrl,
});

const run = async (script: string, args: readonly string[], cwd: string, databaseUrl: string) => {
  const child = spawn(script, args, { cwd, env: environment(databaseUrl) });
  child.stdin.end();
  const [out, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { status: status as number | null, out, errors };
};

/** Runs one command of the service's command line, as people type it, in a folder with a database. */
export const commandLine = (folder: string, databaseUrl = `file:${join(folder, 'janji.db')}`) =>
  Object.assign(
    (...args: string[]) => run(process.execPath, [join(root, 'src/cli.ts'), ...args], folder, databaseUrl),
    {
      spawn: (...args: string[]) =>
        spawn(process.execPath, [join(root, 'src/cli.ts'), ...args], {
          cwd: folder,
          env: environment(databaseUrl),
        }),
    },
  );

/** Makes a folder that of a Worker with a local D1, migrated. */
export const makeD1 = async (folder: string): Promise<void> => {
  for (const each of ['wrangler.toml', 'drizzle'])
    cpSync(join(root, each), join(folder, each), { recursive: true });
  const { status, errors } = await run(
    join(bin, 'wrangler'),
    ['d1', 'migrations', 'apply', 'DB', '--local'],
    folder,
    '',
  );
  if (status !== 0) throw new Error(errors);
};

/** All rows of a query on a copy of a file: the driver may hold a closed connection, and its locks, for a while. */
export const rowsOf = <T = unknown[]>(path: string, sql: string): T[] => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-read-'));
  const copy = join(folder, 'copy.db');
  for (const end of ['', '-wal']) if (existsSync(path + end)) cpSync(path + end, copy + end);
  const database = new Database(copy, { timeout: 2000 });
  try {
    return database.prepare(sql).raw().all() as T[];
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
};

/** Changes a file by SQL. */
export const change = (path: string, sql: string): void => {
  const database = new Database(path, { timeout: 2000 });
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
};

/** Every row of every table but those of the migrators, with the counters. */
export const everything = (path: string): Record<string, unknown[][]> => {
  const names = rowsOf<[string]>(
    path,
    "select name from sqlite_master where type = 'table' and name not in ('__drizzle_migrations', 'd1_migrations')",
  ).map(([name]) => name);
  return Object.fromEntries(
    names.sort().map((name) => {
      const rows = rowsOf(path, `select * from "${name}"`).filter(
        ([first]) => !/_migrations$/.test(String(first)),
      );
      return [name, rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
    }),
  );
};
