import { sendDueMail } from './auth/mail/send.ts';
import { deliverWebhooks } from './booking/events/deliver.ts';
import { reportBacklog } from './booking/events/report.ts';
import { resealSecrets } from './booking/events/reseal.ts';
import { expireBookings } from './booking/expire.ts';
import type { Deps } from './deps.ts';
import { sweepExpired } from './retention.ts';

/** Work that is done by the minute, whoever the minute belongs to: a timer on Node, `scheduled` on Workers. */
export interface Job {
  name: string;
  /** Does a bounded amount of due work. Two processes may run it at once: the database decides who does what. */
  run: (deps: Deps, now: number) => Promise<void>;
}

export const jobs: readonly Job[] = [
  { name: 'expire bookings', run: expireBookings },
  { name: 'mail', run: sendDueMail },
  { name: 'retention', run: sweepExpired },
  { name: 'webhook secrets', run: resealSecrets },
  { name: 'webhook backlog', run: reportBacklog },
  // Last, since a slow receiver may hold it up.
  { name: 'webhooks', run: async (deps) => void (await deliverWebhooks(deps)) },
];

/** Runs every job once; one that fails is logged and keeps no other from running. */
export const runJobs = async (deps: Deps): Promise<void> => {
  for (const { name, run } of jobs) {
    try {
      await run(deps, deps.clock());
    } catch (error) {
      deps.metrics.jobFailed(name);
      deps.log.error('job failed', { job: name, cause: error instanceof Error ? error.name : 'unknown' });
    }
  }
};
