import { vi } from 'vitest';
import { jobs } from '../../src/jobs/jobs.ts';
import { createRounds } from '../../src/jobs/rounds.ts';
import { bookingInput, createPractice } from './clinic.ts';
import { createWorld, registerPatient, type World } from './world.ts';

export const minute = 60_000;

/** The names of the jobs that run from now on; they do their work as well. */
export const watchJobs = () => {
  const ran: string[] = [];
  for (const job of jobs) {
    const { run } = job;
    vi.spyOn(job, 'run').mockImplementation(async (...given) => {
      if (job.dueAt !== undefined) ran.push(job.name);
      await run(...given);
    });
  }
  return ran;
};

/** Runs rounds until one has nothing to do. */
export const settle = async (world: World): Promise<void> => {
  const ran = watchJobs();
  const round = createRounds(world.deps);
  for (let rounds = 0; rounds < 10; rounds++) {
    ran.splice(0);
    await round();
    if (ran.length === 0) {
      vi.restoreAllMocks();
      return;
    }
  }
  throw new Error(`Always due: ${ran.join(', ')}`);
};

export const book = async (world: World): Promise<string> => {
  const practice = await createPractice(world);
  const { token } = await registerPatient(world);
  const body = bookingInput(practice, { schedule_date: '2026-12-01', schedule_time: '09:00:00' });
  const booked = await world.request('/v1/bookings', { token, body });
  if (booked.status !== 201) throw new Error(JSON.stringify(booked.body));
  return booked.body.data.id;
};

/** A clinic with a booking ahead, in which nothing is due. */
export const idleClinic = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const bookingId = await book(world);
  await settle(world);
  return { world, bookingId };
};

/** How many statements rounds of an hour, one a minute, send to the database. */
export const statementsOfAnHour = async (world: World, round: () => Promise<void>): Promise<number> => {
  const batch = vi.spyOn(world.deps.db, 'batch');
  for (let rounds = 0; rounds < 60; rounds++) {
    world.clock.now += minute;
    await round();
  }
  const sent = batch.mock.calls.reduce((sum, [statements]) => sum + statements.length, 0);
  batch.mockRestore();
  return sent;
};
