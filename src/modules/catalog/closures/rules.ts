// Pure: who manages which closures.

import { type Booker, runsBookings } from '../slots/rules.ts';

/** Holidays are for admins and for keys of the clinic; leave is also the reception's, and the doctor's own. */
export const mayManage = ({ doctorId }: { doctorId: string | null }, person: Booker): boolean =>
  person.role === 'admin' ||
  person.role === 'api_key' ||
  (doctorId !== null && runsBookings(doctorId, person));

/** Everybody who works here sees the holidays; a doctor sees only their own leave. */
export const maySeeClosure = (closure: { doctorId: string | null }, person: Booker): boolean =>
  person.role !== 'doctor' || closure.doctorId === null || mayManage(closure, person);

/** What a closure affects, as this person sees it: a doctor sees only their own part of a holiday. */
export const closedFor = <C extends { doctorId: string | null }>(closure: C, person: Booker): C =>
  person.role === 'doctor' ? { ...closure, doctorId: person.doctorId } : closure;
