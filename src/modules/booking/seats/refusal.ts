// The answers to people when a verdict, or the database's explanation, refuses their change.

import { type BookingRules, resolveRules } from '../../../core/clinic/rules.ts';
import { run } from '../../../core/db/db.ts';
import { catalogue, Failure } from '../../../core/endpoint/errors.ts';
import { refusedToken } from '../../../core/endpoint/refused-token.ts';
import {
  daysInWords,
  minutesInWords,
  type Sentence,
  say,
  secondsInWords,
} from '../../../core/endpoint/sentences.ts';
import { RequestRepeated } from '../../../core/idempotency/key.ts';
import type { LimitReason, SessionLimits } from '../../catalog/slots/limit-rules.ts';
import type { ActingContext } from '../record/context.ts';
import { findBooking } from '../record/queries.ts';
import { maxWrittenAnHour, maySee, type Party } from '../record/rules.ts';
import { closedSentences, limitSentences, ownSentences, sessionLimitSentences } from '../record/sentences.ts';
import { alternativesTo } from './alternatives.ts';
import { type Refused, type SeatInput, type SlotClosed, wrongPatient } from './decision.ts';
import { countedSpanMs } from './limit-guards.ts';
import type { explainSeat } from './queries.ts';

export type SeatExplanation = ReturnType<typeof explainSeat>['_']['result'][number];

const limitSentence = (reason: LimitReason, { maxPerDay, minDaysBetween }: SessionLimits): Sentence => {
  const sentences = sessionLimitSentences;
  if (reason === 'day_limit') return say(sentences.day_limit, { limit: maxPerDay ?? 1 });
  return reason === 'days_between'
    ? say(sentences.days_between, { days: daysInWords(minDaysBetween ?? 1) })
    : sentences[reason];
};

const closedSentence = (reason: Exclude<SlotClosed, LimitReason>, rules: BookingRules): Sentence => {
  if (reason === 'too_soon')
    return say(closedSentences.too_soon, { notice: minutesInWords(rules.minNoticeMinutes) });
  if (reason === 'too_far')
    return say(closedSentences.too_far, { advance: daysInWords(rules.maxAdvanceDays) });
  return closedSentences[reason];
};

export const slotRefusal = ({ deps }: ActingContext, { refused, rules }: Refused): Failure => {
  switch (refused) {
    case 'unavailable':
    case 'doctor_not_found':
    case 'session_not_offered':
      return new Failure(refused);
    default:
      return new Failure('slot_unavailable', {
        extras: { reason: refused },
        sentence: closedSentence(refused, rules ?? resolveRules(deps.config, {})),
      });
  }
};

/** The answer if a limit of the session refuses. */
export const limitedBySession = (reason: LimitReason, limits: SessionLimits): Failure =>
  new Failure('slot_unavailable', { extras: { reason }, sentence: limitSentence(reason, limits) });

/** Throws if the actor lost access meanwhile, or if the same request was already answered. */
export const refuseActor = (why: { loginLives: number; roleHolds: number; repeated: number }): void => {
  if (!why.loginLives) throw refusedToken();
  if (!why.roleHolds) throw new Failure('forbidden');
  if (why.repeated) throw new RequestRepeated();
};

/** The id of the conflicting booking, if the actor may see that booking. */
const clashFor = async ({ deps, actor }: ActingContext, id: string) => {
  if (actor.role !== 'doctor') return { booking_id: id };
  const [clash] = await run(deps.db, findBooking(deps.db, { id, accountId: actor.userId }));
  return clash !== undefined && maySee(clash, actor) ? { booking_id: id } : {};
};

/** Patients are addressed as "you"; to the clinic they are "the patient". */
const isOwn = ({ actor }: ActingContext, seat: Pick<SeatInput, 'patientId'>): boolean =>
  seat.patientId === actor.userId;

const patientBusy = async (context: ActingContext, seat: SeatInput, clash: string): Promise<Failure> => {
  const { patient_busy } = isOwn(context, seat) ? ownSentences : catalogue;
  return new Failure('patient_busy', { extras: await clashFor(context, clash), sentence: patient_busy });
};

