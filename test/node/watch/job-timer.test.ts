import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { jobLimitMs, jobs } from '../../../src/jobs/jobs.ts';
import { startJobTimer } from '../../../src/runtime/node/watch/job-timer.ts';
import { createWorld, type World } from '../../support/world.ts';

const minute = 60_000;

let world: World;
let rounds: Record<string, number>;

beforeEach(async () => {
  world = await createWorld();
  world.deps.log.error = () => {};
  rounds = {};
  for (const job of jobs) {
    if (job.dueAt !== undefined) vi.spyOn(job, 'dueAt').mockReturnValue(0);
    vi.spyOn(job, 'run').mockImplementation(async () => {
      rounds[job.name] = (rounds[job.name] ?? 0) + 1;
      if (job.name === 'mail') await new Promise(() => {});
    });
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The first query asks for due work. */
const asked = async (times: number) => {
  for (let turns = 0; turns < 10_000 && rounds.mail !== times; turns++) await new Promise(setImmediate);
};
const everyJob = (times: number) => Object.fromEntries(jobs.map(({ name }) => [name, times]));

it('runs every job that is due each minute, though one of them never returns', async () => {
  const stop = startJobTimer(world.deps);
  for (let times = 1; times <= 3; times++) {
    await asked(times);
    expect(rounds).toEqual(everyJob(times));
    await vi.advanceTimersByTimeAsync(jobLimitMs);
    await vi.advanceTimersByTimeAsync(minute - jobLimitMs - 1);
    expect(rounds).toEqual(everyJob(times));
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(jobLimitMs);
  await stop();
});

it('begins its first round later where it is told to, and none if it is stopped before', async () => {
  const stop = startJobTimer(world.deps, undefined, { firstInMs: 1_000 });
  await vi.advanceTimersByTimeAsync(999);
  expect(rounds).toEqual({});
  await vi.advanceTimersByTimeAsync(1);
  await asked(1);
  expect(rounds).toEqual(everyJob(1));
  await vi.advanceTimersByTimeAsync(jobLimitMs);
  await stop();
  await startJobTimer(world.deps, undefined, { firstInMs: 1_000 })();
  await vi.advanceTimersByTimeAsync(minute);
  expect(rounds).toEqual(everyJob(1));
});

it('stopped, waits some seconds for a job that does not return, and begins no other round', async () => {
  const stop = startJobTimer(world.deps);
  await asked(1);
  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(rounds).toEqual(everyJob(1));
});
