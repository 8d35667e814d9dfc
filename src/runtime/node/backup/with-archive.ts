import { setImmediate } from 'node:timers/promises';
import type Database from 'libsql';
import { openFile } from '../../../core/db/embedded/open-file.ts';
import { newBookingCode } from '../../../modules/booking/record/code.ts';
import { assertFile, publish, withFile, withPartial } from '../database/database-file.ts';
import { type FileKey, keyFor } from '../database/file-key.ts';
import { copyLive, type Progress } from './live-copy.ts';

const tables = ['booking_events', 'bookings'] as const;
const rowsAStep = 500;

const columnsIn = (database: Database.Database, table: string): string[] =>
  (database.prepare(`select name from pragma_table_info('${table}')`).raw().all() as [string][]).map(
    ([name]) => name,
  );

/** Whether it has its tables: a process that ended while it made an archive leaves a file without. */
const isMade = (archive: Database.Database): boolean => columnsIn(archive, 'archive').length > 0;

const keyOf = { bookings: 'id', booking_events: 'sequence' } as const;

/** How many rows one commit takes: the service that copies its files goes on in between. */
const rowsACommit = 5_000;

/** Copies a table's rows of an archive that the copy does not have. */
const addRows = async (
  copy: Database.Database,
  archive: Database.Database,
  table: (typeof tables)[number],
): Promise<void> => {
  const there = new Set(columnsIn(archive, table));
  const names = columnsIn(copy, table).filter((name) => there.has(name));
  const listed = names.map((name) => `"${name}"`).join(', ');
  const key = keyOf[table];
  const insert = copy.prepare(
    `insert into ${table} (${listed}) select ${names.map(() => '?').join(', ')} where not exists
      (select 1 from ${table} where ${key} = ?)`,
  );
  const page = archive
    .prepare(`select ${listed} from ${table} where ${key} > ? order by ${key} limit ${rowsAStep}`)
    .raw();
  const at = names.indexOf(key);
  // A code is unique in the clinic's own database, so that one that went to the archive may be given again.
  const codeAt = table === 'bookings' ? names.indexOf('booking_code') : -1;
  const isTaken = copy.prepare('select 1 from bookings where booking_code = ? and id <> ?').raw();
  let after: unknown = table === 'bookings' ? '' : 0;
  for (let isDone = false; !isDone; ) {
    copy.exec('BEGIN');
    for (let taken = 0; taken < rowsACommit && !isDone; taken += rowsAStep) {
      const rows = page.all(after) as unknown[][];
      for (const row of rows) {
        if (codeAt >= 0 && isTaken.get(row[codeAt], row[at]) !== undefined) row[codeAt] = newBookingCode();
        insert.run(...row, row[at]);
      }
      isDone = rows.length < rowsAStep;
      after = rows.at(-1)?.[at];
      await setImmediate();
    }
    copy.exec('COMMIT');
  }
};

/**
 * Puts what is archived into a copy of the clinic's database, so that a backup is one file with everything. The copy was made
 * first: what was archived in between is in it already. A copy that was cut short is not used.
 */
export const addArchived = async (
  copy: string,
  copyKey: FileKey,
  archive: string,
  key: FileKey,
): Promise<void> => {
  assertFile(archive);
  const from = openFile(archive, { timeout: 5_000, key: keyFor(archive, key) });
  try {
    if (!isMade(from)) return;
    const to = openFile(copy, { timeout: 5_000, key: keyFor(copy, copyKey) });
    try {
      to.exec('PRAGMA foreign_keys = OFF');
      for (const table of tables) await addRows(to, from, table);
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
};

/**
 * For a restore, after which nothing says which archived bookings the database has again: each is compared with it when it is read,
 * and the job settles them with its next round.
 */
export const unsettleArchive = (archive: string, key: FileKey): void =>
  withFile(
    archive,
    (database) => {
      if (isMade(database)) database.exec('update bookings set settled = 0; update archive set next_at = 0');
    },
    key,
  );

/** Lets the job look at an archive with its next round, and not only on the next day. */
export const hastenArchive = (archive: string, key: FileKey): void =>
  withFile(
    archive,
    (database) => {
      if (isMade(database)) database.exec('update archive set next_at = 0');
    },
    key,
  );

/** Copies an archive alone to a new file, and checks the copy. */
export const copyArchive = (
  archive: string,
  target: string,
  key: FileKey,
  progress: Progress,
): Promise<void> =>
  withPartial(target, 'moving', async (partial) => {
    await copyLive(archive, partial, progress, key);
    const problems = withFile(
      partial,
      (copy) => copy.prepare('PRAGMA integrity_check').raw().all() as [string][],
      key,
    );
    if (problems[0]?.[0] !== 'ok')
      throw new Error(`${archive} is damaged, and was not moved: ${problems.flat().join('; ')}`);
    publish(partial, target);
  });
