import { whenInWords } from '../../../core/clinic/in-words.ts';
import { formatLocalTime } from '../../../core/clinic/local-time.ts';
import type { Deps } from '../../../core/deps.ts';
import { errorName } from '../../../core/log.ts';
import { type Heard, heardBy, type Mail, MailRefused } from '../../../core/mailer.ts';
import { isFinalStatus } from '../../../core/message-gateway.ts';
import { isDeskNotice } from '../../../core/tables/words.ts';
import { visitLinks } from '../../booking/confirming/link.ts';
import { offerLinks } from '../../booking/waitlist/link.ts';
import { isReceipt } from '../../webhooks/delivery/rules.ts';
import { gatewayMessage } from '../gateway.ts';
import { namedPatient, type TextParts, writeLetter } from '../letters.ts';
import { readReminderHours } from '../plan.ts';
import { e164, isStopped, passedBecause, pauseAfter } from '../rules.ts';
import { deriveStopToken } from '../stop-token.ts';
import type { Claimed } from './queries.ts';
import { afterAttempt, isHeldBack } from './rest.ts';

interface Outcome {
  state: 'sent' | 'dropped' | 'pending' | 'failed';
  reason?: string;
  dueAt?: number;
  /** 1 for an attempt that failed because of its channel: it does not count as an attempt of the notice. */
  uncounted?: 1;
}

/** Why a notice was not sent, and what that means for its channel. */
interface Missed {
  cause: string;
  heard?: Heard;
  isFinal?: boolean;
}

const instantInWords = ({ clinicTime }: Deps, instant: number, language: TextParts['language']): string => {
  const date = clinicTime.dateOf(instant);
  const at = formatLocalTime(clinicTime.minuteOf(instant));
  const { date: day, time } = whenInWords(date, at, clinicTime.zone, language);
  return `${day}, ${time}`;
};

/** A claimed notice that has a recipient. */
type Told = Claimed & { personId: string };

/** Whether this reminder asks whether the patient comes: the clinic wants it, and they have not answered. */
const asksWhetherTheyCome = ({ kind, asksConfirmation, confirmedAt }: Claimed): boolean =>
  asksConfirmation === 1 && confirmedAt === null && (kind === 'reminder_early' || kind === 'reminder_late');

const buildParts = async (deps: Deps, row: Told): Promise<TextParts> => {
  const { clinicTime, config } = deps;
  const publicUrl = config.PUBLIC_URL;
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
    isWaiting: row.status === 'waiting',
    by: row.by,
    isUnconfirmed: kind === 'canceled' && row.cancelReasonCode === 'unconfirmed',
    previously:
      row.previousDate === null || row.previousTime === null
        ? null
        : Object.values(whenInWords(row.previousDate, row.previousTime, clinicTime.zone, language)).join(
            ', ',
          ),
    heldUntil:
      kind === 'waitlist_offer' && row.heldUntil !== null
        ? instantInWords(deps, row.heldUntil, language)
        : null,
    links:
      kind === 'waitlist_offer' && publicUrl !== undefined
        ? await offerLinks(deps.tokenKeys, publicUrl, row)
        : null,
    visitLinks:
      asksWhetherTheyCome(row) && publicUrl !== undefined
        ? await visitLinks(deps.tokenKeys, publicUrl, row)
        : null,
  };
};

