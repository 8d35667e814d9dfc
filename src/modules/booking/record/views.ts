import { externalPayload, externalView } from '../../../core/db/external-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import { isoOrNull, toIso } from '../../../core/endpoint/instants.ts';
import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import type { JudgingContext } from './context.ts';
import type { EventData } from './event-payload.ts';
import type { VisitFields } from './fields.ts';
import type { BookingRow } from './queries.ts';
import {
  type ActingRole,
  allowedActions,
  type Facts,
  mayDo,
  type Party,
  patientDeadline,
  toVisitStatus,
} from './rules.ts';
import type { Booking, BookingDetail } from './shapes.ts';
import { upcomingActions } from './upcoming.ts';

type Shown = Pick<
  BookingRow,
  | 'id'
  | 'doctorId'
  | 'doctorName'
  | 'sessionId'
  | 'sessionName'
  | 'scheduleDate'
  | 'scheduleTime'
  | 'notes'
  | 'status'
>;

/** The nine fields of a booking that the interface shows. */
export const bookingView = (row: Shown): OutputOf<typeof Booking> => ({
  id: row.id,
  doctor_id: row.doctorId,
  doctor_name: row.doctorName,
  session_id: row.sessionId,
  session_name: row.sessionName,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  notes: row.notes,
  status: row.status,
});

/** The data of the visit for other systems. */
const visitFieldsView = (row: VisitFields) => ({
  channel: row.channel,
  payer: row.payer,
  visit_kind: row.visitKind,
  referral_number: row.referralNumber,
});

/** The facts, in addition to the booking, that decide what may be done to it now. */
export const computeFacts = ({ deps: { clinicTime }, now, cancelLeadMinutes }: JudgingContext): Facts => {
  const today = clinicTime.dateOf(now);
  const midnight = clinicTime.startOf(today);
  return { now, today, midnight, cancelLeadMinutes };
};

const cancellationView = (row: BookingRow) =>
  row.canceledBy === null || row.cancelReasonCode === null
    ? null
    : {
        by: row.canceledBy,
        reason_code: row.cancelReasonCode,
        reason: row.cancelReason,
        at: toIso(row.canceledAt ?? row.updatedAt),
      };

const visitView = (row: BookingRow) => {
  const status = toVisitStatus(row);
  if (status === null) return null;
  return {
    status,
    checked_in_at: isoOrNull(row.checkedInAt),
    first_called_at: isoOrNull(row.firstCalledAt),
    called_at: isoOrNull(row.calledAt),
    call_count: row.callCount,
    completed_at: isoOrNull(row.completedAt),
    no_show_at: isoOrNull(row.noShowAt),
    reason_code: row.noShowAt !== null && row.checkedInAt !== null ? ('left' as const) : null,
  };
};

/** The columns that `judgedView` needs, and which booking they are of. */
export const judgedFields = [
  'id',
  'version',
  'status',
  'scheduleDate',
  'startsAt',
  'endsAt',
  'checkedInAt',
  'firstCalledAt',
  'calledAt',
  'completedAt',
  'noShowAt',
  'heldUntil',
  'askedAt',
  'confirmedAt',
] as const;
export type JudgedRow = Pick<BookingRow, (typeof judgedFields)[number]>;

/** The actions open to the reader of a booking now, and the version that a change must refer to. */
export const judgedView = ({ clinicTime }: Deps, facts: Facts, row: JudgedRow, party: Party) => ({
  time_zone: clinicTime.zone,
  version: row.version,
  allowed_actions: allowedActions(party, row, facts),
  upcoming_actions: upcomingActions(party, row, facts, clinicTime.startOf(row.scheduleDate)).map(
    ({ action, from }) => ({ action, from: toIso(from) }),
  ),
  cancelable_until: mayDo('cancel', 'patient', row, facts)
    ? toIso(patientDeadline(row, facts.cancelLeadMinutes))
    : null,
});
export type JudgedView = ReturnType<typeof judgedView>;

/** Everything about a booking, with what the party that reads it may do to it now. */
export const detailView = (
  context: JudgingContext,
  row: BookingRow,
  party: Party,
): OutputOf<typeof BookingDetail> => {
  return {
    ...bookingView(row),
    booking_code: row.bookingCode,
    queue_number: row.queueNumber,
    queue_label: row.queueLabel,
    starts_at: toIso(row.startsAt),
    ends_at: toIso(row.endsAt),
    ...judgedView(context.deps, computeFacts(context), row, party),
    cancellation: cancellationView(row),
    visit: visitView(row),
    overbooked: row.overbooked === 1,
    held_until: isoOrNull(row.heldUntil),
    asked_at: isoOrNull(row.askedAt),
    confirmed_at: isoOrNull(row.confirmedAt),
    series_id: row.seriesId,
    ...visitFieldsView(row),
    ...(party === 'clinic' && {
      encounter_id: row.encounterId,
      staff_notes: row.staffNotes,
      ...externalView(row),
    }),
    created_at: toIso(row.createdAt),
    updated_at: toIso(row.updatedAt),
  };
};

/** The same with the queue's number and label, which the database assigned as it wrote. */
export const withNumber = <D extends Pick<OutputOf<typeof BookingDetail>, 'queue_number' | 'queue_label'>>(
  data: D,
  { queueNumber, queueLabel }: { queueNumber: number | null; queueLabel: string | null },
): D => ({
  ...data,
  queue_number: queueNumber ?? data.queue_number,
  queue_label: queueLabel ?? data.queue_label,
});

/** The columns whose changes an event records. */
export type EventRow = Omit<
  BookingRow,
  'seat' | 'bookingCode' | 'staffNotes' | 'waitlistId' | 'room' | 'exchangeCode' | 'answers'
>;

const slotBefore = (row: EventRow) => ({
  doctor_id: row.doctorId,
  session_id: row.sessionId,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  starts_at: toIso(row.startsAt),
  ends_at: toIso(row.endsAt),
});

/** The content of an event: ids, times and states of the booking, never names or notes. */
export const eventPayload = (
  row: EventRow,
  actorRole: ActingRole,
  before: EventRow | null = null,
): OutputOf<typeof EventData> => ({
  booking_id: row.id,
  version: row.version,
  patient_id: row.patientId,
  doctor_id: row.doctorId,
  session_id: row.sessionId,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  starts_at: toIso(row.startsAt),
  ends_at: toIso(row.endsAt),
  status: row.status,
  queue_number: row.queueNumber,
  queue_label: row.queueLabel,
  canceled_by: row.canceledBy,
  reason_code: row.cancelReasonCode,
  visit: toVisitStatus(row),
  overbooked: row.overbooked === 1,
  series_id: row.seriesId,
  channel: row.channel,
  encounter_id: row.encounterId,
  ...externalPayload(row),
  actor_role: actorRole,
  previous: before === null ? null : slotBefore(before),
});
