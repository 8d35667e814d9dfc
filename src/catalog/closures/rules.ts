// Pure: who manages which closures.

import { type Booker, runsBookings } from '../slots/rules.ts';

/** Holidays are for admins and for keys of the clinic; leave is also the reception's, and the doctor's own. */
export const mayManage = ({ doctorId }: { doctorId: string | null }, person: Booker): boolean =>
  person.role === 'admin' ||
  person.role === 'api_key' ||
  (doctorId !== null && runsBookings(doctorId, person));

/** Holidays concern everybody who works here; of the doctors' leave a doctor sees the own. */
export const maySeeClosure = (closure: { doctorId: string | null }, person: Booker): boolean =>
  person.role !== 'doctor' || closure.doctorId === null || mayManage(closure, person);

/** What a closure closes for this person: to a doctor, the own part of a holiday. */
export const closedFor = <C extends { doctorId: string | null }>(closure: C, person: Booker): C =>
  person.role === 'doctor' ? { ...closure, doctorId: person.doctorId } : closure;