/** The letter, which a mail program offers to stop by one click (RFC 8058). */
const buildMail = async (deps: Deps, row: Told, to: string): Promise<Mail> => {
  const stop = `${deps.config.PUBLIC_URL}/notices/stop/${await deriveStopToken(deps, row.personId)}`;
  return {
    id: row.id,
    to,
    ...writeLetter(row.kind, await buildParts(deps, row), stop),
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
};

const sendMail = async (deps: Deps, row: Told, to: string): Promise<Missed | null> => {
  const mail = await buildMail(deps, row, to);
  try {
    await deps.mailer.send(mail);
    return null;
  } catch (error) {
    if (!(error instanceof MailRefused)) return { cause: errorName(error), heard: 'silence' };
    return { cause: error.message, isFinal: error.final, heard: error.heard };
  }
};

const sendMessage = async (
  deps: Deps,
  row: Told,
  to: string,
  signal: AbortSignal,
): Promise<Missed | null> => {
  const { NOTICE_API_URL: url = '', NOTICE_API_KEY: key = '' } = deps.config;
  const { id, kind } = row;
  const outcome = await deps.sendMessage(
    gatewayMessage({ url, key }, { id, kind, to, parts: await buildParts(deps, row) }),
    signal,
  );
  if ('failure' in outcome)
    return { cause: outcome.failure, ...(!signal.aborted && { heard: 'silence' as const }) };
  if (isReceipt(outcome)) return null;
  const { status, retryAfterMs } = outcome;
  return { cause: `HTTP ${status}`, isFinal: isFinalStatus(status), heard: heardBy(status, retryAfterMs) };
};

/** The next state of a notice after an attempt; its channel may pause from now on. */
const decideOutcome = (deps: Deps, row: Claimed, begunAt: number, missed: Missed | null): Outcome => {
  const { id, kind, channel, attempts } = row;
  const now = deps.clock();
  const { cause, heard, isFinal } = missed ?? { cause: '', heard: 'answer' };
  const rest = afterAttempt(deps.rests.get(channel), heard, begunAt, now);
  deps.rests.set(channel, rest);
  if (missed === null) return { state: 'sent' };
  const isHeld = isHeldBack(heard, rest, now);
  const pause = isFinal ? null : isHeld ? rest.until - now : pauseAfter(attempts);
  deps.log.warn(pause === null ? 'notice given up' : 'notice not sent', {
    notice_id: id,
    kind,
    channel,
    cause,
  });
  if (pause === null) return { state: 'failed', reason: cause };
  return { state: 'pending', reason: cause, dueAt: now + pause, ...(isHeld && { uncounted: 1 }) };
};

/** Whether a notice is still sent is decided by the data read after it was claimed. */
const sendOne = async (deps: Deps, row: Claimed, signal: AbortSignal): Promise<Outcome> => {
  const passed = passedBecause(row, deps.clock(), readReminderHours(deps));
  if (passed !== null) return { state: 'dropped', reason: passed };
  const { personId } = row;
  if (personId === null) return { state: 'dropped', reason: 'unreachable' };
  const choices = {
    email: row.choosesEmail !== 0,
    message: row.choosesMessage !== 0,
    desk: isDeskNotice(row.kind) ? row.choosesDesk === 1 && row.worksHere === 1 : null,
    stoppedKinds: row.stoppedKinds,
  };
  if (isStopped(choices, row.channel, row.kind)) return { state: 'dropped', reason: 'stopped' };
  const to = row.channel === 'email' ? row.email : e164(row.phoneCountryCode, row.phoneNumber);
  if (to === null) return { state: 'dropped', reason: 'unreachable' };
  const told = { ...row, personId };
  const begunAt = deps.clock();
  const missed =
    row.channel === 'email' ? await sendMail(deps, told, to) : await sendMessage(deps, told, to, signal);
  return decideOutcome(deps, row, begunAt, missed);
};

/** The outcome of a notice, and its recipient. If one cannot be written, the others are still settled. */
export const attempt = async (deps: Deps, row: Claimed, signal: AbortSignal) => {
  let outcome: Outcome;
  try {
    outcome = await sendOne(deps, row, signal);
  } catch (error) {
    outcome = decideOutcome(deps, row, 0, { cause: errorName(error) });
  }
  const { id, personId, plannedFor } = row;
  const asked = outcome.state === 'sent' && deps.config.PUBLIC_URL !== undefined && asksWhetherTheyCome(row);
  const isReaddressed = personId !== null && personId !== plannedFor;
  return {
    id,
    personId,
    isReaddressed,
    asked,
    settledAt: outcome.state === 'pending' ? null : deps.clock(),
    ...outcome,
  };
};
