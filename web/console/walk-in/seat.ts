import { newKey } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import type { DaySlot } from '../data/slots.ts';

/** A seat request without an answer so far: pressed again, it is the same request. */
export interface Sent {
  json: Parameters<typeof api.v1.bookings.$post>[0]['json'];
  key: string;
  slot: DaySlot;
}

interface Wish {
  date: string;
  isToday: boolean;
  notes: string;
  /** Whether the limits of the session are passed. */
  passesLimits: boolean;
}

/** A request for a seat; a patient of today is checked in with it. */
export const seatFor = (
  slot: DaySlot,
  patientId: string,
  { date, isToday, notes, passesLimits }: Wish,
): Sent => ({
  json: {
    doctor_id: slot.doctor_id,
    session_id: slot.session_id,
    schedule_date: date,
    schedule_time: slot.schedule_time,
    notes,
    patient_id: patientId,
    ...(isToday && { check_in: true }),
    ...(slot.reason === 'full' && { overbook: true }),
    ...(passesLimits && { override_limits: true }),
  },
  key: newKey(),
  slot,
});

/** Whether the sent request was for this day and patient. */
export const isStill = (sent: Sent | null, date: string, patient: { id: string } | null): boolean =>
  sent !== null && sent.json.schedule_date === date && sent.json.patient_id === patient?.id;

/** Whether the answer gives the result; busy or logged out it does not. */
export const isDefinite = (error: unknown): boolean =>
  error instanceof Refused && error.status < 500 && ![401, 429].includes(error.status);

/** The new booking's id. */
export const bookSeat = async ({ json, key }: Sent): Promise<string> =>
  (await take(api.v1.bookings.$post({ json, header: { 'Idempotency-Key': key } }))).data.id;

/** The number in the queue. */
export const readLabel = async (id: string): Promise<string> =>
  (await take(api.v1.bookings[':id'].$get({ param: { id } }))).data.queue_label;
