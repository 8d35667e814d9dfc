import type { Deps } from '../../deps.ts';
import type { OutputOf } from '../../endpoint/lazy-shape.ts';
import type { EventData } from './event-payload.ts';
import type { BookingRow } from './queries.ts';
import {
  type ActingRole,
  allowedActions,
  type Facts,
  mayDo,
  type Party,
  patientDeadline,
  visitStatusOf,
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

const isoOf = (instant: number): string => new Date(instant).toISOString();
const isoOrNull = (instant: number | null): string | null => (instant === null ? null : isoOf(instant));

/** The facts, in addition to the booking, that decide what may be done to it now. */
export const factsOf = ({ cancelLeadMinutes, clinicTime }: Deps, now: number): Facts => {
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
        at: isoOf(row.canceledAt ?? row.updatedAt),
      };

const visitView = (row: BookingRow) => {
  const status = visitStatusOf(row);
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

/** Everything about a booking, with what the party that reads it may do to it now. */
export const detailView = (
  deps: Deps,
  now: number,
  row: BookingRow,
  party: Party,
): OutputOf<typeof BookingDetail> => {
  const facts = factsOf(deps, now);
  const cancelable = mayDo('cancel', 'patient', row, facts);
  return {
    ...bookingView(row),
    booking_code: row.bookingCode,
    queue_number: row.queueNumber,
    queue_label: row.queueLabel,
    starts_at: isoOf(row.startsAt),
    ends_at: isoOf(row.endsAt),
    time_zone: deps.clinicTime.zone,
    version: row.version,
    allowed_actions: allowedActions(party, row, facts),
    upcoming_actions: upcomingActions(party, row, facts, deps.clinicTime.startOf(row.scheduleDate)).map(
      ({ action, from }) => ({ action, from: isoOf(from) }),
    ),
    cancelable_until: cancelable ? isoOf(patientDeadline(row, facts.cancelLeadMinutes)) : null,
    cancellation: cancellationView(row),
    visit: visitView(row),
    overbooked: row.overbooked === 1,
    ...(party === 'clinic' && { staff_notes: row.staffNotes }),
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  };
};

/** The columns of which an event tells. */
export type EventRow = Omit<BookingRow, 'seat' | 'bookingCode' | 'staffNotes'>;

const slotBefore = (row: EventRow) => ({
  doctor_id: row.doctorId,
  session_id: row.sessionId,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  starts_at: isoOf(row.startsAt),
  ends_at: isoOf(row.endsAt),
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
  starts_at: isoOf(row.startsAt),
  ends_at: isoOf(row.endsAt),
  status: row.status,
  queue_number: row.queueNumber,
  queue_label: row.queueLabel,
  canceled_by: row.canceledBy,
  reason_code: row.cancelReasonCode,
  visit: visitStatusOf(row),
  overbooked: row.overbooked === 1,
  actor_role: actorRole,
  previous: before === null ? null : slotBefore(before),
});
