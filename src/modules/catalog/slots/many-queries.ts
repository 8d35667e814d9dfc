import { and, asc, count, eq, isNull, lte, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Db, reading } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { closures, doctors, schedules, sessions } from '../../../core/tables/catalog.ts';
import { buildFindHeld, withHeld } from './hold-queries.ts';
import { pageOfDoctors, searchedPage } from './name-queries.ts';
import { closureColumns, findClinic, scheduleColumns, startsBetween, takesSeat } from './queries.ts';
import { longestSlotMs } from './rules.ts';

/** The dates of several calendars, and the instants around them. */
export interface ManySpan {
  fromDate: string;
  toDate: string;
  fromInstant: number;
  toInstant: number;
  /** When a held seat becomes free if its offer or its hold has expired. */
  now: number;
  /** Whether the seats that are held for somebody who is about to book count as occupied. */
  countsHolds: boolean;
}

/** How many live bookings each start has, of the doctors whom `ids` selects. */
export const buildFindOccupied = <K extends string>(ids: (named: (name: K) => Placeholder) => SQL) =>
  statement((db, named: Named<K | 'after' | 'before' | 'now'>) =>
    db
      .select({
        doctorId: bookings.doctorId,
        startsAt: bookings.startsAt,
        endsAt: bookings.endsAt,
        taken: count().as('taken'),
      })
      .from(bookings)
      .where(
        and(
          sql`${bookings.doctorId} in ${ids(named)}`,
          startsBetween(named('after'), named('before')),
          takesSeat(named('now')),
        ),
      )
      .groupBy(bookings.doctorId, bookings.scheduleDate, bookings.startsAt, bookings.endsAt)
      .orderBy(asc(bookings.doctorId), asc(bookings.scheduleDate), asc(bookings.startsAt)),
  );

/**
 * The calendars of the doctors whom `ids` selects: three statements, however many doctors there are, and one more where
 * holds count.
 */
export const buildCalendarQueries = <K extends string>(ids: (named: (name: K) => Placeholder) => SQL) => {
  const findSchedules = statement((db, named: Named<K>) =>
    db
      .select({ id: schedules.id, doctorId: schedules.doctorId, ...scheduleColumns })
      .from(schedules)
      .innerJoin(sessions, eq(sessions.id, schedules.sessionId))
      .where(
        and(
          sql`${schedules.doctorId} in ${ids(named)}`,
          isNull(schedules.retiredAt),
          isNull(sessions.retiredAt),
        ),
      ),
  );
  const findOccupied = buildFindOccupied(ids);
  const findHeld = buildFindHeld(ids);
  return (db: Db, wanted: Readonly<Record<K, string | number | null>>, span: ManySpan) => {
    const between = { after: span.fromInstant - longestSlotMs, before: span.toInstant, now: span.now };
    return reading(
      {
        clinics: findClinic(db, {}),
        schedules: findSchedules(db, wanted),
        closures: findAllClosures(db, { fromDate: span.fromDate, toDate: span.toDate }),
        occupied: findOccupied(db, { ...wanted, ...between }),
        held: span.countsHolds ? [findHeld(db, { ...wanted, ...between })] : [],
      },
      ({ occupied, held, ...rows }) => ({
        ...rows,
        booked: occupied,
        occupied: withHeld(occupied, held.flat()),
      }),
    );
  };
};

/** The closures that touch a span of dates, of the clinic and of every doctor. */
export const findAllClosures = statement((db, named: Named<'fromDate' | 'toDate'>) =>
  db
    .select(closureColumns)
    .from(closures)
    .where(and(sql`${closures.endDate} >= ${named('fromDate')}`, lte(closures.startDate, named('toDate')))),
);

// By name, so that the index serves the order.
const isChosen = (named: (name: 'doctorIds') => Placeholder) =>
  sql`${doctors.name} >= '' and ${doctors.retiredAt} is null and (${named('doctorIds')} is null
    or ${doctors.id} in (select c.value from json_each(${named('doctorIds')}) c))`;

/** Doctors in service by name: those named in a JSON list, or all. */
export const findChosenDoctors = statement((db, named: Named<'doctorIds'>) =>
  db
    .select({
      id: doctors.id,
      fullName: sql<string>`trim(${doctors.title} || ' ' || ${doctors.name})`.as('full_name'),
    })
    .from(doctors)
    .where(isChosen(named))
    .orderBy(asc(doctors.name), asc(doctors.id)),
);

/** The calendars of those doctors. */
export const chosenCalendars = buildCalendarQueries<'doctorIds'>(
  (named) => sql`(select ${doctors.id} from ${doctors} where ${isChosen(named)})`,
);

/** The calendars of a page of doctors, as they are listed or searched. */
export const pageCalendars = buildCalendarQueries(pageOfDoctors);
export const searchedCalendars = buildCalendarQueries(searchedPage);

export type ManyRows = ReturnType<ReturnType<typeof chosenCalendars>['toResult']>;
