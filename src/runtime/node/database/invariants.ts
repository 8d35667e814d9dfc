import { statSync } from 'node:fs';
import type Database from 'libsql';
import { openFile } from '../../../core/db/embedded/open-file.ts';
import { bookingInvariants } from '../../../modules/booking/record/invariants.ts';
import { patientInvariants } from '../../../modules/patients/invariants.ts';
import { type FileKey, keyFor } from './file-key.ts';

const maxNamed = 5;

const selectIds = (database: Database.Database, sql: string): string[] =>
  (database.prepare(`${sql} limit 100`).raw().all() as [unknown][]).map(([id]) => String(id));

const problemsIn = (database: Database.Database): string[] => {
  const damage = (database.prepare('PRAGMA integrity_check').raw().all() as [string][])
    .map(([line]) => line)
    .filter((line) => line !== 'ok');
  if (damage.length > 0) return damage.slice(0, maxNamed).map((line) => `damaged: ${line}`);
  const orphans = database.prepare('PRAGMA foreign_key_check').raw().all() as [string][];
  const problems = [...new Set(orphans.map(([table]) => `${table}: rows refer to rows that do not exist`))];
  for (const { holds, offenders } of [...bookingInvariants, ...patientInvariants]) {
    const ids = selectIds(database, `select * from (${offenders})`);
    if (ids.length > 0) problems.push(`broken: ${holds} (${ids.slice(0, maxNamed).join(', ')})`);
  }
  return problems;
};

/** The problems of a Janji database file, one line each; none if it is intact and every invariant holds. */
export const findProblems = (path: string, key?: FileKey): string[] => {
  // The driver would create a missing file, whatever its options say.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [`${path} is not there`];
  const database = openFile(path, { timeout: 1000, key: keyFor(path, key) });
  try {
    database.exec('PRAGMA query_only = ON');
    return problemsIn(database);
  } finally {
    database.close();
  }
};
