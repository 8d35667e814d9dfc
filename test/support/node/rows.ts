import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';

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
