import { ensureClinic, toClinicIdentity } from '../../../src/core/clinic/row.ts';
import { createClinicTime } from '../../../src/core/clinic/time.ts';
import { clinicKeys } from '../../../src/core/crypto/clinic-keys.ts';
import { createTokenKeys } from '../../../src/core/crypto/token-keys.ts';
import type { Deps } from '../../../src/core/deps.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { createDoctor, createSchedule, createSession } from '../clinic.ts';
import { createPerson } from '../people.ts';
import type { World } from '../world.ts';
import { faultsDataKey, faultsSecret } from './service.ts';

export interface Bookable {
  doctor_id: string;
  session_id: string;
  schedule_date: string;
  schedule_time: string;
}

export interface Person {
  id: string;
  token: string;
}

/** Enough for four doctors in half hours on two days to be fought for: three slots of each, one seat or three. */
const times = ['08:00:00', '08:30:00', '09:00:00'];

/** A migrated database with doctors, patients who are logged in, and one of the staff, or an admin in that place. */
export const fillClinic = async (
  url: string,
  patientCount: number,
  role: 'staff' | 'admin' = 'staff',
  key?: string,
) => {
  const { db, close } = await openDatabase(url, undefined, { key });
  const zone = 'Asia/Jakarta';
  const identity = toClinicIdentity(await ensureClinic(db, zone), 0);
  const deps = {
    db,
    newId: () => crypto.randomUUID(),
    tokenKeys: await createTokenKeys(
      await clinicKeys(identity, { secret: faultsSecret, dataKey: faultsDataKey }),
    ),
  } as Deps;
  const world = { deps, db, clock: { now: Date.now() } } as World;
  const clinicTime = createClinicTime(zone);
  const tomorrow = clinicTime.addDays(clinicTime.dateOf(Date.now()), 1);
  const slots: Bookable[] = [];
  const capacities: Record<string, number> = {};
  for (const capacity of [1, 1, 3, 3]) {
    const doctorId = await createDoctor(world);
    const sessionId = await createSession(world);
    capacities[doctorId] = capacity;
    for (const weekday of [1, 2, 3, 4, 5, 6, 7])
      await createSchedule(world, { doctorId, sessionId, weekday, capacity });
    for (const days of [0, 1])
      for (const time of times)
        slots.push({
          doctor_id: doctorId,
          session_id: sessionId,
          schedule_date: clinicTime.addDays(tomorrow, days),
          schedule_time: time,
        });
  }
  // One slot for the whole day, for walk-ins.
  const [doctorId, sessionId] = [await createDoctor(world), await createSession(world)];
  capacities[doctorId] = 2;
  const hours = { startTime: '00:00:00', endTime: '23:59:00', slotMinutes: 1_439, capacity: 2 };
  for (const weekday of [1, 2, 3, 4, 5, 6, 7])
    await createSchedule(world, { doctorId, sessionId, weekday, ...hours });
  const today = {
    doctor_id: doctorId,
    session_id: sessionId,
    schedule_date: clinicTime.dateOf(Date.now()),
    schedule_time: hours.startTime,
  };
  const patients: Person[] = [];
  for (let made = 0; made < patientCount; made++) patients.push(await createPerson(world));
  const staff = await createPerson(world, role);
  await close();
  return { slots, today, capacities, patients, staff, clinicId: identity.clinicId };
};

export const fillClinicFile = (path: string, patientCount: number, role?: 'staff' | 'admin', key?: string) =>
  fillClinic(`file:${path}`, patientCount, role, key);

export type ClinicFile = Awaited<ReturnType<typeof fillClinic>>;
