import type { Client } from '@libsql/client';
import { SettingError } from '../../../core/settings/parse-settings.ts';

/** The names of the service's own tables, without those of SQLite, D1 and the migrators. */
const ownTables = `select name from sqlite_master where type = 'table' and name not glob 'sqlite_*'
  and name not glob '_cf_*' and name not in ('__drizzle_migrations', 'd1_migrations') order by name`;

/** Selects one row with `name` and `columns` for each table. */
export const tableColumns = `select t.name as name, group_concat(c.name, ' ') as columns
  from (${ownTables}) t, pragma_table_info(t.name) c group by t.name order by t.name`;

const listTables = async (client: Client): Promise<string[]> =>
  (await client.execute(ownTables)).rows.map(({ name }) => String(name));

/** The service's tables; each comes after the tables that its rows refer to. */
export const tablesInOrder = async (client: Client): Promise<string[]> => {
  const names = await listTables(client);
  const needs = new Map<string, string[]>();
  for (const name of names) {
    const { rows } = await client.execute(`select "table" as target from pragma_foreign_key_list('${name}')`);
    const targets = rows.map(({ target }) => String(target));
    needs.set(
      name,
      targets.filter((target) => target !== name),
    );
  }
  const ordered: string[] = [];
  const place = (name: string): void => {
    if (ordered.includes(name)) return;
    needs.get(name)?.forEach(place);
    ordered.push(name);
  };
  names.forEach(place);
  return ordered;
};

export type Columns = ReadonlyMap<string, readonly string[]>;

/** Columns by table, from rows of `tableColumns`. */
export const columnsIn = (rows: Iterable<Record<string, unknown>>): Columns =>
  new Map([...rows].map(({ name, columns }) => [String(name), String(columns).split(' ')]));

export const readColumns = async (client: Client): Promise<Columns> =>
  columnsIn((await client.execute(tableColumns)).rows as Iterable<Record<string, unknown>>);

/** Throws unless two databases have the same tables with the same columns, in any order. */
export const assertSameColumns = (source: Columns, target: Columns): void => {
  const texts = (columns: Columns) =>
    new Map([...columns].map(([name, of]) => [name, [...of].sort().join(' ')]));
  const [from, to] = [texts(source), texts(target)];
  const names = [...new Set([...from.keys(), ...to.keys()])].filter(
    (name) => from.get(name) !== to.get(name),
  );
  if (names.length > 0)
    throw new SettingError(
      `The two databases are of different versions; they differ in ${names.join(', ')}.`,
    );
};

export type Counts = Readonly<Record<string, number>>;

/** One statement that counts the rows of all tables, one column per table. */
export const countAll = (tables: readonly string[]): string =>
  `select ${tables.map((table) => `(select count(*) from "${table}") as "${table}"`).join(', ')}`;

export const countRows = async (client: Client, tables: readonly string[]): Promise<Counts> => {
  const { rows } = await client.execute(countAll(tables));
  return Object.fromEntries(tables.map((table) => [table, Number(rows[0]?.[table])]));
};

/** The first process that opens a new database writes the clinic's single row. */
export const assertEmpty = (counts: Counts): void => {
  const filled = Object.keys(counts).filter((table) => table !== 'clinic' && counts[table] !== 0);
  if (filled.length > 0)
    throw new SettingError(
      `The target is not empty (${filled.join(', ')}): import fills a new database, and never adds to one.`,
    );
};

export const assertSameCounts = (source: Counts, target: Counts): void => {
  const wrong = Object.keys(source).filter((table) => source[table] !== target[table]);
  if (wrong.length > 0)
    throw new Error(
      `Not every row arrived: ${wrong.map((table) => `${table} ${target[table]} of ${source[table]}`).join(', ')}.`,
    );
};

export const sumCounts = (counts: Counts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
