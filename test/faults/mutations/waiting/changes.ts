import { eq, inArray, sql } from 'drizzle-orm';
import { clinic as clinicRow, doctors, schedules, sessions } from '../../../../src/core/tables/catalog.ts';
import { familyRelations, patients } from '../../../../src/core/tables/patients.ts';
import { createClosure } from '../../../support/clinic.ts';
import { dates } from './clinic.ts';
import type { Scene } from './scene.ts';

/** Changes one thing about the clinic at each call, the next one in turn, and says so in the calendar's version. */
export const changing = ({ clinic, db, pick, world }: Scene) => {
  const changeCalendar = () =>
    db.batch([
      db.update(doctors).set({ calendarVersion: sql`${doctors.calendarVersion} + 1` }),
      db.update(clinicRow).set({ calendarVersion: sql`${clinicRow.calendarVersion} + 1` }),
    ]);

  /** Something about the clinic is otherwise for one act. */
  const changes: (() => Promise<unknown>)[] = [
    () =>
      createClosure(world, {
        startDate: pick(dates.slice(0, 2)),
        startTime: '09:10:00',
        endTime: '09:20:00',
      }),
    () => createClosure(world, { startDate: pick(dates.slice(0, 2)), doctorId: pick(clinic.doctorIds) }),
    () => db.update(schedules).set({ capacity: 1 }),
    () => db.update(schedules).set({ capacity: 3 }),
    () =>
      db
        .update(doctors)
        .set({ retiredAt: 1 })
        .where(eq(doctors.id, pick(clinic.doctorIds))),
    () => db.update(sessions).set({ retiredAt: 1 }).where(eq(sessions.id, clinic.sessionIds[0])),
    () => db.update(familyRelations).set({ endedAt: 1 }),
    () => db.update(clinicRow).set({ rezoningTo: 'Asia/Makassar' }),
    () =>
      db
        .update(patients)
        .set({ mergedInto: clinic.patients[9]?.id ?? null })
        .where(
          inArray(
            patients.id,
            clinic.patients.slice(0, 3).map(({ id }) => id),
          ),
        ),
  ];

  return async (): Promise<void> => {
    await changes[clinic.changed++ % changes.length]?.();
    await changeCalendar();
  };
};
