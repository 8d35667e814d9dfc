import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  gt,
  gte,
  isNull,
  lt,
  lte,
  max,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { type Db, reading } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { clinic, closures, doctors, schedules, sessions } from '../../../core/tables/catalog.ts';
import { doctorNotices } from '../../../core/tables/queues.ts';
import { buildFindHeld, withHeld } from './hold-queries.ts';
import { pageSlug } from './name-queries.ts';

export const findClinic = statement((db, _named: Named<never>) =>
  db.select().from(clinic).where(eq(clinic.id, 1)),
);

export const findDoctor = statement((db, named: Named<'doctorId'>) =>
  db
    .select({ ...getTableColumns(doctors), pageSlug: pageSlug.as('page_slug') })
    .from(doctors)
    .where(eq(doctors.id, named('doctorId'))),
);

/** The named doctor or, if none is named, the doctor of the named booking. */
const namedDoctor = (named: (name: 'doctorId' | 'bookingId') => Placeholder): SQL =>
  sql`coalesce(${named('doctorId')}, (select b.doctor_id from bookings b where b.id = ${named('bookingId')}))`;

const findNamedDoctor = statement((db, named: Named<'doctorId' | 'bookingId'>) =>
  db
    .select()
    .from(doctors)
    .where(sql`${doctors.id} = ${namedDoctor(named)}`),
);

/** The columns of a schedule that decide about slots, with the session's name from the joined `sessions`. */
export const scheduleColumns = {
  sessionId: schedules.sessionId,
  sessionName: sessions.name,
  approval: sessions.approval,
  maxPerDay: sessions.maxPerDay,
  minDaysBetween: sessions.minDaysBetween,
  openTo: sessions.openTo,
  weekday: schedules.weekday,
  startTime: schedules.startTime,
  endTime: schedules.endTime,
  slotMinutes: schedules.slotMinutes,
  capacity: schedules.capacity,
  room: schedules.room,
  validFrom: schedules.validFrom,
  validUntil: schedules.validUntil,
  everyWeeks: schedules.everyWeeks,
  breakStart: schedules.breakStart,
  breakEnd: schedules.breakEnd,
};

/** The columns of a closure that decide about slots. */
export const closureColumns = {
  doctorId: closures.doctorId,
  startDate: closures.startDate,
  endDate: closures.endDate,
  startTime: closures.startTime,
  endTime: closures.endTime,
};

const hasPrefix = sql<number>`exists (select 1 from queue_prefixes p where p.doctor_id = "schedules"."doctor_id"
  and p.session_id = "schedules"."session_id" and p.replaced_at is null)`;

const asks = sql<number>`${sessions.questions} is not null`;

/**
 * The weekly schedules of a doctor whose session is still offered, with whether their queue has its prefix and their
 * session asks questions.
 */
const findSchedules = statement((db, named: Named<'doctorId' | 'bookingId'>) =>
  db
    .select({ ...scheduleColumns, hasPrefix: hasPrefix.as('has_prefix'), asks: asks.as('asks') })
    .from(schedules)
    .innerJoin(sessions, eq(sessions.id, schedules.sessionId))
    .where(
      and(
        sql`${schedules.doctorId} = ${namedDoctor(named)}`,
        isNull(schedules.retiredAt),
        isNull(sessions.retiredAt),
      ),
    ),
);

/** Leave of the doctor and holidays of the clinic that touch the dates. */
const findClosures = statement((db, named: Named<'doctorId' | 'bookingId' | 'fromDate' | 'toDate'>) =>
  db
    .select(closureColumns)
    .from(closures)
    .where(
      and(
        or(sql`${closures.doctorId} = ${namedDoctor(named)}`, isNull(closures.doctorId)),
        gte(closures.endDate, named('fromDate')),
        lte(closures.startDate, named('toDate')),
      ),
    ),
);

/**
 * Bookings that start between two instants, and the dates on which these can lie in any time zone: the index of a doctor's
 * dates is read there and nowhere else.
 */
export const startsBetween = (after: Placeholder, before: Placeholder): SQL =>
  sql`${bookings.startsAt} > ${after} and ${bookings.startsAt} < ${before} and ${bookings.scheduleDate} between
    date(${after} / 1000, 'unixepoch', '-12 hours') and date(${before} / 1000, 'unixepoch', '+14 hours')`;

/** A live booking or offer that takes its seat; an offer that is over takes none. */
export const takesSeat = (now: Placeholder): SQL =>
  sql`${bookings.status} <> 'canceled' and (${bookings.heldUntil} is null or ${bookings.heldUntil} > ${now})`;

