import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { closureColumns, scheduleColumns } from '../../catalog/slots/queries.ts';
import type { Db } from '../../db/db.ts';
import { type Named, statement } from '../../db/statement.ts';
import { closures, doctors, schedules, sessions } from '../../tables/catalog.ts';
import type { Grouping, Measure } from './rules.ts';

type Dates = 'fromDate' | 'toDate';

/** When the patient was called first: the one place to change once a booking keeps that. */
const firstCalledAt = sql.raw('s.called_at');

const keys = {
  day: { key: sql.raw('s.schedule_date'), name: sql`null` },
  doctor: {
    key: sql.raw('s.doctor_id'),
    name: sql`(select trim(d.title || ' ' || d.name) from doctors d where d.id = s.doctor_id)`,
  },
  session: {
    key: sql.raw('s.session_id'),
    name: sql`(select e.name from sessions e where e.id = s.session_id)`,
  },
  hour: { key: sql.raw('substr(s.schedule_time, 1, 2)'), name: sql`null` },
} as const satisfies Record<Grouping, { key: SQL; name: SQL }>;

/** The bookings of a range of dates, by the index on them: what it costs follows the range. */
const ofDates = (named: Named<Dates>): SQL =>
  sql`bookings s where s.schedule_date between ${named('fromDate')} and ${named('toDate')}`;

const countOf = (condition: SQL, name: string) =>
  sql<number>`count(case when ${condition} then 1 end)`.as(name);
const canceledBy = (by: SQL): SQL => sql`s.status = 'canceled' and s.canceled_by ${by}`;

const numbersBy = (by: Grouping) =>
  statement((db, named: Named<Dates>) =>
    db
      .select({
        key: sql<string>`${keys[by].key}`.as('key'),
        name: sql<string | null>`${keys[by].name}`.as('name'),
        booked: countOf(sql`s.status <> 'canceled'`, 'booked'),
        created: sql<number>`count(*)`.as('created'),
        approved: sql<number>`count(s.approved_at)`.as('approved'),
        byPatient: countOf(canceledBy(sql`= 'patient'`), 'by_patient'),
        byClinic: countOf(canceledBy(sql`in ('staff', 'doctor', 'admin')`), 'by_clinic'),
        bySystem: countOf(canceledBy(sql`= 'system'`), 'by_system'),
        noShows: sql<number>`count(s.no_show_at)`.as('no_shows'),
        completed: sql<number>`count(s.completed_at)`.as('completed'),
      })
      .from(sql`${ofDates(named)} group by 1`),
  );

/**
 * Median and 90th percentile by nearest rank, of each group and (under the key null) of all together. Of bookings that
 * stand; whoever was booked after the start counts as booked at the start.
 */
const timesBy = (by: Grouping) =>
  statement((db, named: Named<Dates>) =>
    db
      .select({
        measure: sql<Measure>`measure`.as('measure'),
        key: sql<string | null>`key`.as('key'),
        median: sql<number>`max(case when place = (number + 1) / 2 then ms end)`.as('median'),
        p90: sql<number>`max(case when place = (number * 9 + 9) / 10 then ms end)`.as('p90'),
      })
      .from(
        sql`(with t as materialized (select ${keys[by].key} as key, max(0, s.starts_at - s.created_at) as lead,
              ${firstCalledAt} - s.checked_in_at as waiting, s.completed_at - ${firstCalledAt} as visit
            from ${ofDates(named)} and s.status <> 'canceled'),
          m as (select 'lead' as measure, key, lead as ms from t
            union all select 'waiting', key, waiting from t where waiting is not null
            union all select 'visit', key, visit from t where visit is not null),
          a as (select measure, key, ms from m union all select measure, null, ms from m)
          select measure, key, ms, row_number() over (partition by measure, key order by ms) as place,
            count(*) over (partition by measure, key) as number from a) x group by 1, 2`,
      ),
  );

/** The numbers and the times of a range, by each grouping. */
export const statisticsBy = {
  day: { numbers: numbersBy('day'), times: timesBy('day') },
  doctor: { numbers: numbersBy('doctor'), times: timesBy('doctor') },
  session: { numbers: numbersBy('session'), times: timesBy('session') },
  hour: { numbers: numbersBy('hour'), times: timesBy('hour') },
} as const;

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
