import { statSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import { DatabaseUnavailableError, type EmbeddedStats } from '../../../core/db/embedded/client.ts';
import type { FileThreads, ThreadedPlace } from '../../../core/db/embedded/file-threads.ts';
import { findCause } from '../../../core/endpoint/errors.ts';
import { ClinicBroken, ClinicMoving } from '../../../modules/clinics/opener.ts';
import { logEmptier, migrating, type OpenDatabase } from '../database/database.ts';
import { assertNotPlain } from '../database/file-key.ts';
import { knownMigrations } from '../database/migrations.ts';
import { explainError } from '../reason.ts';

/** A clinic's file, open in one of the threads. */
export interface ClinicDatabase extends OpenDatabase {
  stats: () => EmbeddedStats;
}

let known: { newest: number; count: number } | undefined;

/** When the newest migration of this version was made, and how many there are. */
export const newestSchema = (): { newest: number; count: number } => {
  known ??= (() => {
    const made = knownMigrations().map(({ madeAt }) => madeAt);
    return { newest: Math.max(...made), count: made.length };
  })();
  return known;
};

/** Nearly every opening finds the present schema, and then reads one row. */
const isCurrent = async (db: LibSQLDatabase): Promise<boolean> => {
  const applied = sql`select max(created_at), count(*) from __drizzle_migrations`;
  const [row] = await db.values<[number, number]>(applied).catch((error: unknown) => {
    // A database without that table has no migration yet; one that cannot be read is another matter.
    if (error instanceof DatabaseUnavailableError) throw error;
    return [];
  });
  const { newest, count } = newestSchema();
  return Number(row?.[0]) === newest && Number(row?.[1]) === count;
};

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Opens a clinic's file and applies the migrations that it lacks. Throws `ClinicBroken` if that cannot be done. */
export const openClinicDatabase = async (
  threads: FileThreads,
  place: ThreadedPlace,
  wrote?: () => void,
): Promise<ClinicDatabase> => {
  const { path } = place;
  // SQLite would make a missing file, and a clinic without its bookings would be served.
  if (!isFile(path)) throw new ClinicBroken(`${path} is not there`);
  try {
    assertNotPlain(path, place.key);
    const client = await threads.open(place, wrote);
    const db = drizzle(client);
    try {
      if (!(await isCurrent(db))) await migrating(db).migrate();
    } catch (error) {
      await client.end();
      throw error;
    }
    return {
      db,
      path,
      stats: client.stats,
      waitedMs: client.waitedMs,
      assertUsable: client.assertInPlace,
      emptyLog: logEmptier(client),
      // One process has a file: what its own writes did not change has not changed.
      changeMark: async () => String(client.stats().commitCount),
      close: client.end,
    };
  } catch (error) {
    // The machine that had it before still has its file open, or there was a later owner.
    const code = findCause(error, DatabaseUnavailableError)?.code;
    if (code === 'not_owned' || code === 'overtaken')
      throw new ClinicMoving(`${path} is in use by another process`, 1, { cause: error });
    throw new ClinicBroken(explainError(error).replaceAll('DATABASE_URL', path), { cause: error });
  }
};
