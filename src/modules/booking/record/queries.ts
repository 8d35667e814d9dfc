import {
  and,
  asc,
  type Column,
  desc,
  eq,
  getTableColumns,
  gt,
  isNull,
  or,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { columnGroup, jsonObject } from '../../../core/db/row-columns.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { patients } from '../../../core/tables/patients.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { actsFor } from '../../patients/record/queries.ts';
import { toAnswer } from './answer-queries.ts';
import type { Booking } from './shapes.ts';

export type BookingRow = typeof bookings.$inferSelect;

/**
 * A booking as an account sees it, with whether its patient belongs to the account's family, and how many required
 * questions are still to be answered.
 */
export type SeenBooking = BookingRow & { isFamily: number; toAnswer?: number | null };

export const findBooking = statement((db, named: Named<'id' | 'accountId'>) =>
  db
    .select({
      ...getTableColumns(bookings),
      isFamily: sql<number>`${actsFor(sql`${named('accountId')}`, sql.raw('bookings.patient_id'))}`.as(
        'is_family',
      ),
      toAnswer: toAnswer('bookings').as('to_answer'),
    })
    .from(bookings)
    .where(eq(bookings.id, named('id'))),
);

/** The patient fields that the clinic sees with a booking. */
const patientShown = {
  id: patients.id,
  name: patients.name,
  phone_country_code: patients.phoneCountryCode,
  phone_number: patients.phoneNumber,
};

export const findBookingPatient = statement((db, named: Named<'id'>) =>
  db
    .select(patientShown)
    .from(patients)
    .where(sql`${patients.id} = (select b.patient_id from bookings b where b.id = ${named('id')})`),
);

/** The progress of a visit (checked in, called, …), which a move resets. */
export const progressColumns = columnGroup(bookings, [
  'status',
  'approvedAt',
  'checkedInAt',
  'firstCalledAt',
  'calledAt',
  'callCount',
  'queueTurn',
]);

/** Waiting bookings whose end has passed, the oldest first. */
export const findExpired = statement((db, named: Named<'now' | 'limit'>) =>
  db
    .select()
    .from(bookings)
    .where(sql`${bookings.status} = 'waiting' and ${bookings.endsAt} <= ${named('now')}
      and ${bookings.heldUntil} is null`)
    .orderBy(asc(bookings.endsAt))
    .limit(named('limit')),
);

type HistoryValues =
  | 'accountId'
  | 'patientId'
  | 'beforeStart'
  | 'beforeId'
  | 'fromInstant'
  | 'status'
  | 'doctorId'
  | 'limit';

/** The columns of the nine fields that the interface shows, by their names there. */
export const shownColumns = {
  id: bookings.id,
  doctor_id: bookings.doctorId,
  doctor_name: bookings.doctorName,
  session_id: bookings.sessionId,
  session_name: bookings.sessionName,
  schedule_date: bookings.scheduleDate,
  schedule_time: bookings.scheduleTime,
  notes: bookings.notes,
  status: bookings.status,
} satisfies Record<keyof OutputOf<typeof Booking>, Column>;

const historyColumns = {
  id: bookings.id,
  startsAt: bookings.startsAt,
  booking: jsonObject(shownColumns).as('booking'),
};

const selectHistory = (db: Db, whose: SQL, filters: SQL | undefined) =>
  db
    .select(historyColumns)
    .from(bookings)
    .where(and(whose, isNull(bookings.heldUntil), filters));

const inOrder = [desc(bookings.startsAt), desc(bookings.id)];

/** The bookings of a page as lines of JSON, and their starts as the last line; null of none. */
const joinLines = (page: SQLWrapper): SQL<string | null> =>
  sql`(select group_concat(booking, char(10)) || char(10) || group_concat(starts_at) from ${page})`;

/**
 * A page as one text: fifty rows of ten columns would cost twice as much to transfer. Most accounts act for nobody
 * else: their bookings come sorted from the index, without merging a family's into them.
 */
const pageBy = (
  db: Db,
  { accountId, limit }: { accountId: Placeholder; limit: Placeholder },
  filters?: SQL,
) => {
  const family = sql`(select f.patient_id from family_relations f where f.account_id = ${accountId}
    and f.ended_at is null)`;
  const ofOneAlone = sql`${bookings.patientId} = (select ${accountId} where not exists ${family})`;
  const alone = selectHistory(db, ofOneAlone, filters)
    .orderBy(...inOrder)
    .limit(limit);
  const together = selectHistory(db, sql`${bookings.patientId} = ${accountId}`, filters)
    .unionAll(selectHistory(db, sql`${bookings.patientId} in ${family}`, filters))
    .orderBy(...inOrder)
    .limit(limit);
  const text = sql`coalesce(${joinLines(alone.as('page'))}, ${joinLines(together.as('page'))})`;
  return db
    .select({ text: sql<string | null>`${text}`.as('text') })
    .from(sql`(select 1)`)
    .limit(1);
};

/** The first page of an account's bookings and those of its family, latest schedule first: the most frequent query. */
export const findNewest = statement((db, named: Named<'accountId' | 'limit'>) =>
  pageBy(db, { accountId: named('accountId'), limit: named('limit') }),
);

/** A page of those that the filters leave, after the position (beforeStart, beforeId). */
export const findHistory = statement((db, named: Named<HistoryValues>) =>
  pageBy(
    db,
    { accountId: named('accountId'), limit: named('limit') },
    and(
      sql`(${named('patientId')} is null or ${bookings.patientId} = (select coalesce(p.merged_into, p.id)
        from patients p where p.id = ${named('patientId')}))`,
      sql`(${bookings.startsAt}, ${bookings.id}) < (${named('beforeStart')}, ${named('beforeId')})`,
      sql`${bookings.startsAt} >= ${named('fromInstant')}`,
      or(sql`${named('status')} is null`, eq(bookings.status, named('status'))),
      or(sql`${named('doctorId')} is null`, eq(bookings.doctorId, named('doctorId'))),
    ),
  ),
);

/** The events of a booking after a version, in order. */
export const findEvents = statement((db, named: Named<'bookingId' | 'afterVersion' | 'limit'>) =>
  db
    .select({
      version: bookingEvents.version,
      type: bookingEvents.type,
      actorId: bookingEvents.actorId,
      actorRole: bookingEvents.actorRole,
      occurredAt: bookingEvents.occurredAt,
      payload: bookingEvents.payload,
      actorName: sql<string | null>`coalesce(
        (select u.name from users u where u.id = ${sql.raw('"booking_events"."actor_id"')}),
        (select k.name from api_keys k where k.id = ${sql.raw('"booking_events"."actor_id"')}))`.as(
        'actor_name',
      ),
    })
    .from(bookingEvents)
    .where(
      and(eq(bookingEvents.bookingId, named('bookingId')), gt(bookingEvents.version, named('afterVersion'))),
    )
    .orderBy(asc(bookingEvents.version))
    .limit(named('limit')),
);
