import { eq } from 'drizzle-orm';
import { clinic as clinicRow, doctors, schedules } from '../../../../src/core/tables/catalog.ts';
import { createDoctor } from '../../../support/clinic.ts';
import type { Scene } from './scene.ts';

/** Where a clinic refuses shared rooms: a doctor returns just while the own room is given to another. */
export const sharingRooms = ({ ask, clinic, db, violations, world }: Scene) => {
  const { admin, sessionIds } = clinic;
  const refuse = (refuseSharedRooms: boolean) => db.update(clinicRow).set({ refuseSharedRooms });
  const ofRoom = {
    ...{ session_id: sessionIds[0], weekday: 5, start_time: '08:00:00', end_time: '12:00:00' },
    ...{ slot_minutes: 30, capacity: 1, room: 'Ruang 3' },
  };
  const plan = async (doctor_id: string) =>
    (await ask(admin, '/v1/admin/schedules', { ...ofRoom, doctor_id })).status;

  return async (): Promise<void> => {
    await refuse(true);
    const [away, other] = [await createDoctor(world), await createDoctor(world)];
    await plan(away);
    await db.update(doctors).set({ retiredAt: 1 }).where(eq(doctors.id, away));
    await Promise.all([ask(admin, `/v1/admin/doctors/${away}`, { active: true }, 'PATCH'), plan(other)]);
    // One of the two may have come first and been refused by the other; both never stand.
    const [returned] = await db.select().from(doctors).where(eq(doctors.id, away));
    const planned = await db.select().from(schedules).where(eq(schedules.doctorId, other));
    if (returned?.retiredAt === null && planned.length > 0) violations.push('two doctors have one room');
    if (returned?.retiredAt !== null && planned.length === 0)
      violations.push('neither of two doctors has the room');
    for (const id of [away, other]) await db.delete(schedules).where(eq(schedules.doctorId, id));
    await refuse(false);
  };
};
