// Pure: who may do what to a booking, and when.

import type { Role } from '../endpoint.ts';

export interface BookingState {
  patientId: string;
  doctorId: string;
  status: 'waiting' | 'approved' | 'canceled';
  startsAt: number;
}

export interface Person {
  userId: string;
  role: Role;
  doctorId: string | null;
}

const runsBookings = (person: Person, booking: BookingState): boolean =>
  person.role === 'staff' ||
  person.role === 'admin' ||
  (person.role === 'doctor' && person.doctorId === booking.doctorId);

/** Whether a person may know that a booking exists. */
export const maySee = (booking: BookingState, person: Person): boolean =>
  booking.patientId === person.userId || runsBookings(person, booking);

/** Whether the patient may still cancel: it is live, and the clinic's lead time before the start has not begun. */
export const mayPatientCancel = (booking: BookingState, now: number, cancelLeadMinutes: number): boolean =>
  booking.status !== 'canceled' && now < booking.startsAt - cancelLeadMinutes * 60_000;
