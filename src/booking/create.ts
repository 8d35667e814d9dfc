import type * as z from 'zod/mini';
import { violatedUnique } from '../db/conflict.ts';
import { run, runAll } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../errors.ts';
import type { Actor } from '../http/context.ts';
import { type Keep, RequestRepeated } from '../idempotency/key.ts';
import { closedBecause, findSlot, type Slot } from './catalog/rules.ts';
import {
  type CalendarRows,
  calendarOf,
  nextOpenSlots,
  patientWindow,
  type ReadCalendar,
  readsOfDates,
} from './catalog/slots.ts';
import { newBookingCode } from './code.ts';
import type * as contract from './contract.ts';
import { effectsOf } from './effects.ts';
import { explainSeat, insertBooking } from './queries.ts';
import { bookingView, eventPayload } from './views.ts';

type Wish = z.output<(typeof contract.CreateBooking)['body']>;

export interface Asked {
  deps: Deps;
  actor: Actor;
  now: number;
  requestId: string;
  keep: Keep;
}

const mostTries = 5;

/** The reads on which a booking is decided. */
export const decisionReads = (deps: Deps, wish: Pick<Wish, 'doctor_id' | 'schedule_date'>) =>
  readsOfDates(deps, wish.doctor_id, wish.schedule_date, wish.schedule_date);

/** The calendar and the slot that a wish names; throws when there is none to book. A full slot passes. */
export const decideSlot = (
  asked: Asked,
  wish: Wish,
  rows: CalendarRows,
): { calendar: ReadCalendar; slot: Slot; full: boolean } => {
  const { deps, now, actor } = asked;
  const calendar = calendarOf(rows);
  if (calendar === null) throw new Failure('doctor_not_found');
  if (!calendar.schedules.some(({ sessionId }) => sessionId === wish.session_id))
    throw new Failure('session_not_offered');
  const named = { sessionId: wish.session_id, date: wish.schedule_date, time: wish.schedule_time };
  const slot = findSlot(calendar.schedules, named, deps.clinicTime);
  const window = actor.role === 'patient' ? patientWindow(deps) : null;
  const reason = slot === null ? 'not_offered' : closedBecause(slot, calendar, now, window, deps.clinicTime);
  if (slot === null || (reason !== null && reason !== 'full'))
    throw new Failure('slot_unavailable', { extras: { reason } });
  return { calendar, slot, full: reason === 'full' };
};

const seatWishOf = (
  asked: Asked,
  id: string,
  writeId: string,
  key: string | null,
  calendar: ReadCalendar,
  slot: Slot,
) => ({
  id,
  write_id: writeId,
  actor_id: asked.actor.userId,
  login_id: asked.actor.deviceLoginId,
  key,
  now: asked.now,
  patient_id: asked.actor.userId,
  doctor_id: calendar.doctor.id,
  session_id: slot.sessionId,
  schedule_date: slot.date,
  starts_at: slot.startsAt,
  ends_at: slot.endsAt,
  capacity: slot.capacity,
  doctor_version: calendar.doctorVersion,
  clinic_version: calendar.clinicVersion,
  most_coming: asked.deps.config.MAX_LIVE_BOOKINGS,
});

type SeatWish = ReturnType<typeof seatWishOf>;
type Explanation = ReturnType<typeof explainSeat>['_']['result'][number];

/** Free slots to offer instead of a full one. */
const alternativesTo = async ({ deps, now }: Asked, wish: SeatWish) => {
  const wanted = { sessionId: wish.session_id, now, most: 3 };
  const slots = await nextOpenSlots(deps, wish.doctor_id, wish.schedule_date, wanted);
  return slots.map((slot) => ({ doctor_id: wish.doctor_id, ...slot }));
};

/** Throws why a seat could not be taken; returns when the decision has to be made again. */
const refuseSeat = async (asked: Asked, wish: SeatWish, why: Explanation): Promise<void> => {
  if (!why.loginLives) throw new Failure('unauthenticated');
  if (why.repeated) throw new RequestRepeated();
  if (!why.current) return;
  if (why.clash !== null) throw new Failure('patient_busy', { extras: { booking_id: why.clash } });
  if (!why.roomForPatient) throw new Failure('too_many_bookings');
  if (!why.seatFree)
    throw new Failure('slot_full', { extras: { alternatives: await alternativesTo(asked, wish) } });
};

/**
 * Books a slot for the patient who asks. Seat, overlaps, limits and queue number are decided by one guarded insert;
 * a calendar that changed meanwhile makes it decide again.
 */
export const createBooking = async (asked: Asked, wish: Wish, firstRows: CalendarRows) => {
  const { deps, actor, now, requestId, keep } = asked;
  const id = deps.newId();
  let rows = firstRows;
  for (let attempt = 1; attempt <= mostTries; attempt++) {
    const { calendar, slot, full } = decideSlot(asked, wish, rows);
    const doctor = calendar.doctor;
    const names = {
      doctor_name: [doctor.title, doctor.name].filter(Boolean).join(' '),
      session_name: slot.sessionName,
      schedule_time: wish.schedule_time,
      notes: wish.notes,
    };
    const writeId = deps.newId();
    const data = bookingView({
      id,
      doctorId: doctor.id,
      doctorName: names.doctor_name,
      sessionId: slot.sessionId,
      sessionName: slot.sessionName,
      scheduleDate: slot.date,
      scheduleTime: wish.schedule_time,
      notes: wish.notes,
      status: 'waiting',
    });
    const kept = keep({ status: 201, data, message: 'booking_created' });
    const seatWish = seatWishOf(asked, id, writeId, kept?.idempotency.key ?? null, calendar, slot);
    if (full) {
      const [why] = await run(deps.db, explainSeat(deps.db, seatWish));
      if (why !== undefined) await refuseSeat(asked, seatWish, why);
      rows = await runAll(deps.db, decisionReads(deps, wish));
      continue;
    }
    const payload = eventPayload({
      id,
      version: 1,
      patientId: actor.userId,
      doctorId: doctor.id,
      sessionId: slot.sessionId,
      scheduleDate: slot.date,
      scheduleTime: wish.schedule_time,
      startsAt: slot.startsAt,
      endsAt: slot.endsAt,
      status: 'waiting',
    });
    const change = {
      bookingId: id,
      writeId,
      actorId: actor.userId,
      actorRole: actor.role,
      requestId,
      now,
      type: 'booking.created' as const,
      payload,
    };
    const statements = [
      insertBooking(deps.db, { ...seatWish, ...names, booking_code: newBookingCode() }),
      ...effectsOf(deps.db, change, kept),
      explainSeat(deps.db, seatWish),
    ];
    const results = await batchUnlessCodeTaken(deps, statements);
    const why = (results?.at(-1) as Explanation[] | undefined)?.[0];
    if (why?.written) return data;
    if (why !== undefined) await refuseSeat(asked, seatWish, why);
    rows = await runAll(deps.db, decisionReads(deps, wish));
  }
  throw new Failure('unavailable');
};

/** Null when the booking code, of 39 random bits, was already given out. */
const batchUnlessCodeTaken = async (deps: Deps, statements: Parameters<typeof runAll>[1]) => {
  try {
    return (await runAll(deps.db, statements)) as unknown[];
  } catch (error) {
    if (violatedUnique(error) === 'bookings.booking_code') return null;
    throw error;
  }
};
