import { violatedUnique } from '../../../core/db/conflict.ts';
import { type Reading, read, reading, run } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { unlessExternalIdTaken } from '../../../core/db/external-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { bookingMessage } from '../../../core/endpoint/messages.ts';
import type { BookingChannel } from '../../../core/tables/words.ts';
import type { AnyActor } from '../../auth/context.ts';
import { questionsIn } from '../../catalog/fields/questions.ts';
import { type Bookable, findBookable } from '../../patients/record/queries.ts';
import { findQuestions } from '../record/answer-queries.ts';
import { answered } from '../record/answer-rules.ts';
import { newBookingCode } from '../record/code.ts';
import type { ActingContext } from '../record/context.ts';
import { begun } from '../record/rules.ts';
import { bookingView } from '../record/views.ts';
import { forgetCalendar, freshCalendar, type LoadedCalendar, loadCalendar } from '../seats/calendar.ts';
import {
  type BookingRequest,
  buildSeatInput,
  type Decided,
  decideSlot,
  noAnswers,
  resolveBooking,
  toPlaceColumns,
} from '../seats/decision.ts';
import { withoutLapsed } from '../seats/guards.ts';
import { endTakenHolds } from '../seats/hold-queries.ts';
import { explainSeat, firstPrefix, insertBooking } from '../seats/queries.ts';
import { refuseSeat, slotRefusal } from '../seats/refusal.ts';
import { judgeOne } from '../seats/standing.ts';
import { recordPassedLimit } from '../seats/standing-queries.ts';
import type { CreateBooking } from './contract.ts';
import { changeTo, commitNew } from './effects.ts';

type Context = ActingContext<AnyActor>;
/** A request of `/v1`, or of another dialect, whose channel cannot be set in `/v1`. */
export type BookingInput = Omit<BodyOf<typeof CreateBooking>, 'channel'> & {
  channel?: BookingChannel | undefined;
};

/** Undefined if the booking code, of 39 random bits, is already that of another booking. */
export const unlessCodeTaken = async <T>(commit: Promise<T>): Promise<T | undefined> => {
  try {
    return await commit;
  } catch (error) {
    if (violatedUnique(error) === 'bookings.booking_code') return undefined;
    throw error;
  }
};

type AskedOfSession = ReturnType<typeof findQuestions>['_']['result'];

/** The calendar of the slot, the patient if the booking names one, and what its session asks if it has answers. */
interface FirstRead {
  calendar: LoadedCalendar;
  patient?: Bookable | undefined;
  asked?: AskedOfSession | undefined;
}

const askedReads = (deps: Deps, { answers, session_id: sessionId }: BookingInput) =>
  answers === undefined ? {} : { asked: findQuestions(deps.db, { sessionId }) };

/** Data read in the same round trip as the login. */
export const bookingReads = (
  deps: Deps,
  now: number,
  accountId: string,
  input: BookingInput,
): Reading<FirstRead> => {
  const calendar = loadCalendar(deps, now, input);
  const { patient_id: id, doctor_id: doctorId } = input;
  const asked = askedReads(deps, input);
  if (id === undefined) return reading({ calendar, ...asked });
  const named = findBookable(deps.db, { id, accountId, doctorId });
  return reading({ named, calendar, ...asked }, ({ named: [patient], ...rest }) => ({ patient, ...rest }));
};

/** The answers that came with a request to book, in the form in which they are kept. */
const answersOf = (
  { now }: Context,
  party: BookingRequest['party'],
  { answers: given }: BookingInput,
  asked: AskedOfSession = [],
): string | null => {
  if (given === undefined) return null;
  const by = { at: now, by: party === 'clinic' ? party : ('patient' as const) };
  const after = answered(questionsIn(asked[0]?.questions ?? null), [], given, by);
  if ('issues' in after) throw new Failure('validation_failed', { issues: after.issues });
  return after.answers.length === 0 ? null : JSON.stringify(after.answers);
};

/** Decides with the cached calendar; if it has no such slot, reads it again and decides again. */
const decide = async (
  context: Context,
  request: BookingRequest,
  { rows, isStale }: LoadedCalendar,
): Promise<Decided> => {
  const verdict = decideSlot(context, request, rows);
  if (!('refused' in verdict)) return verdict;
  if (!isStale) throw slotRefusal(context, verdict);
  const { deps, now } = context;
  return decide(context, request, await read(deps.db, freshCalendar(deps, now, request.place)));
};

/**
 * A decided booking, ready to be written: without seat, queue number and label, which only the database can assign, with
 * the values that guard its write, and its event. `ahead` counts the bookings of the same series before it.
 */
