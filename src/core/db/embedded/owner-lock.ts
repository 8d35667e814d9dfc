import type Database from 'libsql';
import { DatabaseUnavailableError, type UnavailableCode } from './errors.ts';
import { openFile } from './open-file.ts';

/** What a file's name is followed by in that of its lock; the lock is a small database of its own. */
export const ownerLockEnd = '-owner';

/** What the lock says to an owner of an earlier epoch. */
const laterOwner = 'a later owner was here';

/**
 * Locks a file for one owner among several processes. SQLite's own lock on a file beside it is held until `release`, or
 * until the process is gone; so those who only read the file, such as a backup, are not kept out. The epoch stays in it:
 * an owner of an earlier one gets the lock no more. No statement is prepared, since those hold a file until they are collected.
 */
export const takeOwnerLock = (path: string, epoch: number): { release: () => void } => {
  // Without its cause: as an error of the driver it would say that the file is locked for a moment.
  const refused = (why: string, code: UnavailableCode = 'not_owned') =>
    new DatabaseUnavailableError(code, `${path} ${why}`);
  let database: Database.Database;
  try {
    database = openFile(path + ownerLockEnd, { timeout: 0 });
  } catch {
    throw refused('cannot be locked');
  }
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec(`BEGIN EXCLUSIVE;
      create table if not exists owner (one integer primary key check (one = 1), epoch integer not null);
      create trigger if not exists never_earlier before update on owner when new.epoch < old.epoch
        begin select raise(abort, '${laterOwner}'); end;
      insert into owner values (1, ${Math.trunc(epoch)}) on conflict (one) do update set epoch = excluded.epoch;
      COMMIT`);
  } catch (error) {
    const isOvertaken = error instanceof Error && error.message.includes(laterOwner);
    try {
      if (database.inTransaction) database.exec('ROLLBACK');
    } catch {}
    database.close();
    throw isOvertaken ? refused('had a later owner', 'overtaken') : refused('is in use by another process');
  }
  return { release: () => void database.close() };
};
