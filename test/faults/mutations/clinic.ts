import { scopes } from '../../../src/core/endpoint/endpoint.ts';
import { createDoctor, createSchedule, createSession } from '../../support/clinic.ts';
import type { Bookable } from '../../support/faults/clinic-file.ts';
import { addKey } from '../../support/keys.ts';
import { createPerson } from '../../support/people.ts';
import type { Stress } from './stress.ts';

export interface Slot extends Bookable {
  minutes: number;
  capacity: number;
}

export const dates = ['2026-11-24', '2026-11-25'];

interface Hours {
  startTime: string;
  endTime: string;
  slotMinutes: number;
  capacity: number;
}

const clockTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** One seat and several, grids that run across each other within a doctor's day and between doctors. */
const hours: Hours[][] = [
  [{ startTime: '09:00:00', endTime: '10:30:00', slotMinutes: 30, capacity: 1 }],
  [{ startTime: '09:00:00', endTime: '10:30:00', slotMinutes: 30, capacity: 3 }],
  [
    { startTime: '09:00:00', endTime: '10:30:00', slotMinutes: 30, capacity: 2 },
    { startTime: '09:15:00', endTime: '10:35:00', slotMinutes: 40, capacity: 1 },
  ],
  [{ startTime: '08:45:00', endTime: '10:15:00', slotMinutes: 45, capacity: 2 }],
];

const slotsOf = (doctorId: string, sessionId: string, grid: Hours): Slot[] => {
  const starts: number[] = [];
  const end = minutesOf(grid.endTime);
  for (let at = minutesOf(grid.startTime); at + grid.slotMinutes <= end; at += grid.slotMinutes)
    starts.push(at);
  return dates.flatMap((schedule_date) =>
    starts.map((at) => ({
      doctor_id: doctorId,
      session_id: sessionId,
      schedule_date,
      schedule_time: clockTime(at),
      minutes: grid.slotMinutes,
      capacity: grid.capacity,
    })),
  );
};

export type Member = Awaited<ReturnType<typeof createPerson>>;

/** A slot of today, for those who come and are called. */
const openQueue = async ({ world }: Stress): Promise<Slot> => {
  const [doctorId, sessionId] = [await createDoctor(world), await createSession(world)];
  const hours = { startTime: '08:00:00', endTime: '12:00:00', slotMinutes: 240, capacity: 12 };
  await createSchedule(world, { doctorId, sessionId, weekday: 1, ...hours });
  return {
    doctor_id: doctorId,
    session_id: sessionId,
    schedule_date: '2026-11-23',
    schedule_time: hours.startTime,
    minutes: hours.slotMinutes,
    capacity: hours.capacity,
  };
};

/** A small clinic that many want something from at once. */
export const openClinic = async (stress: Stress) => {
  const { world } = stress;
  const slots: Slot[] = [];
  const doctorIds: string[] = [];
  for (const grids of hours) {
    const doctorId = await createDoctor(world);
    doctorIds.push(doctorId);
    for (const grid of grids) {
      const sessionId = await createSession(world);
      for (const weekday of [2, 3]) await createSchedule(world, { doctorId, sessionId, weekday, ...grid });
      slots.push(...slotsOf(doctorId, sessionId, grid));
    }
  }
  const patients: Member[] = [];
  for (let made = 0; made < 12; made++) patients.push(await createPerson(world));
  const staff = [await createPerson(world, 'staff'), await createPerson(world, 'staff')] as const;
  const admin = await createPerson(world, 'admin');
  // A program of the clinic has no login; its key's id is used in place of a person's.
  const machine: Member = { ...(await addKey(world, scopes)), email: '', deviceLoginId: '' };
  return { slots, doctorIds, patients, staff, admin, machine, queue: await openQueue(stress) };
};

export type Clinic = Awaited<ReturnType<typeof openClinic>>;
