import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Client, Value } from '@libsql/client';
import { openEmbedded } from '../../../core/db/embedded/client.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import type { Progress } from '../backup/live-copy.ts';
import { dumpD1, queryD1 } from '../d1/d1-calls.ts';
import { type D1Place, executeFileOnD1, executeOnD1 } from '../d1/wrangler.ts';
import { withFolder } from '../database/cleared.ts';
import { compareHistories, migrationNames, schemaProblem } from '../database/schema-version.ts';
import { allPages, copyRows, opening, readLastStep } from './copy-rows.ts';
import {
  assertEmpty,
  assertSameColumns,
  assertSameCounts,
  type Columns,
  type Counts,
  columnsIn,
  countAll,
  countRows,
  readColumns,
  tableColumns,
} from './layout.ts';
import { pageAsSql, pageAsStatements } from './rows.ts';
import { loadSql } from './sql-file.ts';

const migrationsSql = 'select name from d1_migrations order by id';

const assertCurrent = (names: readonly string[]): void => {
  const version = compareHistories(names, migrationNames());
  if (version !== 'current') throw new SettingError(`D1 cannot be used: ${schemaProblem[version]}.`);
};

/** A dump writes line ends as \\n or \\r, so they cannot be distinguished from the same characters in the text. */
const isAmbiguous = (column: string): string =>
  `instr("${column}", char(10)) and instr("${column}", '\\n') or instr("${column}", char(13)) and instr("${column}", '\\r')`;

/** A value as a dump writes it: if a text has a line end, its literal escape characters become line ends too. */
const asDumped = (value: Value): Value => {
  if (typeof value !== 'string') return value;
  const lines = value.includes('\n') ? value.replaceAll('\\n', '\n') : value;
  return value.includes('\r') ? lines.replaceAll('\\r', '\r') : lines;
};

/** Reads again, one by one, the rows that a dump may have changed, and replaces the dumped rows by them. */
const repair = async (place: D1Place, loaded: Client): Promise<void> => {
  const tables = [...(await readColumns(loaded))];
  const queries = tables.map(
    // A list, not one condition joined to the next: D1 accepts a depth of 100, which a table with fifty columns passes.
    ([table, names]) => `select * from "${table}" where 1 in (${names.map(isAmbiguous).join(', ')})`,
  );
  const found = queryD1(place, queries);
  const statements = tables.flatMap(([table, columns], at) => {
    const rows = (found[at] ?? []).map((row) => columns.map((name) => row[name] as Value));
    const where = columns.map((name) => `"${name}" is ?`).join(' and ');
    const changed = rows.map((row) => ({
      sql: `delete from "${table}" where ${where}`,
      args: row.map(asDumped),
    }));
    return [...changed, ...pageAsStatements({ table, columns, rows }, 'insert or replace')];
  });
  if (statements.length > 0) await loaded.batch(['PRAGMA defer_foreign_keys = ON', ...statements], 'write');
};

/** Fills an empty, migrated database with D1's data as of one moment. */
export const copyFromD1 = (place: D1Place, target: Client, progress: Progress): Promise<Counts> =>
  withFolder(async (folder) => {
    const dump = join(folder, 'd1.sql');
    dumpD1(place, dump);
    progress('D1 is dumped');
    await loadSql(dump, join(folder, 'd1.db'));
    const source = openEmbedded({ path: join(folder, 'd1.db') });
    try {
      const { rows } = await source.execute(migrationsSql);
      assertCurrent(rows.map(({ name }) => String(name)));
      await repair(place, source);
      return await copyRows(source, target, progress);
    } finally {
      source.close();
    }
  });

const countsIn = ([row]: readonly Record<string, unknown>[] = [], tables: readonly string[]): Counts =>
  Object.fromEntries(tables.map((table) => [table, Number(row?.[table])]));

/** D1 accepts at most 100 KB per statement. */
const longestStatementBytes = 100_000;

/** Writes all rows except the clinic's as statements, one per line. */
export const writeRows = async (
  source: Client,
  columns: Columns,
  file: string,
  progress: Progress,
): Promise<void> => {
  const out = createWriteStream(file, { mode: 0o600 });
  const write = async (lines: readonly string[]): Promise<void> => {
    if (lines.some((line) => Buffer.byteLength(line) > longestStatementBytes))
      throw new Error('A row is longer than the 100 KB that D1 takes in one statement.');
    if (lines.length > 0 && !out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
  };
  await write([`${opening};`]);
  for await (const page of allPages(source, columns, progress)) await write(pageAsSql(page));
  out.end();
  await once(out, 'close');
};

/** The last statements, after which the service accepts the database. */
export const lastLines = async (source: Client, columns: Columns): Promise<string[]> => {
  const { counters, clinic, orNone } = await readLastStep(source, columns);
  const ended = (lines: readonly string[]) => lines.map((line) => `${line};`);
  return [...ended(counters), ...pageAsSql(clinic, 'insert or replace'), ...ended(orNone)];
};

/** Fills an empty, migrated D1 with all rows of a database that is not written to meanwhile. */
export const copyToD1 = async (source: Client, place: D1Place, progress: Progress): Promise<Counts> => {
  const [migrations = [], described = []] = queryD1(place, [migrationsSql, tableColumns]);
  assertCurrent(migrations.map(({ name }) => String(name)));
  const columns = await readColumns(source);
  assertSameColumns(columns, columnsIn(described));
  const tables = [...columns.keys()];
  const [empty] = queryD1(place, [countAll(tables)]);
  assertEmpty(countsIn(empty, tables));
  await withFolder(async (folder) => {
    const file = join(folder, 'rows.sql');
    await writeRows(source, columns, file, progress);
    progress('D1 reads the rows');
    executeFileOnD1(place, file);
  });
  const counts = await countRows(source, tables);
  const [arrived, orphans = []] = queryD1(place, [countAll(tables), 'PRAGMA foreign_key_check']);
  assertSameCounts({ ...counts, clinic: 1 }, countsIn(arrived, tables));
  if (orphans.length > 0) throw new Error('Rows refer to rows that did not arrive.');
  await executeOnD1(place, await lastLines(source, columns));
  return counts;
};
