// Slots as one patient may book them: with the limits of their sessions.

import { dayMs } from '../../../core/clinic/durations.ts';
import type { BookingRules } from '../../../core/clinic/rules.ts';
import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { AnyActor } from '../../auth/context.ts';
import type { PatientVisits } from './limit-rules.ts';
import { findLimited } from './patient-queries.ts';

/** The longest distance that a session may ask for, and the time in which the first free slot is looked for. */
const reachDays = 366 + 31;

/** A patient whose slots are listed. */
export interface ListedPatient extends PatientVisits {
  /** How many visits they have missed within a year. */
  missed: number;
}

type Found = ReturnType<typeof findLimited>['_']['result'][number];

/** A patient may ask about their own record and the family's; the desk about any, a doctor about the own patients. */
const mayAsk = (actor: AnyActor, { isOwn, isKnownToDoctor }: Found): boolean => {
  if (actor.role === 'api_key') return actor.scopes.some((scope) => scope.startsWith('bookings:'));
  if (actor.role === 'staff' || actor.role === 'admin') return true;
  return isOwn === 1 || (actor.role === 'doctor' && isKnownToDoctor === 1);
};

/** The patient for whom slots are listed; null without one. Throws `invalid_query` for one who is not the caller's. */
export const readListedPatient = async (
  { db, clinicTime }: Pick<Deps, 'db' | 'clinicTime'>,
  now: number,
  actor: AnyActor | null,
  patientId: string | undefined,
  { from, to }: { from: string; to: string },
): Promise<ListedPatient | null> => {
  if (patientId === undefined) return null;
  const unknown = new Failure('invalid_query', { issues: [{ path: 'patient_id', rule: 'not_found' }] });
  if (actor === null) throw unknown;
  const [row] = await run(
    db,
    findLimited(db, {
      patientId,
      accountId: actor.userId,
      doctorId: actor.doctorId,
      now,
      after: clinicTime.startOf(from) - reachDays * dayMs,
      before: clinicTime.startOf(to) + reachDays * dayMs,
    }),
  );
  if (row === undefined || !mayAsk(actor, row)) throw unknown;
  return { bookings: JSON.parse(row.bookings), isKnown: row.isKnown === 1, missed: row.missed };
};

/** Whether the bookings that the patient makes wait for approval though the session approves them at once. */
export const awaitsApproval = (
  patient: ListedPatient | null,
  { approvalAfterNoShows }: Pick<BookingRules, 'approvalAfterNoShows'>,
) =>
  patient === null
    ? {}
    : { awaits_approval: approvalAfterNoShows > 0 && patient.missed >= approvalAfterNoShows };
