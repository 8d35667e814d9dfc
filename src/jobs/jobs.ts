import { sealTrail } from '../auth/audit/seal.ts';
import { resealFactors } from '../auth/factors/reseal.ts';
import { sendDueMail } from '../auth/mail/send.ts';
import { expireBookings } from '../booking/changes/expire.ts';
import type { Deps } from '../deps.ts';
import { resealNumbers } from '../patients/numbers/reseal.ts';
import { overdue, withinLimit } from '../time-limit.ts';
import { reportBacklog } from '../webhooks/delivery/report.ts';
import { resealSecrets } from '../webhooks/delivery/reseal.ts';
import { fillDemoDay } from './demo-day.ts';
import { removeOldBookings } from './old-bookings.ts';
import { sweepExpired } from './retention.ts';

/** How long a round waits for a job: half a minute, so that the next round starts on time. */
export const jobLimitMs = 30_000;

/** Jobs that run every minute: by a timer on Node, by `scheduled` on Workers. */
export interface Job {
  name: string;
  /**
   * Does a limited amount of due work. Two processes may run it at once: the database decides who does what. After the
   * signal is aborted, nobody waits for the job.
   */
  run: (deps: Deps, now: number, signal: AbortSignal) => Promise<void>;
}

export const jobs: readonly Job[] = [
  { name: 'expire bookings', run: expireBookings },
  { name: 'mail', run: sendDueMail },
  { name: 'retention', run: sweepExpired },
  { name: 'old bookings', run: removeOldBookings },
  { name: 'deleted data', run: async ({ emptyLog }) => emptyLog?.('if left') },
  { name: 'webhook secrets', run: resealSecrets },
  { name: 'patient numbers', run: resealNumbers },
  { name: 'second factors', run: resealFactors },
  { name: 'audit', run: sealTrail },
  { name: 'webhook backlog', run: reportBacklog },
  { name: 'demo', run: fillDemoDay },
];

const runJob = async (deps: Deps, { name, run }: Job, stopping?: AbortSignal): Promise<void> => {
  if (stopping?.aborted) return;
  const ending = new AbortController();
  stopping?.addEventListener('abort', () => ending.abort(), { signal: ending.signal });
  try {
    const result = await withinLimit(jobLimitMs, run(deps, deps.clock(), ending.signal));
    if (result !== overdue) return;
    deps.metrics.jobOverdue(name);
    deps.log.error('job overdue', { job: name, limit_seconds: jobLimitMs / 1000 });
  } catch (error) {
    deps.metrics.jobFailed(name);
    deps.log.error('job failed', { job: name, cause: error instanceof Error ? error.name : 'unknown' });
  } finally {
    ending.abort();
  }
};

/** Runs every job once, all at the same time. A job that fails or takes too long is logged; the round ends anyway. */
export const runJobs = async (deps: Deps, stopping?: AbortSignal): Promise<void> => {
  await Promise.all(jobs.map((job) => runJob(deps, job, stopping)));
};
