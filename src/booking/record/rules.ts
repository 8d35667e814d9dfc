// Pure: who may do what to a booking, when, and what it is afterwards.

import { runsBookingsOf } from '../../catalog/slots/rules.ts';
import type { Role } from '../../endpoint/endpoint.ts';
import type { Approval } from '../../tables/words.ts';
import { lastStepAt, undone } from './visit-rules.ts';

export type Status = 'waiting' | 'approved' | 'canceled';
export type ActingRole = Role | 'api_key' | 'system';

export interface BookingState {
  patientId: string;
  doctorId: string;
  status: Status;
  scheduleDate: string;
  startsAt: number;
  endsAt: number;
  approvedAt: number | null;
  checkedInAt: number | null;
  firstCalledAt: number | null;
  calledAt: number | null;
  callCount: number;
  completedAt: number | null;
  noShowAt: number | null;
  canceledAt: number | null;
  canceledBy: ActingRole | null;
  cancelReasonCode: 'canceled' | 'rejected' | 'expired' | 'closure' | 'account_deleted' | null;
  cancelReason: string | null;
  queueTurn: string | null;
}

export interface Person {
  userId: string | null;
  role: ActingRole;
  doctorId: string | null;
}

/** For which side somebody acts on a booking. */
export type Party = 'patient' | 'clinic' | 'system';

/** What can be done to a booking, named as in the paths. */
export type Verb =
  | 'approve'
  | 'reject'
  | 'cancel'
  | 'reschedule'
  | 'check-in'
  | 'call'
  | 'skip'
  | 'complete'
  | 'no-show'
  | 'undo'
  | 'expire';

/** The facts, in addition to the booking, that decide. `today` is the clinic's date at `now`, `midnight` its beginning. */
export interface Facts {
  now: number;
  today: string;
  midnight: number;
  cancelLeadMinutes: number;
}

interface Transition {
  verb: Verb;
  by: Party;
  from: readonly Status[];
  when: (booking: BookingState, facts: Facts) => boolean;
}

const live = ['waiting', 'approved'] as const;

export const isOver = ({ completedAt, noShowAt }: BookingState): boolean =>
  completedAt !== null || noShowAt !== null;
const hasArrived = ({ checkedInAt }: BookingState): boolean => checkedInAt !== null;

/** The instant before which the patient may cancel or move a booking. */
export const patientDeadline = ({ startsAt }: { startsAt: number }, cancelLeadMinutes: number): number =>
  startsAt - cancelLeadMinutes * 60_000;

const patientInTime = (booking: BookingState, { now, cancelLeadMinutes }: Facts): boolean =>
  !isOver(booking) && !hasArrived(booking) && now < patientDeadline(booking, cancelLeadMinutes);

/** A waiting booking has until its end to be approved. */
const isStillOpen = ({ status, endsAt }: BookingState, { now }: Facts): boolean =>
  status === 'approved' || now < endsAt;

/** All transitions of a booking after it was made. What is not listed here is not allowed. */
export const transitions: readonly Transition[] = [
  { verb: 'approve', by: 'clinic', from: ['waiting'], when: isStillOpen },
  { verb: 'reject', by: 'clinic', from: ['waiting'], when: () => true },
  { verb: 'cancel', by: 'patient', from: live, when: patientInTime },
  { verb: 'cancel', by: 'clinic', from: live, when: (booking) => !isOver(booking) },
  { verb: 'expire', by: 'system', from: ['waiting'], when: ({ endsAt }, { now }) => endsAt <= now },
  { verb: 'reschedule', by: 'patient', from: live, when: patientInTime },
  { verb: 'reschedule', by: 'clinic', from: live, when: (booking) => !isOver(booking) },
  {
    verb: 'check-in',
    by: 'clinic',
    from: live,
    when: (b, facts) =>
      !isOver(b) && !hasArrived(b) && b.scheduleDate === facts.today && isStillOpen(b, facts),
  },
  { verb: 'call', by: 'clinic', from: ['approved'], when: (b) => !isOver(b) && hasArrived(b) },
  {
    verb: 'skip',
    by: 'clinic',
    from: ['approved'],
    when: (b) => !isOver(b) && hasArrived(b) && b.calledAt !== null,
  },
  { verb: 'complete', by: 'clinic', from: ['approved'], when: (b) => !isOver(b) && hasArrived(b) },
  {
    verb: 'no-show',
    by: 'clinic',
    from: ['approved'],
    when: (b, { now }) => !isOver(b) && now >= b.startsAt,
  },
  {
    verb: 'undo',
    by: 'clinic',
    from: ['approved'],
    when: (b, { midnight }) => (lastStepAt(b) ?? Number.NEGATIVE_INFINITY) >= midnight,
  },
];