export const toDraft = (
  context: Context,
  request: BookingRequest,
  decided: Decided,
  {
    id,
    seriesId,
    ahead = 0,
    writeId = context.deps.newId(),
  }: { id: string; seriesId: string | null; ahead?: number; writeId?: string },
) => {
  const { actor, now, toStoredResponse } = context;
  const booking = {
    ...begun(request.party, decided.slot.approval, now, request.checkIn),
    id,
    writeId,
    patientId: request.patientId,
    version: 1,
    ...toPlaceColumns(decided, request),
    queueNumber: 0,
    queueLabel: '',
    notes: request.notes,
    overbooked: 0,
    seriesId,
    ...request.visit,
    ...request.external,
    answers: request.answers ?? noAnswers(decided),
    encounterId: null,
    createdBy: actor.userId,
    createdAt: now,
    updatedAt: now,
  };
  const key = toStoredResponse({ status: 200 })?.idempotency.key ?? null;
  const seat = buildSeatInput(context, request, decided, { id, writeId: booking.writeId, key }, ahead);
  const change = changeTo(context, 'booking.created', request.party, null, booking);
  return { request, decided, booking, data: bookingView(booking), seat, change };
};

export type Draft = ReturnType<typeof toDraft>;

/** The row of a draft, with the values that guard it and a new booking code. */
export const toRow = ({ booking, seat }: Draft) => ({ ...booking, ...seat, bookingCode: newBookingCode() });

/** Writes a draft with its effects, by the guarded insert: whether this step wrote it; undefined if its code was taken. */
const write = async (context: Context, draft: Draft, mayHoldLapsed: boolean) => {
  const { deps, toStoredResponse } = context;
  const { request, decided, data, seat, change } = draft;
  const message = bookingMessage('booking_created', data.status);
  const response = toStoredResponse({ status: 201, data, message });
  const prefix = firstPrefix(deps.db, decided);
  const before = [...prefix, ...(mayHoldLapsed ? withoutLapsed(context, seat) : [])];
  const insert = insertBooking(deps.db, toRow(draft));
  const after = [
    ...recordPassedLimit(deps.db, context, request, decided, draft.booking),
    ...endTakenHolds(deps, seat),
  ];
  const commit = commitNew(deps, before, insert, change, response, after);
  const isWritten = await unlessCodeTaken(unlessExternalIdTaken(commit));
  if (prefix.length > 0) forgetCalendar(deps.db, request.place);
  return isWritten;
};

/** Throws why the draft was not written; returns whether it was, by an earlier step whose answer was lost. */
const explain = async (context: Context, { seat, decided }: Draft): Promise<boolean> => {
  const { deps } = context;
  const [why] = await run(deps.db, explainSeat(deps.db, seat));
  if (why?.written) deps.eventsWritten();
  else if (why !== undefined) await refuseSeat(context, seat, why, decided.rules);
  return Boolean(why?.written);
};

/**
 * Books a slot: resolves the request, decides on the calendar, writes, and explains a refusal. Seat, overlaps, limits and
 * queue number are decided by one guarded insert. Decides again if the calendar changed meanwhile. `hold` is the hash of
 * the secret of a hold, whose seat it takes.
 */
export const createBooking = async (
  context: Context,
  input: BookingInput,
  first: FirstRead,
  hold: string | null = null,
) => {
  const { deps, now } = context;
  const resolved = { ...resolveBooking(context, input, first.patient), hold };
  const id = deps.newId();
  let { calendar, asked } = first;
  let mayHaveHeld = hold !== null;
  return decideAgain(async () => {
    const request = { ...resolved, answers: answersOf(context, resolved.party, input, asked) };
    const decided = await judgeOne(context, request, await decide(context, request, calendar));
    const draft = toDraft(context, request, decided, { id, seriesId: null });
    // Who holds a seat has one, though the clinic overbooked meanwhile.
    const isFull = decided.full && request.beyond === 0 && !mayHaveHeld;
    const isWritten = isFull ? false : await write(context, draft, calendar.mayHoldLapsed);
    // A code that was taken needs no explanation.
    if (isWritten || (isWritten === false && (await explain(context, draft)))) return draft.data;
    // A seat of a slot that looks full is one that the account holds without naming the hold.
    mayHaveHeld ||= isFull;
    // The questions are guarded by the calendar's version, so they are read again with it.
    ({ calendar, asked } = await read(
      deps.db,
      reading({ calendar: freshCalendar(deps, now, request.place), ...askedReads(deps, input) }),
    ));
    return overtaken;
  });
};
