import { signal, useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { onForget } from '../../shared/api/session.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { afterAct } from '../data/act.ts';
import { type Booking, listActions } from '../data/bookings.ts';
import { now } from '../data/clinic.ts';
import { putBooking } from '../data/day.ts';
import type { DaySlot } from '../data/slots.ts';
import { calendarWords } from '../words/calendar.ts';
import { readAgain } from './data.ts';

type Place = Pick<Booking, 'doctor_id' | 'doctor_name' | 'session_id' | 'schedule_date' | 'schedule_time'>;

/** The booking that a person is moving; null outside of the move mode. */
export const carried = signal<Booking | null>(null);
/** The last thing that happened, announced. */
export const told = signal('');

onForget(() => {
  carried.value = null;
  told.value = '';
});

/** Begins to move a booking, if it may be moved. */
export const carry = (booking: Booking, when: string): boolean => {
  const text = calendarWords.peek();
  if (!listActions(booking, now.peek()).has('reschedule')) {
    told.value = text.fixed(booking.patient.name);
    return false;
  }
  carried.value = booking;
  told.value = text.moving(booking.patient.name, when);
  return true;
};

export const putDown = (): void => {
  if (carried.peek() === null) return;
  carried.value = null;
  told.value = calendarWords.peek().stopped;
};

/** Moves bookings by the rule of the service, and the last one back. */
export const useMoving = (formatWhen: (place: Place) => string) => {
  /** The last move: the booking as it is now, and where it was. */
  const last = useSignal<{ booking: Booking; before: Place & Pick<Booking, 'ends_at'> } | null>(null);
  const attempt = useAttempt(async (key: string, booking: Booking, to: Place, passesLimits: boolean) => {
    try {
      const { data } = await take(
        api.v1.bookings[':id'].reschedule.$post({
          param: { id: booking.id },
          json: {
            doctor_id: to.doctor_id,
            session_id: to.session_id,
            schedule_date: to.schedule_date,
            schedule_time: to.schedule_time,
            version: booking.version,
            ...(passesLimits && { override_limits: true }),
          },
          header: { 'Idempotency-Key': key },
        }),
      );
      const moved = { ...booking, ...data };
      putBooking(moved);
      last.value = { booking: moved, before: booking };
      carried.value = null;
      await readAgain();
      afterAct(booking.id);
    } catch (error) {
      if (error instanceof Refused && error.code === 'version_mismatch') {
        carried.value = null;
        last.value = null;
        await readAgain();
        told.value = calendarWords.peek().changed;
      }
      throw error;
    }
  });
  const tried = useSignal<DaySlot | null>(null);
  const move = async (slot: DaySlot, passesLimits = false): Promise<boolean> => {
    const booking = carried.peek();
    if (booking === null) return false;
    tried.value = slot;
    told.value = calendarWords.peek().busy;
    const isDone = await attempt.run(booking, slot, passesLimits);
    const { name } = booking.patient;
    if (isDone) told.value = calendarWords.peek().moved(name, formatWhen(slot));
    else if (told.peek() === calendarWords.peek().busy) told.value = '';
    return isDone;
  };
  /** Whether the last one can be moved back: its old time has not ended meanwhile, nor its visit begun. */
  const mayUndo = (): boolean =>
    last.value !== null &&
    Date.parse(last.value.before.ends_at) > now.value &&
    listActions(last.value.booking, now.value).has('reschedule');
  const undo = async (): Promise<string | null> => {
    const given = last.peek();
    if (given === null || !mayUndo() || attempt.busy.peek()) return null;
    told.value = calendarWords.peek().busy;
    // It stood there a moment ago: no limit of the session keeps it from its own place.
    const isDone = await attempt.run(given.booking, given.before, true);
    const { name } = given.booking.patient;
    told.value = isDone ? calendarWords.peek().undone(name, formatWhen(given.before)) : '';
    if (isDone) last.value = null;
    return isDone ? given.booking.id : null;
  };
  return { attempt, tried, mayUndo, move, undo };
};
