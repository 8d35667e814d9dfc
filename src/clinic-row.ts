import { eq, sql } from 'drizzle-orm';
import { clinic } from './booking/catalog/tables.ts';
import type { Db } from './db/db.ts';

/** Thrown where the settings contradict the database; its message is for whoever starts the service. */
export class ClinicMismatch extends Error {}

/**
 * Writes the clinic's zone into a new database and refuses any other zone in one that was filled: local times are
 * the truth, and reading them in another zone would move every booking.
 */
export const ensureClinic = async (db: Db, timeZone: string): Promise<{ demoSince: number | null }> => {
  const [, rows] = await db.batch([
    db.insert(clinic).values({ id: 1, timeZone, calendarVersion: 1 }).onConflictDoNothing(),
    db.select().from(clinic).where(eq(clinic.id, 1)),
  ]);
  const [row] = rows;
  if (row === undefined) throw new ClinicMismatch('The database has no clinic.');
  if (row.rezoningTo !== null)
    throw new ClinicMismatch(
      `The database is on its way from ${row.timeZone} to ${row.rezoningTo}: end that with \`npm run janji -- rezone --to ${row.rezoningTo} --apply\`.`,
    );
  if (row.timeZone !== timeZone)
    throw new ClinicMismatch(
      `CLINIC_TIME_ZONE is ${timeZone}, but the database was filled in ${row.timeZone}: set it back, or move the bookings with \`npm run janji -- rezone --to ${timeZone}\`.`,
    );
  return { demoSince: row.demoSince };
};

/** Raises the clinic's calendar version, in a batch with the change that calls for it. */
export const raiseClinicCalendar = (db: Db) =>
  db
    .update(clinic)
    .set({ calendarVersion: sql`${clinic.calendarVersion} + 1` })
    .where(eq(clinic.id, 1));