const tooManyBookings = (
  context: ActingContext,
  seat: Pick<SeatInput, 'patientId' | 'maxComing'>,
): Failure => {
  const { too_many_bookings } = isOwn(context, seat) ? ownSentences : catalogue;
  return new Failure('too_many_bookings', { sentence: say(too_many_bookings, { limit: seat.maxComing }) });
};

const limitedInHour = (
  { now }: ActingContext,
  limit: number,
  oldest: number | null,
  what: 'bookings' | 'changes',
) => {
  const seconds = Math.max(1, Math.ceil(((oldest ?? now) + countedSpanMs - now) / 1000));
  const sentence = what === 'bookings' ? limitSentences.made_too_many : limitSentences.wrote_too_often;
  return new Failure('rate_limited', {
    sentence: say(sentence, { limit, wait: secondsInWords(seconds) }),
    headers: {
      'RateLimit-Policy': `"${what}";q=${limit};w=${countedSpanMs / 1000}`,
      RateLimit: `"${what}";r=0;t=${seconds}`,
      'Retry-After': String(seconds),
    },
  });
};

export const tooManyAnHour = (
  context: ActingContext,
  { maxAnHour }: Pick<SeatInput, 'maxAnHour'>,
  oldest: number | null,
) => limitedInHour(context, maxAnHour, oldest, 'bookings');

/** How often somebody may change notes and answers in an hour; 0 for no limit, as the clinic has. */
export const limitOfWriting = ({ deps: { config } }: ActingContext, party: Party): number =>
  party === 'patient' && config.RATE_LIMIT === 'on' ? maxWrittenAnHour : 0;

/** Throws if notes or answers were not written because of who writes, or how often. */
export const refuseWriting = (
  context: ActingContext,
  maxAnHour: number,
  why: Parameters<typeof refuseActor>[0] & { roomToWrite: number; oldestWritten: number | null },
): void => {
  refuseActor(why);
  if (!why.roomToWrite) throw limitedInHour(context, maxAnHour, why.oldestWritten, 'changes');
};

const unproved = ({ maxUnproved: limit }: Pick<SeatInput, 'maxUnproved'>): Failure =>
  new Failure('email_unproved', { sentence: say(limitSentences.unproved, { limit }) });

/** Why the account may have no further booking; null if it may. */
export const limitRefusal = (
  context: ActingContext,
  seat: Pick<SeatInput, 'patientId' | 'maxComing' | 'maxUnproved'>,
  why: Pick<SeatExplanation, 'roomForPatient' | 'proofOrFew'>,
): Failure | null => {
  if (!why.roomForPatient) return tooManyBookings(context, seat);
  return why.proofOrFew ? null : unproved(seat);
};

const slotFull = async (
  { deps, actor, now }: ActingContext,
  seat: SeatInput,
  rules: BookingRules,
): Promise<Failure> => {
  const isUnlimited = seat.maxPerDay === null && seat.minDaysBetween === null;
  const alternatives = await alternativesTo(deps, now, { ...seat, passesLimits: isUnlimited }, actor, rules);
  return new Failure('slot_full', { extras: { alternatives } });
};

/** Throws the reason why a seat could not be taken; returns if the decision has to be repeated. */
export const refuseSeat = async (
  context: ActingContext,
  seat: SeatInput,
  why: SeatExplanation,
  rules: BookingRules,
): Promise<void> => {
  refuseActor(why);
  if (!why.current || !why.approvalUnchanged) return;
  if (!why.patientStands) throw wrongPatient('not_found');
  if (!why.roomInHour) throw tooManyAnHour(context, seat, why.oldestInHour);
  if (why.clash !== null) throw await patientBusy(context, seat, why.clash);
  const limited = limitRefusal(context, seat, why);
  if (limited !== null) throw limited;
  if (why.limit !== null) throw limitedBySession(why.limit, seat);
  if (!why.seatFree) throw await slotFull(context, seat, rules);
};
