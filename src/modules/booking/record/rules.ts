// Pure: who may do what to a booking, when, and its state afterwards.

import { type Approval, liveStatuses as live, type VisitStatus } from '../../../core/tables/words.ts';
import { runsBookings } from '../../catalog/slots/rules.ts';
import type { ActingRole, BookingState, Judged, Party, Status, Verb } from './state.ts';
import { lastStepAt } from './visit-rules.ts';

export type { ActingRole, BookingState, Judged, Party, Status, Verb } from './state.ts';

interface Person {
  userId: string | null;
  role: ActingRole;
  doctorId: string | null;
}

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
  when: (booking: Judged, facts: Facts) => boolean;
  /** Only for an offer of the waitlist; every other row is for bookings. */
  ofOffer?: true;
}

export const isOver = ({ completedAt, noShowAt }: Pick<Judged, 'completedAt' | 'noShowAt'>): boolean =>
  completedAt !== null || noShowAt !== null;
const hasArrived = ({ checkedInAt }: Judged): boolean => checkedInAt !== null;

/** The instant before which the patient may cancel or move a booking. */
export const patientDeadline = ({ startsAt }: { startsAt: number }, cancelLeadMinutes: number): number =>
  startsAt - cancelLeadMinutes * 60_000;

const patientInTime = (booking: Judged, { now, cancelLeadMinutes }: Facts): boolean =>
  !isOver(booking) && !hasArrived(booking) && now < patientDeadline(booking, cancelLeadMinutes);

/** Until the visit begins, of a patient whom a reminder has asked whether they come, and who has neither answered nor come. */
export const mayConfirm = (booking: Judged, { now }: Pick<Facts, 'now'>): boolean =>
  booking.askedAt !== null &&
  booking.confirmedAt === null &&
  !hasArrived(booking) &&
  !isOver(booking) &&
  now < booking.startsAt;

/** A waiting booking has until its end to be approved. */
const isStillOpen = ({ status, endsAt }: Judged, { now }: Facts): boolean =>
  status === 'approved' || now < endsAt;

const isHeld = ({ heldUntil }: Judged, { now }: Facts): boolean => heldUntil !== null && now < heldUntil;

/** All transitions of a booking after its creation. Any other transition is refused. */
export const transitions: readonly Transition[] = [
  { verb: 'approve', by: 'clinic', from: ['waiting'], when: isStillOpen },
  { verb: 'reject', by: 'clinic', from: ['waiting'], when: () => true },
  { verb: 'cancel', by: 'patient', from: live, when: patientInTime },
  { verb: 'cancel', by: 'clinic', from: live, when: (booking) => !isOver(booking) },
  { verb: 'cancel', by: 'system', from: live, when: mayConfirm },
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
  { verb: 'accept', by: 'patient', from: ['waiting'], when: isHeld, ofOffer: true },
  { verb: 'accept', by: 'clinic', from: ['waiting'], when: isHeld, ofOffer: true },
  { verb: 'cancel', by: 'patient', from: ['waiting'], when: () => true, ofOffer: true },
  { verb: 'cancel', by: 'clinic', from: ['waiting'], when: () => true, ofOffer: true },
  { verb: 'lapse', by: 'system', from: ['waiting'], when: (b, facts) => !isHeld(b, facts), ofOffer: true },
];

export { runsBookings as runsBookingsOf };

/** The fields of a booking that say whose it is. */
interface OwnedBooking {
  patientId: string;
  doctorId: string;
  /** 1 if the person acts for its patient, for example a mother for her child. */
  isFamily: number;
}

/** As which party a person acts on a booking; null for a person who may not know that it exists. */
export const partyOfActor = (booking: OwnedBooking, person: Person): Party | null => {
  if (person.role === 'system') return 'system';
  if (runsBookings(booking.doctorId, person)) return 'clinic';
  return booking.patientId === person.userId || booking.isFamily === 1 ? 'patient' : null;
};

/** Whether a person may know that a booking exists. */
export const maySee = (booking: OwnedBooking, person: Person): boolean =>
  partyOfActor(booking, person) !== null;

/** The patient whose record the clinic sees with a booking; null for the patient and the family. */
export const seenBy = (party: Party | null, { patientId }: { patientId: string }): string | null =>
  party === 'clinic' ? patientId : null;

/** Whether there is a state of a booking in which this party may use the verb. */
export const mayEverUse = (verb: Verb, party: Party): boolean =>
  transitions.some((row) => row.verb === verb && row.by === party);

const verbs = transitions.map(({ verb }) => verb);
// Sorted once, since a list needs it for each of its bookings.
const ordered = transitions.toSorted((a, b) => verbs.indexOf(a.verb) - verbs.indexOf(b.verb));
const rowsBy = (ofOffer: true | undefined) =>
  Map.groupBy(
    ordered.filter((row) => row.ofOffer === ofOffer),
    ({ by }) => by,
  );
const ofBookings = rowsBy(undefined);
const ofOffers = rowsBy(true);

const openRows = (party: Party, booking: Judged, facts: Facts): Transition[] =>
  ((booking.heldUntil === null ? ofBookings : ofOffers).get(party) ?? []).filter(
    (row) => row.from.includes(booking.status) && row.when(booking, facts),
  );

/** Whether the party may do this to the booking in its present state. */
export const mayDo = (verb: Verb, party: Party, booking: Judged, facts: Facts): boolean =>
  openRows(party, booking, facts).some((row) => row.verb === verb);

/** Everything that the party may do to the booking in its present state. */
export const allowedActions = (party: Party, booking: Judged, facts: Facts): Verb[] =>
  openRows(party, booking, facts).map(({ verb }) => verb);

/** How many bookings an account may make or move in an hour as a patient. */
export const maxMadeAnHour = 60;

/** How often an account may change notes and answers in an hour as a patient. */
export const maxWrittenAnHour = 60;

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
  heldUntil: null,
  askedAt: null,
  confirmedAt: null,
} as const satisfies Partial<BookingState>;

/** The state of a new booking: the clinic's own are approved at once, a patient's where its session needs no approval. */
export const begun = (party: Party, approval: Approval, now: number, checkIn: boolean) => ({
  ...untouched,
  ...((party === 'clinic' || approval === 'automatic') && { status: 'approved' as const, approvedAt: now }),
  ...(checkIn && { checkedInAt: now }),
});

/** The progress of the visit; null before check-in. */
export const toVisitStatus = (booking: Judged): VisitStatus | null => {
  if (booking.noShowAt !== null) return 'no_show';
  if (booking.completedAt !== null) return 'completed';
  if (booking.calledAt !== null) return 'called';
  return booking.checkedInAt === null ? null : 'checked_in';
};
