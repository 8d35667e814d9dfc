import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isoText, jsonBoolean, jsonObject } from '../../../core/db/row-columns.ts';
import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { patients } from '../../../core/tables/patients.ts';
import { toAnswer } from '../record/answer-queries.ts';
import { shownColumns } from '../record/queries.ts';
import type { Cancellation, ClinicBooking, Visit } from '../record/shapes.ts';
import { type JudgedView, judgedFields } from '../record/views.ts';

type Fields<T> = Record<keyof T, SQLWrapper>;
type Shown = Omit<OutputOf<typeof ClinicBooking>, keyof JudgedView>;

/** The progress of the visit, null before the check-in. The same rule as `toVisitStatus`. */
export const visitStatus: SQL = sql`case when ${bookings.noShowAt} is not null then 'no_show'
  when ${bookings.completedAt} is not null then 'completed' when ${bookings.calledAt} is not null then 'called'
  when ${bookings.checkedInAt} is not null then 'checked_in' end`;

const visit = jsonObject({
  status: visitStatus,
  checked_in_at: isoText(bookings.checkedInAt),
  first_called_at: isoText(bookings.firstCalledAt),
  called_at: isoText(bookings.calledAt),
  call_count: bookings.callCount,
  completed_at: isoText(bookings.completedAt),
  no_show_at: isoText(bookings.noShowAt),
  reason_code: sql`case when ${bookings.noShowAt} is not null and ${bookings.checkedInAt} is not null then 'left' end`,
} satisfies Fields<OutputOf<typeof Visit>>);

const cancellation = jsonObject({
  by: bookings.canceledBy,
  reason_code: bookings.cancelReasonCode,
  reason: bookings.cancelReason,
  at: isoText(sql`coalesce(${bookings.canceledAt}, ${bookings.updatedAt})`),
} satisfies Fields<OutputOf<typeof Cancellation>>);

const head = {
  ...shownColumns,
  booking_code: bookings.bookingCode,
  queue_number: bookings.queueNumber,
  queue_label: bookings.queueLabel,
  starts_at: isoText(bookings.startsAt),
  ends_at: isoText(bookings.endsAt),
};

const tail = {
  cancellation: sql`case when ${bookings.canceledBy} is not null and ${bookings.cancelReasonCode} is not null
    then ${cancellation} end`,
  visit: sql`case when coalesce(${bookings.noShowAt}, ${bookings.completedAt}, ${bookings.calledAt},
    ${bookings.checkedInAt}) is not null then ${visit} end`,
  overbooked: jsonBoolean(bookings.overbooked),
  held_until: isoText(bookings.heldUntil),
  asked_at: isoText(bookings.askedAt),
  confirmed_at: isoText(bookings.confirmedAt),
  series_id: bookings.seriesId,
  channel: bookings.channel,
  payer: bookings.payer,
  visit_kind: bookings.visitKind,
  referral_number: bookings.referralNumber,
  encounter_id: bookings.encounterId,
  staff_notes: bookings.staffNotes,
  external_id: bookings.externalId,
  metadata: sql`json(coalesce(${bookings.metadata}, '{}'))`,
  created_at: isoText(bookings.createdAt),
  updated_at: isoText(bookings.updatedAt),
  patient: jsonObject({
    id: bookings.patientId,
    name: patients.name,
    phone_country_code: patients.phoneCountryCode,
    phone_number: patients.phoneNumber,
  } satisfies Fields<Shown['patient']>),
  to_answer: toAnswer('bookings'),
};
// Every field of the interface, except those that are computed from the present time.
({ ...head, ...tail }) satisfies Fields<Shown>;

const columns = getTableColumns(bookings);
const judged = Object.fromEntries(judgedFields.map((name) => [name, columns[name]]));

/**
 * A booking with its joined patient as the clinic sees it, as three JSON texts: its first fields, the fields that
 * decide its actions, and its last fields. `textView` combines them into one object.
 */
export const bookingText = sql<string>`${jsonObject(head)} || char(10) || ${jsonObject(judged)}
  || char(10) || ${jsonObject(tail)}`;