export { runsBookingsOf };

/** The fields of a booking that say whose it is. */
export interface OwnedBooking {
  patientId: string;
  doctorId: string;
  /** 1 if the person acts for its patient, for example a mother for her child. */
  isFamily: number;
}

/** For which side a person acts on a booking; null for a person who may not know that it exists. */
export const partyOf = (booking: OwnedBooking, person: Person): Party | null => {
  if (person.role === 'system') return 'system';
  if (runsBookingsOf(booking.doctorId, person)) return 'clinic';
  return booking.patientId === person.userId || booking.isFamily === 1 ? 'patient' : null;
};

/** Whether a person may know that a booking exists. */
export const maySee = (booking: OwnedBooking, person: Person): boolean => partyOf(booking, person) !== null;

/** Whether there is a state of a booking in which this party may use the verb. */
export const isVerbOf = (verb: Verb, party: Party): boolean =>
  transitions.some((row) => row.verb === verb && row.by === party);

/** Whether the party may do this to the booking in its present state. */
export const mayDo = (verb: Verb, party: Party, booking: BookingState, facts: Facts): boolean =>
  transitions.some(
    (row) =>
      row.verb === verb && row.by === party && row.from.includes(booking.status) && row.when(booking, facts),
  );

/** Everything that the party may do to the booking in its present state. */
export const allowedActions = (party: Party, booking: BookingState, facts: Facts): Verb[] =>
  transitions
    .filter(({ verb, by }) => by === party && mayDo(verb, by, booking, facts))
    .map(({ verb }) => verb);

const reasonCodes = { cancel: 'canceled', reject: 'rejected', expire: 'expired' } as const;

/** How many bookings an account may make or move in an hour as a patient. */
export const maxMadeAnHour = 60;

/** The state of a booking that waits for approval. */
export const untouched = {
  status: 'waiting',
  approvedAt: null,
  checkedInAt: null,
  firstCalledAt: null,
  calledAt: null,
  callCount: 0,
  completedAt: null,
  noShowAt: null,
  canceledAt: null,
  canceledBy: null,
  cancelReasonCode: null,
  cancelReason: null,
  queueTurn: null,
} as const satisfies Partial<BookingState>;

/** The state of a new booking: the clinic's own are approved at once, a patient's where its session needs no approval. */
export const begun = (party: Party, approval: Approval, now: number, checkIn: boolean) => ({
  ...untouched,
  ...((party === 'clinic' || approval === 'automatic') && { status: 'approved' as const, approvedAt: now }),
  ...(checkIn && { checkedInAt: now }),
});

/** What the verb changes in a booking that stays in its slot. */
export const afterVerb = (
  verb: Exclude<Verb, 'reschedule'>,
  booking: BookingState,
  by: { party: Party; role: ActingRole },
  now: number,
  reason: string | null,
): Partial<BookingState> => {
  switch (verb) {
    case 'approve':
      return { status: 'approved', approvedAt: now };
    case 'cancel':
    case 'reject':
    case 'expire':
      return {
        status: 'canceled',
        canceledAt: now,
        canceledBy: by.party === 'patient' ? 'patient' : by.role,
        cancelReasonCode: reasonCodes[verb],
        cancelReason: reason,
      };
    case 'check-in':
      return { status: 'approved', approvedAt: booking.approvedAt ?? now, checkedInAt: now, queueTurn: null };
    case 'call':
      return {
        firstCalledAt: booking.firstCalledAt ?? now,
        calledAt: now,
        callCount: booking.callCount + 1,
      };
    case 'skip':
      return { calledAt: null, callCount: 0 };
    case 'complete':
      return { completedAt: now };
    case 'no-show':
      return { noShowAt: now };
    case 'undo':
      return undone(booking);
  }
};

export type VisitStatus = 'checked_in' | 'called' | 'completed' | 'no_show';

/** The progress of the visit; null before check-in. */
export const visitStatusOf = (booking: BookingState): VisitStatus | null => {
  if (booking.noShowAt !== null) return 'no_show';
  if (booking.completedAt !== null) return 'completed';
  if (booking.calledAt !== null) return 'called';
  return booking.checkedInAt === null ? null : 'checked_in';
};
