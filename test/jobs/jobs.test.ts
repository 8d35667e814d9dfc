import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noMetrics } from '../../src/core/metrics.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { jobLimitMs, jobs, runJobs } from '../../src/jobs/jobs.ts';
import { createReceiving } from '../support/receiver.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

let world: World;
let overdue: string[];
let lines: unknown[];

beforeEach(async () => {
  world = await createWorld();
  [overdue, lines] = [[], []];
  world.deps.metrics = { ...noMetrics, jobOverdue: (job) => void overdue.push(job) };
  world.deps.log.error = (message, fields) => void lines.push({ message, ...fields });
});
afterEach(() => void vi.useRealTimers());

/** A mail that is due, and a server of mail that takes it and never says so. */
const hangingMail = async () => {
  const { email } = await registerPatient(world);
  world.deps.mailer.send = () => new Promise(() => {});
  await world.request('/v1/auth/password/forgot', { body: { email } });
  // The background work after that answer tries the mail first, and must not be awaited.
  world.background.splice(0);
  world.clock.now += 2 * 60_000;
};
const expiredReplay = () =>
  world.db.insert(replays).values({
    userId: 'u',
    key: 'k',
    fingerprint: '',
    status: 201,
    body: '{}',
    createdAt: 0,
    expiresAt: world.clock.now - 1,
  });

/** Lets a round go on until something holds, while hardly any time passes, and then lets the jobs' time limit pass. */
const endOf = async (round: Promise<unknown>, mayEnd: () => boolean | Promise<boolean>) => {
  for (let turns = 1; !(await mayEnd()); turns++) {
    if (turns > 200_000) throw new Error('The other jobs did not end.');
    await new Promise((resolve) => setImmediate(resolve));
    // The database gathers writes for a moment.
    if (turns % 100 === 0) vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(jobLimitMs);
  await round;
};

describe('a round of the jobs', () => {
  it('ends though one job does not return, reports which, and did all others', async () => {
    await hangingMail();
    for (let round = 1; round <= 2; round++) {
      await expiredReplay();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const running = runJobs(world.deps);
      await endOf(running, async () => (await world.db.$count(replays)) === 0 && vi.getTimerCount() === 1);
      vi.useRealTimers();
      expect(overdue).toEqual(Array.from({ length: round }, () => 'mail'));
      expect(lines.at(-1)).toEqual({ message: 'job overdue', job: 'mail', limit_seconds: 30 });
      world.clock.now += 2 * 60_000;
    }
  });

  it('signals to each job when nobody waits for it any more', async () => {
    const stopping = new AbortController();
    const signals: AbortSignal[] = [];
    const spies = jobs.map((job) =>
      vi.spyOn(job, 'run').mockImplementation(async (_deps, _now, signal) => {
        signals.push(signal);
        if (job.name === 'mail') await new Promise((resolve) => signal.addEventListener('abort', resolve));
      }),
    );
    const round = runJobs(world.deps, stopping.signal);
    await vi.waitUntil(() => signals.length === jobs.length, { timeout: 60_000, interval: 1 });
    const [first] = signals;
    expect(signals.some(({ aborted }) => !aborted)).toBe(true);
    stopping.abort();
    await round;
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(first?.aborted).toBe(true);
    await runJobs(world.deps, stopping.signal);
    expect(signals).toHaveLength(jobs.length);
    for (const spy of spies) spy.mockRestore();
  });

  it('waits for no receiver of webhooks', async () => {
    const { practice } = await createReceiving(world);
    let attempts = 0;
    world.deps.sendWebhook = () => {
      attempts += 1;
      return new Promise(() => {});
    };
    const { token } = await registerPatient(world);
    const { doctorId, sessionId } = practice;
    const slot = { schedule_date: '2026-12-01', schedule_time: '09:00:00' };
    const body = { doctor_id: doctorId, session_id: sessionId, ...slot };
    expect((await world.request('/v1/bookings', { token, body })).status).toBe(201);
    await runJobs(world.deps);
    expect([attempts, lines]).toEqual([0, []]);
  });
});
