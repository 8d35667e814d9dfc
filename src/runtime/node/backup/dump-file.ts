import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { type DumpHead, dumpVersion } from '../../../core/db/copies/dump.ts';
import { restorePart } from '../../../core/db/copies/restore.ts';
import { fileStorage } from '../../../core/db/embedded/file-storage.ts';
import { openFile } from '../../../core/db/embedded/open-file.ts';
import { migrateObject } from '../../../core/db/object-migrations.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { withFolder } from '../database/cleared.ts';
import { knownMigrations, migrationsFolder } from '../database/migrations.ts';
import { compareHistories, schemaProblem } from '../database/schema-version.ts';

/** How the text of a copy by lines begins (`src/core/db/copies/dump.ts`). */
const beginning = Buffer.from('{"janji":"dump"');
/** How much of it one step takes, in characters. */
const partSize = 4_000_000;

export const beginsWith = (path: string, beginning: Buffer): boolean => {
  const read = Buffer.alloc(beginning.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, read);
    return read.equals(beginning);
  } finally {
    closeSync(file);
  }
};

/** Whether a file is a copy by lines, as an operator gets it from a deployment, and no database. */
export const isDump = (path: string): boolean => beginsWith(path, beginning);

/** The migrations with which the copied database was made: the first ones of this version. */
const checkMigrations = ({ migrations, version }: DumpHead) => {
  if (version !== dumpVersion) throw new SettingError(`The copy cannot be read: ${schemaProblem.newer}.`);
  const known = readMigrationFiles({ migrationsFolder });
  const compared = compareHistories(
    migrations,
    known.map(({ hash }) => hash),
  );
  if (compared === 'newer' || compared === 'foreign')
    throw new SettingError(`The copy cannot be read: ${schemaProblem[compared]}.`);
  const names = knownMigrations();
  return known.slice(0, migrations.length).map(({ sql, hash, folderMillis }, at) => ({
    name: names[at]?.name ?? '',
    madeAt: folderMillis,
    hash,
    statements: sql,
  }));
};

/** Makes the database of a copy by lines; throws if the copy is not whole. */
export const loadDump = async (dump: string, path: string): Promise<void> => {
  const database = openFile(path, { timeout: 5_000 });
  const storage = fileStorage(database);
  let lines: string[] = [];
  let size = 0;
  let taken = { lines: 0, isDone: false };
  const take = (): void => {
    const [head = ''] = lines;
    if (taken.lines === 0) migrateObject(storage, checkMigrations(JSON.parse(head)));
    taken = restorePart(storage, { after: taken.lines, text: lines.join('\n') });
    lines = [];
    size = 0;
  };
  try {
    // It is read again if this process ends.
    database.exec('PRAGMA synchronous = OFF');
    for await (const line of createInterface({
      input: createReadStream(dump),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      lines.push(line);
      size += line.length;
      if (size >= partSize) take();
    }
    if (lines.length > 0) take();
    if (!taken.isDone) throw new SettingError(`${dump} is cut short: its last line is missing.`);
  } finally {
    database.close();
  }
};

/** Runs work on a copy, which is made a database first where it is one by lines. */
export const withRestoredDump = <T>(file: string, work: (path: string) => Promise<T>): Promise<T> =>
  isDump(file)
    ? withFolder(async (folder) => {
        const path = join(folder, 'copy.db');
        await loadDump(file, path);
        return work(path);
      })
    : work(file);
