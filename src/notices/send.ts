import { timeOf } from '../clinic/local-time.ts';
import { isQuiet } from '../clinic/quiet-rules.ts';
import { run } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { type Mail, MailRefused } from '../mailer.ts';
import type { NoticeChannel } from '../tables/words.ts';
import { isReceipt } from '../webhooks/delivery/rules.ts';
import { gatewayMessage } from './gateway.ts';
import { letterOf, namedPatient, type TextParts, whenInWords } from './letters.ts';
import { channelsOf, planNotices, reminderHoursOf } from './plan.ts';
import {
  e164,
  isStopped,
  leaseMs,
  maxRounds,
  noticesAtOnce,
  passedBecause,
  pauseAfter,
  runMs,
} from './rules.ts';
import { type Claimed, claimDue, findClaimed, settleAll } from './send-queries.ts';
import { stopTokenOf } from './stop-token.ts';

interface Outcome {
  state: 'sent' | 'dropped' | 'pending' | 'failed';
  reason?: string | null;
  dueAt?: number;
}

/** An instant in words, by the clinic's clock. */
const instantInWords = ({ clinicTime }: Deps, instant: number, language: TextParts['language']): string => {
  const date = clinicTime.dateOf(instant);
  const minutes = Math.floor((instant - clinicTime.startOf(date)) / 60_000) % 60;
  const at = timeOf(clinicTime.hourOf(instant) * 60 + minutes);
  const { date: day, time } = whenInWords(date, at, clinicTime.zone, language);
  return `${day}, ${time}`;
};

const partsOf = (deps: Deps, row: Claimed): TextParts => {
  const { clinicTime } = deps;
  const { language, kind, clinicName, clinicPhone, doctorName } = row;
  return {
    language,
    reader: row.personName ?? '',
    patient: namedPatient(row.patientName, language),
    isOwn: row.patientId === row.personId,
    doctor: doctorName,
    ...whenInWords(row.scheduleDate, row.scheduleTime, clinicTime.zone, language),
    code: row.bookingCode,
    clinic: clinicName,
    clinicPhone,
    delayMinutes: kind === 'delayed' ? row.delayMinutes : null,
    heldUntil:
      kind === 'waitlist_offer' && row.heldUntil !== null
        ? instantInWords(deps, row.heldUntil, language)
        : null,
  };
};

/** The letter, which a mail program offers to stop by one click (RFC 8058). */
const mailOf = async (deps: Deps, row: Claimed, to: string): Promise<Mail> => {
  const stop = `${deps.config.PUBLIC_URL}/notices/stop/${await stopTokenOf(deps, row.personId)}`;
  return {
    id: row.id,
    to,
    ...letterOf(row.kind, partsOf(deps, row), stop),
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
};

/** What did not leave: tried again later, or given up. */
const missed = (
  deps: Deps,
  { id, kind, channel, attempts }: Claimed,
  cause: string,
  isFinal = false,
  askedMs = 0,
) => {
  const pause = isFinal ? null : pauseAfter(attempts, askedMs);
  deps.log.warn(pause === null ? 'notice given up' : 'notice not sent', {
    notice_id: id,
    kind,
    channel,
    cause,
  });
  return pause === null
    ? { state: 'failed' as const, reason: cause }
    : { state: 'pending' as const, reason: cause, dueAt: deps.clock() + pause };
};

const sendMail = async (deps: Deps, row: Claimed, to: string): Promise<Outcome> => {
  try {
    await deps.mailer.send(await mailOf(deps, row, to));
    return { state: 'sent' };
  } catch (error) {
    if (error instanceof MailRefused) return missed(deps, row, error.message, error.final);
    return missed(deps, row, error instanceof Error ? error.name : 'unknown');
  }
};

/** A status that another attempt would meet again. */
const isFinal = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);

