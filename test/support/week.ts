import { expect } from 'vitest';
import { createClinic } from './clinic-people.ts';
import { findViolations } from './invariants.ts';
import { createWorld, type World } from './world.ts';

export const monday = '2026-11-23';

export const setUp = async (schedule: Parameters<typeof createClinic>[1] = {}) => {
  const world = await createWorld();
  const clinic = await createClinic(world, schedule);
  const ask = (who: { token: string }, path: string, body?: object, headers: Record<string, string> = {}) =>
    world.request(path, { token: who.token, headers, ...(body && { body }) });
  const { doctorId: doctor_id, sessionId: session_id } = clinic.practice;
  const slotAt = (time: string) => ({
    ...{ doctor_id, session_id, schedule_date: monday },
    schedule_time: `${time}:00`,
  });
  const book = (who: { token: string }, time: string, fields: object = {}, headers = {}) =>
    ask(who, '/v1/bookings', { ...slotAt(time), ...fields }, headers);
  return { world, clinic, ask, book };
};

export const expectWhole = async (world: World) => expect(await findViolations(world.db)).toEqual([]);
