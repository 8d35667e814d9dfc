import { eq, sql } from 'drizzle-orm';
import type { ClinicTime } from '../../../../src/core/clinic/time.ts';
import { users } from '../../../../src/core/tables/accounts.ts';
import {
  clinic as clinicRow,
  closures,
  doctors,
  schedules,
  sessions,
} from '../../../../src/core/tables/catalog.ts';
import { familyRelations, patients as patientRows } from '../../../../src/core/tables/patients.ts';
import type { FreeSlot } from '../../../../src/modules/booking/seats/offers.ts';
import { createDoctor, createSchedule, createSession } from '../../../support/clinic.ts';
import { readWaiting } from '../../../support/offer-oracle.ts';
import { createPerson } from '../../../support/people.ts';
import type { Member } from '../clinic.ts';
import type { Stress } from '../stress.ts';

export const dates = ['2026-11-23', '2026-11-24', '2026-11-25'] as const;

const timesFrom = (first: number, minutes: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const minute = first + at * minutes;
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
  });

/** A small clinic for which many wait: grids that run across each other, dates that are too far, times too soon. */
export const openWaiting = async ({ world, db, app }: Stress) => {
  const doctorIds = [await createDoctor(world), await createDoctor(world)] as const;
  const sessionIds = [await createSession(world), await createSession(world)] as const;
  const [first, second] = doctorIds;
  const [main, other] = sessionIds;
  const capacities: Record<string, number> = { [first]: 1, [second]: 2 };
  const grids = [
    { doctorId: first, sessionId: main, first: 540, slotMinutes: 30, count: 3 },
    { doctorId: second, sessionId: main, first: 540, slotMinutes: 45, count: 2 },
    { doctorId: first, sessionId: other, first: 555, slotMinutes: 40, count: 2 },
  ];
  for (const { first: from, count, slotMinutes, doctorId, sessionId } of grids)
    for (const weekday of [1, 2, 3]) {
      const [startTime = '', endTime = ''] = timesFrom(from, slotMinutes * count, 2);
      const capacity = capacities[doctorId] ?? 1;
      await createSchedule(world, {
        doctorId,
        sessionId,
        weekday,
        startTime,
        endTime,
        slotMinutes,
        capacity,
      });
    }
  const early = { doctorId: first, sessionId: main, weekday: 1, startTime: '07:30:00', endTime: '08:30:00' };
  await createSchedule(world, { ...early, slotMinutes: 30, capacity: 1 });
  // Sessions that nobody reaches, to wait for.
  const far: string[] = [];
  for (let made = 0; made < 5; made++) {
    const sessionId = await createSession(world);
    far.push(sessionId);
    await createSchedule(world, { doctorId: second, sessionId, weekday: 7 });
  }
  const patients: Member[] = [];
  for (let made = 0; made < 10; made++) patients.push(await createPerson(world));
  const admin = await createPerson(world, 'admin');
  const staff = [await createPerson(world, 'staff'), await createPerson(world, 'staff')] as const;
  // Half of them have proved their e-mail, and hold as many bookings as anybody.
  for (const { id } of patients.slice(5))
    await db.update(users).set({ emailProvedAt: 1 }).where(eq(users.id, id));
  const children = new Map<string, string>();
  for (const { id, token } of patients.slice(4, 7)) {
    const response = await app.request('http://localhost/v1/family', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Anak', birth_date: '2019-04-23', relation: 'child' }),
    });
    const { data } = (await response.json()) as { data: { id: string } };
    children.set(id, data.id);
  }
  const slots = grids.flatMap(({ doctorId, sessionId, first: from, slotMinutes, count }) =>
    dates.slice(0, 2).flatMap((schedule_date) =>
      timesFrom(from, slotMinutes, count).map((schedule_time) => ({
        doctor_id: doctorId,
        session_id: sessionId,
        schedule_date,
        schedule_time,
      })),
    ),
  );
  const early730 = { doctor_id: first, session_id: main, schedule_date: dates[0], schedule_time: '07:30:00' };
  const farAway = { doctor_id: first, session_id: main, schedule_date: dates[2], schedule_time: '09:00:00' };
  /** All slots as an offer names them. */
  const freeSlots = (clock: ClinicTime): FreeSlot[] =>
    grids.flatMap(({ doctorId, sessionId, first: from, slotMinutes, count }) =>
      dates.flatMap((scheduleDate) =>
        timesFrom(from, slotMinutes, count).map((scheduleTime, at) => {
          const startsAt = clock.startOf(scheduleDate) + (from + at * slotMinutes) * 60_000;
          const endsAt = startsAt + slotMinutes * 60_000;
          return { doctorId, sessionId, scheduleDate, scheduleTime, startsAt, endsAt };
        }),
      ),
    );
  /** Everything as it was in the beginning, but for what people did. */
  const restore = async (): Promise<void> => {
    await db.batch([
      db.update(schedules).set({ capacity: sql`case when doctor_id = ${second} then 2 else 1 end` }),
      db.delete(closures),
      db.update(sessions).set({ approval: 'manual', retiredAt: null }),
      db.update(doctors).set({ retiredAt: null, calendarVersion: sql`${doctors.calendarVersion} + 1` }),
      db.update(familyRelations).set({ endedAt: null }),
      db.update(patientRows).set({ mergedInto: null }),
      db.update(clinicRow).set({ rezoningTo: null, calendarVersion: sql`${clinicRow.calendarVersion} + 1` }),
    ]);
  };
  const wishes = [main, other, ...far].flatMap((session_id) => [
    { session_id, doctor_id: null },
    { session_id, doctor_id: session_id === other ? first : second },
  ]);
  return {
    doctorIds,
    sessionIds,
    patients,
    staff,
    admin,
    children,
    slots,
    freeSlots,
    outside: [early730, farAway],
    wishes,
    unproved: new Set(patients.slice(0, 5).map(({ id }) => id)),
    capacityOf: (doctorId = '') => capacities[doctorId] ?? 1,
    /** How often a rule alone has decided who gets a seat, in all rounds. */
    decided: new Map<string, number>(),
    /** How often each way to book the time of a lapsed offer was tried, in all rounds. */
    triedWays: new Map<string, number>(),
    /** How many changes of the clinic have had their turn, in all rounds. */
    changed: 0,
    restore,
    read: () => readWaiting(db),
  };
};

export type WaitingClinic = Awaited<ReturnType<typeof openWaiting>>;

/** A random wish: often anything, sometimes one doctor, day or hour, sometimes for the child. */
export const wished = (
  { sessionIds, doctorIds, children }: WaitingClinic,
  random: () => number,
  { id }: Member,
) => {
  const session_id = random() < 0.8 ? sessionIds[0] : sessionIds[1];
  const [from, to] = random() < 0.5 ? [0, 2] : [Math.floor(random() * 3), 0];
  const child = children.get(id);
  return {
    session_id,
    doctor_id: random() < 0.3 ? doctorIds[session_id === sessionIds[0] && random() < 0.5 ? 1 : 0] : null,
    from: dates[from] ?? dates[0],
    to: dates[Math.max(from, to)] ?? dates[2],
    ...(random() < 0.2 && { earliest_time: '09:30:00' }),
    ...(random() < 0.2 && { latest_time: '09:45:00' }),
    ...(child !== undefined && random() < 0.4 && { patient_id: child }),
  };
};