const sendMessage = async (deps: Deps, row: Claimed, to: string, signal: AbortSignal): Promise<Outcome> => {
  const { NOTICE_API_URL: url = '', NOTICE_API_KEY: key = '' } = deps.config;
  const { id, kind } = row;
  const outcome = await deps.sendMessage(
    gatewayMessage({ url, key }, { id, kind, to, parts: partsOf(deps, row) }),
    signal,
  );
  if ('failure' in outcome) return missed(deps, row, outcome.failure);
  if (isReceipt(outcome)) return { state: 'sent' };
  return missed(deps, row, `HTTP ${outcome.status}`, isFinal(outcome.status), outcome.retryAfterMs);
};

/** Whether a notice still goes is judged by what was read after it was claimed. */
const sendOne = async (deps: Deps, row: Claimed, signal: AbortSignal): Promise<Outcome> => {
  const passed = passedBecause(row, deps.clock(), reminderHoursOf(deps));
  if (passed !== null) return { state: 'dropped', reason: passed };
  const choices = {
    email: row.choosesEmail !== 0,
    message: row.choosesMessage !== 0,
    stoppedKinds: row.stoppedKinds,
  };
  if (isStopped(choices, row.channel, row.kind)) return { state: 'dropped', reason: 'stopped' };
  const to = row.channel === 'email' ? row.email : e164(row.phoneCountryCode, row.phoneNumber);
  if (to === null) return { state: 'dropped', reason: 'unreachable' };
  return row.channel === 'email' ? sendMail(deps, row, to) : sendMessage(deps, row, to, signal);
};

/** What became of a notice. One that cannot be written must not keep the others from being settled. */
const settledBy = async (deps: Deps, row: Claimed, signal: AbortSignal): Promise<Outcome> => {
  try {
    return await sendOne(deps, row, signal);
  } catch (error) {
    return missed(deps, row, error instanceof Error ? error.name : 'unknown');
  }
};

/** Sends one round of a channel's due notices, those that waited longest first, and returns how many it took. */
const sendRound = async (deps: Deps, channel: NoticeChannel, signal: AbortSignal): Promise<number> => {
  const { db } = deps;
  const now = deps.clock();
  const leaseId = deps.newId();
  const quiet = isQuiet(now, deps.clinicTime, deps.config.QUIET_HOURS) ? 1 : 0;
  const lease = { leaseId, leaseUntil: now + leaseMs, now, quiet, channel };
  const claimed = await run(db, claimDue(db, lease));
  if (claimed.length === 0) return 0;
  const rows = await run(db, findClaimed(db, { ids: JSON.stringify(claimed.map(({ id }) => id)) }));
  const outcomes = await Promise.all(
    rows.map(async (row) => {
      const outcome = await settledBy(deps, row, signal);
      const { id, personId } = row;
      return { id, personId, settledAt: outcome.state === 'pending' ? null : deps.clock(), ...outcome };
    }),
  );
  await run(db, settleAll(db, { leaseId, outcomes: JSON.stringify(outcomes) }));
  return claimed.length;
};

/** Sends what is due on one channel, round by round. */
const sendChannel = async (deps: Deps, channel: NoticeChannel, signal: AbortSignal): Promise<void> => {
  const begunAt = deps.clock();
  let longestMs = 0;
  for (let round = 0; round < maxRounds && !signal.aborted; round++) {
    const at = deps.clock();
    // A round that were cut off would be sent and not settled, and so sent again.
    if (at - begunAt + longestMs >= runMs) return;
    if ((await sendRound(deps, channel, signal)) < noticesAtOnce) return;
    longestMs = Math.max(longestMs, deps.clock() - at);
  }
};

/**
 * Plans the notices of what has changed, and sends those that are due, the channels side by side: a gateway that does not
 * answer holds up no mail. Two processes may do so at once: a lease gives each attempt to one of them. Without a channel
 * nothing is planned, and nothing kept for later.
 */
export const sendDueNotices = async (deps: Deps, now: number, signal: AbortSignal): Promise<void> => {
  const channels = channelsOf(deps);
  if (channels.length === 0) return;
  await planNotices(deps, now);
  const ended = await Promise.allSettled(channels.map((channel) => sendChannel(deps, channel, signal)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
};
