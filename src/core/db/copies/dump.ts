import type { ObjectStorage } from '../object.ts';
import { appliedMigrations, listColumns, tablesInOrder } from './layout.ts';

// All rows of a database as lines of JSON, for a database that has no file to copy: `restore.ts` makes the same database of
// them. The first line names the migrations, a line names each table with its columns, each row is a list, and the last
// line counts the rows: a text without it is not whole.

/** The version of this form. */
export const dumpVersion = 1;

export interface DumpHead {
  janji: 'dump';
  version: typeof dumpVersion;
  migrations: string[];
  time_zone: string | null;
}

const rowsAtOnce = 500;

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** One value unchanged, several as a row value. */
const asOne = (parts: readonly string[]): string =>
  parts.length === 1 ? parts.join() : `(${parts.join(', ')})`;

/** The columns by which a table is ordered: its row id, or the key of one that has none. */
const keyOf = ({ sql }: ObjectStorage, table: string): string[] => {
  const names = sql
    .exec(
      `select c.name as name from sqlite_master m, pragma_table_info(m.name) c where m.name = ? and m.type = 'table'
        and m.sql like '%without rowid' and c.pk > 0 order by c.pk`,
      table,
    )
    .toArray()
    .map(({ name }) => `"${name}"`);
  return names.length === 0 ? ['rowid'] : names;
};

const toJson = (row: readonly unknown[]): string => {
  if (row.some((value) => typeof value === 'object' && value !== null))
    throw new TypeError('A row holds bytes, which this form of a copy does not take.');
  return JSON.stringify(row);
};

/** The rows of a table in its own order, a page of lines at a time. */
function* tablePages(storage: ObjectStorage, table: string, columns: readonly string[]): Generator<string[]> {
  const key = keyOf(storage, table);
  const text = `select ${key.join(', ')}, ${quoted(columns)} from "${table}" where ${asOne(key)} > ${asOne(key.map(() => '?'))}
    order by ${key.join(', ')} limit ${rowsAtOnce}`;
  // A text is more than any number.
  for (let after: unknown[] = key.map(() => -1); ; ) {
    const rows = [...storage.sql.exec(text, ...after).raw()];
    if (rows.length === 0) return;
    yield rows.map((row) => toJson(row.slice(key.length)));
    after = (rows.at(-1) ?? []).slice(0, key.length);
  }
}

const asText = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** The head and all rows; gives the number of these. */
function* rowPages(storage: ObjectStorage): Generator<string, number> {
  const { sql } = storage;
  const [clinic] = sql.exec('select time_zone from clinic').toArray();
  const head: DumpHead = {
    janji: 'dump',
    version: dumpVersion,
    migrations: appliedMigrations(storage),
    time_zone: clinic === undefined ? null : String(clinic.time_zone),
  };
  yield asText([JSON.stringify(head)]);
  let count = 0;
  for (const table of tablesInOrder(storage)) {
    const columns = listColumns(storage, table);
    yield asText([JSON.stringify({ table, columns })]);
    for (const lines of tablePages(storage, table, columns)) {
      count += lines.length;
      yield asText(lines);
    }
  }
  return count;
}

const sequencesLine = ({ sql }: ObjectStorage): string => {
  const sequences = [...sql.exec('select name, seq from sqlite_sequence order by name').raw()].filter(
    ([name]) => name !== '__drizzle_migrations',
  );
  return JSON.stringify({ sequences });
};

/** All lines of a database, a page at a time; nobody may write to it until the last one is read. */
export function* dumpPages(storage: ObjectStorage): Generator<string> {
  const count = yield* rowPages(storage);
  yield asText([sequencesLine(storage), JSON.stringify({ end: count })]);
}

/** Rows of a table that are elsewhere. */
export interface FurtherRows {
  table: string;
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

/**
 * The same with rows that are elsewhere, after the own ones. When these have been read `ownRead` is called: from then on others may
 * write.
 */
export async function* dumpPagesWith(
  storage: ObjectStorage,
  further: () => AsyncIterable<FurtherRows>,
  ownRead: () => void,
): AsyncGenerator<string> {
  let count = yield* rowPages(storage);
  const sequences = sequencesLine(storage);
  ownRead();
  for await (const { table, columns, rows } of further()) {
    count += rows.length;
    yield asText([JSON.stringify({ table, columns }), ...rows.map(toJson)]);
  }
  yield asText([sequences, JSON.stringify({ end: count })]);
}

/** Who waits for the end of a copy. */
export interface Reader {
  /** Throws if the copy may not go on: it would not be of one moment. */
  assertGoing: () => void;
  /** Called when nothing more is read, whatever the reason. */
  end: () => void;
}

/** Such pages as bytes, read as fast as they are taken. */
export const dumpStream = (
  pages: Iterator<string> | AsyncIterator<string>,
  { assertGoing, end }: Reader,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    type: 'bytes',
    pull: async (controller) => {
      try {
        assertGoing();
        const { done, value } = await pages.next();
        if (!done) return controller.enqueue(encoder.encode(value));
        end();
        controller.close();
        // A reader that brought its own memory is told so.
        controller.byobRequest?.respond(0);
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel: end,
  });
};