/** Whether an expired offer of any doctor still holds a seat. */
const anyLapsed = (
  now: Placeholder,
): SQL<number> => sql`exists (select 1 from bookings o indexed by bookings_held
  where o.status = 'waiting' and o.held_until <= ${now})`;

/**
 * How many live bookings of a doctor on a date share the one start between two instants, and whether an offer is
 * over: always one row, because that is read faster.
 */
export const countOccupied = statement((db, named: Named<'doctorId' | 'date' | 'after' | 'before' | 'now'>) =>
  db
    .select({
      startsAt: max(bookings.startsAt).as('last_start'),
      endsAt: max(bookings.endsAt).as('last_end'),
      taken: count().as('taken'),
      anyLapsed: anyLapsed(named('now')).as('any_lapsed'),
    })
    .from(bookings)
    .where(
      and(
        eq(bookings.doctorId, named('doctorId')),
        eq(bookings.scheduleDate, named('date')),
        gt(bookings.startsAt, named('after')),
        lt(bookings.startsAt, named('before')),
        takesSeat(named('now')),
      ),
    )
    .limit(1),
);

/** How many live bookings of a doctor share each start between two instants. */
const findOccupiedBetween = statement(
  (db, named: Named<'doctorId' | 'bookingId' | 'after' | 'before' | 'now'>) =>
    db
      .select({ startsAt: bookings.startsAt, endsAt: bookings.endsAt, taken: count().as('taken') })
      .from(bookings)
      .where(
        and(
          sql`${bookings.doctorId} = ${namedDoctor(named)}`,
          startsBetween(named('after'), named('before')),
          takesSeat(named('now')),
        ),
      )
      // By the date first, as the index has them: no row is sorted.
      .groupBy(bookings.scheduleDate, bookings.startsAt, bookings.endsAt)
      .orderBy(asc(bookings.scheduleDate), asc(bookings.startsAt), asc(bookings.endsAt)),
);

/** The doctors' notices for the patients of these dates. */
export const findNotices = statement((db, named: Named<'doctorId' | 'from' | 'to'>) =>
  db
    .select({
      date: doctorNotices.date,
      delay_minutes: doctorNotices.delayMinutes,
      message: doctorNotices.message,
    })
    .from(doctorNotices)
    .where(
      and(
        eq(doctorNotices.doctorId, named('doctorId')),
        gte(doctorNotices.date, named('from')),
        lte(doctorNotices.date, named('to')),
        sql`(${doctorNotices.delayMinutes} > 0 or ${doctorNotices.message} <> '')`,
      ),
    )
    .orderBy(asc(doctorNotices.date)),
);

/** A doctor, or the doctor of a booking that is itself still to be read. */
export type Whose = string | { ofBooking: string };

interface NamedDoctor {
  /** Null for the doctor of the booking. */
  doctorId: string | null;
  bookingId: string | null;
}

export const whoseCalendar = (whose: Whose): NamedDoctor =>
  typeof whose === 'string'
    ? { doctorId: whose, bookingId: null }
    : { doctorId: null, bookingId: whose.ofBooking };

const findHeld = buildFindHeld<'doctorId' | 'bookingId'>((named) => sql`(${namedDoctor(named)})`);

interface CalendarSpan extends NamedDoctor {
  fromDate: string;
  toDate: string;
  /** The time range in which the listed bookings start. */
  after: number;
  before: number;
  /** When a held seat becomes free if its offer or its hold has expired. */
  now: number;
  /** Whether the seats that are held for somebody who is about to book count as occupied. */
  countsHolds: boolean;
}

/**
 * Everything that decides about a doctor's slots in a span of dates: five statements, however long the span is, and one
 * more where holds count.
 */
export const calendarReads = (
  db: Db,
  { fromDate, toDate, after, before, now, countsHolds, ...whose }: CalendarSpan,
) =>
  reading(
    {
      clinics: findClinic(db, {}),
      doctors: findNamedDoctor(db, whose),
      schedules: findSchedules(db, whose),
      closures: findClosures(db, { ...whose, fromDate, toDate }),
      occupied: findOccupiedBetween(db, { ...whose, after, before, now }),
      held: countsHolds ? [findHeld(db, { ...whose, after, before, now })] : [],
    },
    ({ occupied, held, ...rows }) => ({
      ...rows,
      occupied: withHeld(
        occupied,
        held.flat().map(({ startsAt, endsAt }) => ({ startsAt, endsAt })),
      ),
    }),
  );

export type CalendarRows = ReturnType<ReturnType<typeof calendarReads>['toResult']>;
