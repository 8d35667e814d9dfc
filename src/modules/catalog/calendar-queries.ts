import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../core/db/db.ts';
import { doctors } from '../../core/tables/catalog.ts';

/** Increases a doctor's calendar version, in the same batch as the change that requires it. */
export const raiseDoctorCalendar = (db: Db, doctorId: string) =>
  db
    .update(doctors)
    .set({ calendarVersion: sql`${doctors.calendarVersion} + 1` })
    .where(eq(doctors.id, doctorId));
