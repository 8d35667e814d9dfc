// Pure: which parts of a service's state need attention.

import { dayMs, hourMs, minuteMs } from '../../../core/clinic/durations.ts';
import { type BackupVerdict, largeBytes } from '../../../modules/health/rules.ts';
import { counted } from '../counted-rules.ts';
import type { QueueName } from './status-queries.ts';

/** How long after its due time work counts as stuck. Notices wait for the end of the quiet hours. */
const lateAfterMs: Readonly<Record<QueueName, number>> = {
  mails: 15 * minuteMs,
  notices: 24 * hourMs,
  webhooks: 15 * minuteMs,
  bookings: 15 * minuteMs,
  audit: 15 * minuteMs,
};

const certificateDays = 14;

/** How what listens at the address of the service answers. */
export type ServiceAnswer = 'ready' | 'not_ready' | 'another' | 'no_answer';

const serviceWords: Readonly<Record<ServiceAnswer, ((address: string) => string) | null>> = {
  ready: null,
  not_ready: (address) => `The service answers at ${address}, but is not ready: its log says why.`,
  another: (address) => `What answers at ${address} is not Janji.`,
  no_answer: (address) =>
    `The service does not answer at ${address}: it does not run, or the settings here are not its own.`,
};

interface Judged {
  now: number;
  service: { address: string; answer: ServiceAnswer } | null;
  missing: readonly string[];
  newer: number;
  backup: BackupVerdict | null;
  queues: readonly { name: QueueName; oldest: number | null }[];
  certificateEnd: number | null;
  /** The size of the database's file; null where it has none. */
  bytes: number | null;
}

const queueWords: Readonly<Record<QueueName, string>> = {
  mails: 'mails are not sent',
  notices: 'notices are not sent',
  webhooks: 'events are not delivered',
  bookings: 'bookings that nobody approved do not expire',
  audit: 'lines of the audit trail are not sealed',
};

/** The problems that need attention, a sentence each; none if all is well. */
export const attentionTo = (status: Judged): string[] => {
  const { now, service, missing, newer, backup, queues, certificateEnd, bytes } = status;
  const late = queues.filter(({ name, oldest }) => oldest !== null && now - oldest > lateAfterMs[name]);
  const found: (string | false | undefined)[] = [
    service !== null && serviceWords[service.answer]?.(service.address),
    missing.length > 0 &&
      `${counted(missing.length, 'migration')} missing: the start applies what is missing.`,
    newer > 0 && `${counted(newer, 'migration')} of a newer version than this.`,
    bytes !== null && bytes >= largeBytes && 'The database has more than 8 GB.',
    backup === 'none_yet' && 'There is no good backup yet.',
    backup === 'failed' && 'The last attempt to make a backup failed.',
    backup === 'late' && 'The last good backup is too old.',
    ...late.map(({ name }) => `Does the service run? ${queueWords[name]}.`),
    certificateEnd !== null &&
      certificateEnd - now < certificateDays * dayMs &&
      `The certificate ends ${certificateEnd < now ? 'in the past' : `in ${counted(Math.floor((certificateEnd - now) / dayMs), 'day')}`}.`,
  ];
  return found.filter((sentence) => typeof sentence === 'string');
};
