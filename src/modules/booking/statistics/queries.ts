import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { dayMs } from '../../../core/clinic/durations.ts';
import type { Db } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { closures, doctors, schedules, sessions } from '../../../core/tables/catalog.ts';
import { closureColumns, scheduleColumns } from '../../catalog/slots/queries.ts';
import { type Grouping, leadDays, leadKey } from './rules.ts';

type Dates = 'fromDate' | 'toDate';

const lead = 'max(0, s.starts_at - s.created_at)';
const leadCases = leadDays
  .slice(1)
  .map((days, before) => `when ${lead} < ${days * dayMs} then '${leadKey(leadDays[before] ?? 0)}'`);

const keys = {
  day: { key: sql.raw('s.schedule_date'), name: sql`null` },
  week: {
    key: sql.raw("date(s.schedule_date, '-' || ((strftime('%w', s.schedule_date) + 6) % 7) || ' days')"),
    name: sql`null`,
  },
  month: { key: sql.raw('substr(s.schedule_date, 1, 7)'), name: sql`null` },
  doctor: { key: sql.raw('s.doctor_id'), name: sql`max(s.doctor_name)` },
  session: { key: sql.raw('s.session_id'), name: sql`max(s.session_name)` },
  hour: { key: sql.raw('substr(s.schedule_time, 1, 2)'), name: sql`null` },
  weekday_hour: {
    key: sql.raw("((strftime('%w', s.schedule_date) + 6) % 7 + 1) || ' ' || substr(s.schedule_time, 1, 2)"),
    name: sql`null`,
  },
  lead: {
    key: sql.raw(`case ${leadCases.join(' ')} else '${leadKey(leadDays.at(-1) ?? 0)}' end`),
    name: sql`null`,
  },
} as const satisfies Record<Grouping, { key: SQL; name: SQL }>;

const countWhere = (condition: SQL, name: string) =>
  sql<number>`count(case when ${condition} then 1 end)`.as(name);
const canceledBy = (by: SQL): SQL => sql`s.status = 'canceled' and s.canceled_by ${by}`;

/** The times of the live bookings, in tenths of a minute separated by commas; null if there are none. Imported visits have none. */
const listTenths = (ms: SQL, name: string) =>
  sql<
    string | null
  >`group_concat(case when s.status <> 'canceled' and s.channel <> 'imported' then (${ms} + 3000) / 6000 end)`.as(
    name,
  );

/**
 * Counts and times of the bookings of a range of dates, for each group and date, by the index on the dates: the cost is
 * proportional to the range. The program computes ranks from the times, because SQL would take five times as long. Rows
 * are by date, so that none exceeds D1's row size.
 */
const numbersBy = (by: Grouping, more: SQL = sql``) =>
  statement((db, named: Named<Dates>) =>
    db
      .select({
        key: sql<string>`${keys[by].key}`.as('key'),
        name: sql<string | null>`${keys[by].name}`.as('name'),
        booked: countWhere(sql`s.status <> 'canceled'`, 'booked'),
        created: sql<number>`count(*)`.as('created'),
        approved: sql<number>`count(s.approved_at)`.as('approved'),
        byPatient: countWhere(canceledBy(sql`= 'patient'`), 'by_patient'),
        byClinic: countWhere(canceledBy(sql`in ('staff', 'doctor', 'admin', 'api_key')`), 'by_clinic'),
        bySystem: countWhere(canceledBy(sql`= 'system'`), 'by_system'),
        noShows: sql<number>`count(s.no_show_at)`.as('no_shows'),
        completed: sql<number>`count(s.completed_at)`.as('completed'),
        lead: listTenths(sql.raw(lead), 'lead'),
        waiting: listTenths(sql`(s.first_called_at - s.checked_in_at)`, 'waiting'),
        visit: listTenths(sql`(s.completed_at - s.first_called_at)`, 'visit'),
      })
      .from(
        sql`bookings s where s.schedule_date between ${named('fromDate')} and ${named('toDate')}
          and s.held_until is null ${more} group by s.schedule_date, 1`,
      ),
  );

/** The numbers and the times of a range, by each grouping. */
const byEach = (more?: SQL) =>
  ({
    day: numbersBy('day', more),
    week: numbersBy('week', more),
    month: numbersBy('month', more),
    doctor: numbersBy('doctor', more),
    session: numbersBy('session', more),
    hour: numbersBy('hour', more),
    weekday_hour: numbersBy('weekday_hour', more),
    lead: numbersBy('lead', more),
  }) as const;

export const findNumbers = byEach();

/** The same of the archive: what has left the clinic's own database. */
export const findArchivedNumbers = byEach(sql`and s.settled = 1`);

const onWeekdays = (weekday: SQL, named: Named<Dates | 'weekdays'>): SQL =>
  sql`${weekday} in (select value from json_each(${named('weekdays')}))`;

/** The schedules in force on some of these dates, of doctors in service and sessions that are offered. */
export const findOffered = statement((db: Db, named: Named<Dates | 'weekdays'>) =>
  db
    .select({
      ...scheduleColumns,
      sessionName: sql<string>`${sessions.name}`.as('session_name'),
      doctorId: schedules.doctorId,
      doctorName: sql<string>`trim(${doctors.title} || ' ' || ${doctors.name})`.as('doctor_name'),
    })
    .from(schedules)
    .innerJoin(doctors, eq(doctors.id, schedules.doctorId))
    .innerJoin(sessions, eq(sessions.id, schedules.sessionId))
    .where(
      and(
        onWeekdays(sql`${schedules.weekday}`, named),
        isNull(schedules.retiredAt),
        isNull(doctors.retiredAt),
        isNull(sessions.retiredAt),
        sql`coalesce(${schedules.validFrom} <= ${named('toDate')}, true)`,
        sql`coalesce(${schedules.validUntil} >= ${named('fromDate')}, true)`,
      ),
    ),
);

/** Holidays, and the leave of doctors who have schedules, that touch these dates. */
export const findClosed = statement((db: Db, named: Named<Dates | 'weekdays'>) =>
  db
    .select(closureColumns)
    .from(closures)
    .where(
      sql`(${closures.doctorId} is null or ${closures.doctorId} in (select o.doctor_id from schedules o
          where ${onWeekdays(sql.raw('o.weekday'), named)} and o.retired_at is null))
        and ${closures.endDate} >= ${named('fromDate')} and ${closures.startDate} <= ${named('toDate')}`,
    ),
);
