import type { Client } from '@libsql/client';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import type { Progress } from '../backup/live-copy.ts';
import {
  assertEmpty,
  assertSameColumns,
  assertSameCounts,
  type Columns,
  type Counts,
  countRows,
  readColumns,
  tablesInOrder,
} from './layout.ts';
import { type Page, pageAsStatements, readPages } from './rows.ts';

/**
 * The time zone in the clinic's row until all other rows are copied. The service refuses to start on a database with a
 * different time zone, so it never serves an incomplete copy.
 */
export const opening =
  "insert or replace into clinic (id, time_zone, calendar_version) values (1, '(import unfinished)', 1)";

/** Every page of every table; a table comes after those that it refers to, and the clinic's row comes last. */
export async function* allPages(source: Client, columns: Columns, progress: Progress): AsyncGenerator<Page> {
  const tables = await tablesInOrder(source);
  for (const table of tables.filter((name) => name !== 'clinic')) {
    let count = 0;
    for await (const page of readPages(source, table, columns.get(table) ?? [])) {
      yield page;
      count += page.rows.length;
      if (count >= 1_000) progress(`${table}: ${count} rows`);
    }
  }
}

/** The last sequence number of each table with AUTOINCREMENT: numbers of deleted rows are never used again. */
const readSequences = async (client: Client): Promise<[string, number][]> => {
  const { rows } = await client.execute(
    "select name, seq from sqlite_sequence where name not in ('__drizzle_migrations', 'd1_migrations') order by name",
  );
  return rows.map(({ name, seq }) => [String(name), Number(seq)]);
};

interface LastStep {
  counters: string[];
  /** Replaces the placeholder row in a single statement, because it may be the only statement of this step that runs. */
  clinic: Page;
  /** Only a source that was never served has no clinic. */
  orNone: string[];
}

/** The counters and, last, the clinic's own row: after this the service accepts the database. */
export const readLastStep = async (source: Client, columns: Columns): Promise<LastStep> => {
  const clinic: Page = { table: 'clinic', columns: columns.get('clinic') ?? [], rows: [] };
  for await (const { rows } of readPages(source, 'clinic', clinic.columns)) clinic.rows.push(...rows);
  const counters = (await readSequences(source)).flatMap(([name, seq]) => [
    `delete from sqlite_sequence where name = '${name}'`,
    `insert into sqlite_sequence (name, seq) values ('${name}', ${seq})`,
  ]);
  return { counters, clinic, orNone: clinic.rows.length === 0 ? ['delete from clinic'] : [] };
};

/** Numbers that no counter keeps, of rows of which the newest stays. */
const readNewest = async (client: Client) =>
  (
    await client.execute(
      'select max(sequence) from booking_events union all select max(sequence) from security_events',
    )
  ).rows.map((row) => row[0]);

/** Counts that differ as soon as anybody books, logs in or registers. */
const readState = async (client: Client, tables: readonly string[]) => ({
  counts: await countRows(client, tables),
  counters: JSON.stringify([await readSequences(client), await readNewest(client)]),
});

/** Fills an empty, migrated database with all rows of another one; throws if any row is missing. */
export const copyRows = async (source: Client, target: Client, progress: Progress): Promise<Counts> => {
  const columns = await readColumns(target);
  assertSameColumns(await readColumns(source), columns);
  const tables = [...columns.keys()];
  assertEmpty(await countRows(target, tables));
  const before = await readState(source, tables);
  await target.execute(opening);
  for await (const page of allPages(source, columns, progress))
    await target.batch(pageAsStatements(page), 'write');
  const last = await readLastStep(source, columns);
  const after = await readState(source, tables);
  if (JSON.stringify(after) !== JSON.stringify(before))
    throw new SettingError('The source was written to meanwhile: stop its service, and begin anew.');
  assertSameCounts({ ...before.counts, clinic: 1 }, await countRows(target, tables));
  const clinic = pageAsStatements(last.clinic, 'insert or replace');
  await target.batch([...last.counters, ...clinic, ...last.orNone], 'write');
  return before.counts;
};
