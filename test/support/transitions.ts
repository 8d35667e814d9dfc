import { expect } from 'vitest';
import { act, book, createClinic } from './clinic-people.ts';
import { createWorld, mondayMorning } from './world.ts';

export const toTen = { schedule_date: '2026-11-23', schedule_time: '10:00:00' };

/** Puts a new booking (Monday 09:00) into a given state, at 07:00 that day. */
export const states = {
  waiting: [],
  approved: ['approve'],
  'checked-in': ['approve', 'check-in'],
  called: ['approve', 'check-in', 'call'],
  completed: ['approve', 'check-in', 'complete'],
  canceled: ['cancel'],
} as const;
export type State = keyof typeof states;

export const bring = async (state: State, settings: Record<string, string> = {}, now = mondayMorning) => {
  const world = await createWorld(settings, now);
  const clinic = await createClinic(world);
  const id = await book(world, clinic);
  for (const verb of states[state]) expect((await act(world, clinic.staff, id, verb)).status).toBe(200);
  return { world, clinic, id };
};
