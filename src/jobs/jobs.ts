import type { Deps } from '../core/deps.ts';
import { errorName } from '../core/log.ts';
import { overdue, withinLimit } from '../core/time-limit.ts';
import { sealTrail } from '../modules/auth/audit/seal.ts';
import { resealFactors } from '../modules/auth/factors/reseal.ts';
import { sendDueMail } from '../modules/auth/mail/send.ts';
import { expireBookings } from '../modules/booking/changes/expire.ts';
import { releaseFrom, releaseUnconfirmed } from '../modules/booking/confirming/release.ts';
import { runWaitlist } from '../modules/booking/waitlist/job.ts';
import { listTargets } from '../modules/exchange/outbox/targets.ts';
import { sendExchanges } from '../modules/exchange/run.ts';
import { noticesLimitMs } from '../modules/notices/rules.ts';
import { noticesAt } from '../modules/notices/sending/due.ts';
import { sendDueNotices } from '../modules/notices/sending/send.ts';
import { resealNumbers } from '../modules/patients/numbers/reseal.ts';
import { reportBacklog } from '../modules/webhooks/delivery/report.ts';
import { resealSecrets } from '../modules/webhooks/delivery/reseal.ts';
import { archiveWhenDue } from './archive.ts';
import { fillDemoDay } from './demo-day.ts';
import type { findDue } from './due-queries.ts';
import { removeOldBookings } from './old-bookings.ts';
import { sweepExpired } from './retention.ts';

/** How long a round waits for a job that says no other time: half a minute, so that the next round starts on time. */
export const jobLimitMs = 30_000;

/** The due work, as `findDue` returns it. */
type Due = ReturnType<typeof findDue>['_']['result'][number];

/** The jobs of every minute: run by a timer on Node, by `scheduled` on Workers. */
export interface Job {
  name: string;
  /**
   * Does a limited amount of due work. Two processes may run it at once: the database decides which does what. After
   * the signal is aborted, the job is no longer awaited.
   */
  run: (deps: Deps, now: number, signal: AbortSignal) => Promise<void>;
  /** How long a round waits for it. */
  limitMs?: number;
  /** When it has to run next: null while nothing waits for it. Without it the job reads nothing, and runs each minute. */
  dueAt?: (due: Due, deps: Deps, now: number) => number | null;
  /**
   * Until when it need not run again if nothing changes the database; by default it runs as soon as it is due.
   */
  restsUntil?: (due: Due, now: number) => number;
}

/** How long nothing is sent to a health system that does not answer or asked for a pause. */
const exchangesAt = ({ exchanges }: Due, { config, rests }: Deps): number | null => {
  const targets = listTargets(config);
  if (exchanges === null || targets.length === 0) return null;
  return Math.max(exchanges, Math.min(...targets.map(({ name }) => rests.get(name)?.until ?? 0)));
};

/** When the retention of the oldest booking ends. */
const oldBookingsAt = ({ oldBookingsOn }: Due, { clinicTime }: Deps): number | null =>
  oldBookingsOn === null ? null : clinicTime.startOf(oldBookingsOn);

const quarterMs = 15 * 60_000;

/**
 * Seats become free without a change when an offer ends, when a day opens, and when quiet hours end; these end at a
 * quarter of an hour, in every zone.
 */
const waitlistRests = ({ offers }: Due, now: number): number =>
  Math.min(offers ?? Number.POSITIVE_INFINITY, now - (now % quarterMs) + quarterMs);

/** From the set time of the day before on. */
const releaseAt = ({ releaseDate, releaseTime }: Due, deps: Deps, now: number): number | null => {
  if (releaseDate === null || releaseTime === null) return null;
  // What is left of today is too late: its patients come.
  const tomorrow = deps.clinicTime.addDays(deps.clinicTime.dateOf(now), 1);
  return releaseFrom(deps, releaseDate < tomorrow ? tomorrow : releaseDate, releaseTime);
};

/** Nothing but a change, or time to answer that is over, makes another round worth while. */
const atQuarter = (_due: Due, now: number): number => now - (now % quarterMs) + quarterMs;

/** At once, and then with each new day. */
const demoDayAt = ({ isDemo, demoFilled }: Due, { clinicTime }: Deps, now: number): number | null => {
  if (isDemo === 0) return null;
  return demoFilled === 0 ? now : clinicTime.startOf(clinicTime.addDays(clinicTime.dateOf(now), 1));
};

export const demoJobs: readonly Job[] = [{ name: 'demo', run: fillDemoDay, dueAt: demoDayAt }];

export const jobs: readonly Job[] = [
  { name: 'expire bookings', run: expireBookings, dueAt: (due) => due.bookings },
  {
    name: 'waitlist',
    run: runWaitlist,
    dueAt: ({ waitlist, offers }) => waitlist ?? offers,
    restsUntil: waitlistRests,
  },
  { name: 'unconfirmed', run: releaseUnconfirmed, dueAt: releaseAt, restsUntil: atQuarter },
  { name: 'mail', run: sendDueMail, dueAt: (due) => due.mail },
  { name: 'notices', run: sendDueNotices, dueAt: noticesAt, limitMs: noticesLimitMs },
  { name: 'exchanges', run: sendExchanges, dueAt: exchangesAt },
  { name: 'retention', run: sweepExpired, dueAt: (due) => due.retention },
  { name: 'old bookings', run: removeOldBookings, dueAt: oldBookingsAt },
  { name: 'archive', run: archiveWhenDue, dueAt: (_, { archive }) => archive?.nextAt ?? null },
  {
    name: 'deleted data',
    run: async ({ emptyLog, archive }) => {
      await emptyLog?.('if left');
      await archive?.emptyLog?.('if left');
    },
  },
  { name: 'webhook secrets', run: resealSecrets, dueAt: (due) => due.webhookSecrets },
  { name: 'patient numbers', run: resealNumbers, dueAt: (due) => due.patientNumbers },
  { name: 'second factors', run: resealFactors, dueAt: (due) => due.secondFactors },
  { name: 'audit', run: sealTrail, dueAt: (due) => due.audit },
  // The deliverer works independently: it is woken for events that another process has written, and for work that waits
  // after a start.
  { name: 'webhooks', run: async ({ eventsWritten }) => eventsWritten(), dueAt: (due) => due.webhooks },
  { name: 'webhook backlog', run: reportBacklog, dueAt: (due) => due.backlog },
  ...demoJobs,
];

/** Runs one job, and says whether it came to its end; a failure is logged. */
export const runJob = async (
  deps: Deps,
  { name, run, limitMs = jobLimitMs }: Job,
  stopping?: AbortSignal,
): Promise<boolean> => {
  if (stopping?.aborted) return false;
  const ending = new AbortController();
  stopping?.addEventListener('abort', () => ending.abort(), { signal: ending.signal });
  try {
    const result = await withinLimit(limitMs, run(deps, deps.clock(), ending.signal));
    if (result !== overdue) return true;
    deps.metrics.jobOverdue(name);
    deps.log.error('job overdue', { job: name, limit_seconds: limitMs / 1000 });
  } catch (error) {
    deps.metrics.jobFailed(name);
    deps.log.error('job failed', { job: name, cause: errorName(error) });
  } finally {
    ending.abort();
  }
  return false;
};

/** Runs jobs once, all at the same time, and says whether all came to their end. */
export const runJobs = async (
  deps: Deps,
  stopping?: AbortSignal,
  chosen: readonly Job[] = jobs,
): Promise<boolean> => (await Promise.all(chosen.map((job) => runJob(deps, job, stopping)))).every(Boolean);
