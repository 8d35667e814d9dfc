import type { ObjectStorage } from '../object.ts';
import { type DumpHead, dumpVersion } from './dump.ts';
import { appliedMigrations, listColumns, listTables, restoredLines, restoringTable } from './layout.ts';

/** What arrived is no copy for this database; its message is for the operator. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

/** Another part is expected: the one after this number of lines. */
export class PartOutOfTurn extends Error {
  override readonly name = 'PartOutOfTurn';
  readonly lines: number;

  constructor(lines: number) {
    super(`The next part begins after ${lines} lines.`);
    this.lines = lines;
  }
}

export interface Part {
  /** How many lines came before. */
  after: number;
  text: string;
}

export interface PartTaken {
  lines: number;
  isDone: boolean;
}

interface Progress {
  lines: number;
  rows: number;
  /** The statement that inserts a row of the table whose lines come now. */
  insert: string;
  columns: number;
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

const readProgress = (storage: ObjectStorage): Progress | null => {
  if (restoredLines(storage) === null) return null;
  const [row] = storage.sql.exec(`select state from ${restoringTable}`).toArray();
  return row === undefined ? null : JSON.parse(String(row.state));
};

const writeProgress = ({ sql }: ObjectStorage, progress: Progress): void => {
  sql
    .exec(
      `insert or replace into ${restoringTable} (id, lines, state) values (1, ?, ?)`,
      progress.lines,
      JSON.stringify(progress),
    )
    .toArray();
};

/** Tables whose rows say that a clinic is in use. */
const inUse = ['users', 'patients', 'bookings'];

const begin = (storage: ObjectStorage): Progress => {
  const { sql } = storage;
  if (restoredLines(storage) === null) {
    const there = listTables(storage);
    const filled = inUse.filter(
      (table) => there.includes(table) && sql.exec(`select 1 from "${table}" limit 1`).toArray().length > 0,
    );
    if (filled.length > 0)
      throw new CopyRefused(`The clinic is not empty (${filled.join(', ')}): a copy fills a new one.`);
    sql
      .exec(
        `create table ${restoringTable} (id integer primary key, lines integer not null, state text not null)`,
      )
      .toArray();
  }
  for (const table of listTables(storage)) sql.exec(`delete from "${table}"`).toArray();
  sql.exec("delete from sqlite_sequence where name <> '__drizzle_migrations'").toArray();
  return { lines: 0, rows: 0, insert: '', columns: 0 };
};

const readHead = (storage: ObjectStorage, head: DumpHead, timeZone: string | undefined): void => {
  if (head.janji !== 'dump' || head.version !== dumpVersion)
    throw new CopyRefused('This is no copy of a clinic.');
  if (String(head.migrations) !== String(appliedMigrations(storage)))
    throw new CopyRefused('The copy is of another version of the service: make it with this one.');
  if (timeZone !== undefined && head.time_zone !== null && head.time_zone !== timeZone)
    throw new CopyRefused(`The copy is of a clinic in ${head.time_zone}, and this one is in ${timeZone}.`);
};

const readTable = (storage: ObjectStorage, table: string, columns: string[], progress: Progress): void => {
  const known = listTables(storage).includes(table) ? listColumns(storage, table) : [];
  if (columns.length === 0 || String([...columns].sort()) !== String([...known].sort()))
    throw new CopyRefused(`The copy has other columns of ${table} than this version.`);
  progress.columns = columns.length;
  progress.insert = `insert into "${table}" (${quoted(columns)}) values (${columns.map(() => '?').join(', ')})`;
};

const finish = (storage: ObjectStorage, expected: number, { rows }: Progress): void => {
  const { sql } = storage;
  if (rows !== expected) throw new CopyRefused(`${rows} rows arrived, of ${expected}.`);
  const orphans = sql.exec('pragma foreign_key_check').toArray();
  if (orphans.length > 0) throw new CopyRefused('Rows refer to rows that did not arrive.');
  sql.exec(`drop table ${restoringTable}`).toArray();
};

/** Takes one line; true if it was the last one. */
const takeLine = (
  storage: ObjectStorage,
  line: string,
  progress: Progress,
  timeZone: string | undefined,
): boolean => {
  progress.lines += 1;
  const given = JSON.parse(line);
  if (progress.lines === 1) readHead(storage, given, timeZone);
  else if (Array.isArray(given)) {
    if (given.length !== progress.columns) throw new CopyRefused('A row has not the columns of its table.');
    storage.sql.exec(progress.insert, ...given).toArray();
    progress.rows += 1;
  } else if (typeof given.table === 'string') readTable(storage, given.table, given.columns, progress);
  else if (Array.isArray(given.sequences))
    for (const [name, seq] of given.sequences) {
      storage.sql.exec('delete from sqlite_sequence where name = ?', name).toArray();
      storage.sql.exec('insert into sqlite_sequence (name, seq) values (?, ?)', name, seq).toArray();
    }
  else {
    finish(storage, given.end, progress);
    return true;
  }
  return false;
};

/**
 * Takes one part of a copy, in one atomic step; the first one empties what an earlier attempt left. Until the last one came
 * the database is not to be served (`restoredLines`). Throws `CopyRefused` and `PartOutOfTurn`, and has changed nothing then.
 */
export const restorePart = (storage: ObjectStorage, { after, text }: Part, timeZone?: string): PartTaken =>
  storage.transactionSync(() => {
    storage.sql.exec('pragma defer_foreign_keys = on').toArray();
    const progress = after === 0 ? begin(storage) : readProgress(storage);
    if (progress?.lines !== after) throw new PartOutOfTurn(progress?.lines ?? 0);
    const lines = text.split('\n').filter((line) => line !== '');
    let isDone = false;
    for (const line of lines) {
      if (isDone) throw new CopyRefused('Something comes after the end of the copy.');
      try {
        isDone = takeLine(storage, line, progress, timeZone);
      } catch (error) {
        if (error instanceof CopyRefused) throw error;
        throw new CopyRefused(`Line ${progress.lines} cannot be taken.`, { cause: error });
      }
    }
    if (!isDone) writeProgress(storage, progress);
    return { lines: progress.lines, isDone };
  });
