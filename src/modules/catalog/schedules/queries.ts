import { and, asc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { columnGroup } from '../../../core/db/row-columns.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { schedules } from '../../../core/tables/catalog.ts';
import { scheduleFields } from '../fields/schedules.ts';
import { isItsWeek } from '../slots/schedule-guards.ts';

export type ScheduleRow = typeof schedules.$inferSelect;

export const findSchedule = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(schedules)
    .where(eq(schedules.id, named('id'))),
);

/**
 * One page of schedules by doctor, weekday and start, of one doctor or of all; a doctor's account gets only its own.
 */
export const findSchedulePage = statement(
  (
    db,
    named: Named<
      | 'afterDoctor'
      | 'afterWeekday'
      | 'afterStart'
      | 'afterId'
      | 'firstDoctor'
      | 'lastDoctor'
      | 'accountId'
      | 'limit'
    >,
  ) =>
    db
      .select()
      .from(schedules)
      .where(
        sql`(${schedules.doctorId}, ${schedules.weekday}, ${schedules.startTime}, ${schedules.id})
          > (${named('afterDoctor')}, ${named('afterWeekday')}, ${named('afterStart')}, ${named('afterId')})
          and ${schedules.doctorId} >= ${named('firstDoctor')} and ${schedules.doctorId} <= ${named('lastDoctor')}
          and not exists (select 1 from users u where u.id = ${named('accountId')}
            and u.role = 'doctor' and u.doctor_id <> ${schedules.doctorId})`,
      )
      .orderBy(asc(schedules.doctorId), asc(schedules.weekday), asc(schedules.startTime), asc(schedules.id))
      .limit(named('limit')),
);

/** The columns that both an insert and an update take from the input. */
const inputColumns = columnGroup(schedules, [...scheduleFields.names, 'version', 'retiredAt']);

const scheduleInput = ['id', 'doctorId', ...inputColumns.names, 'now'] as const;

/** The hours before the break, or all of them, and those after it: null without a break, and then they overlap nothing. */
const spansOf = (alias: 's' | 'r'): readonly (readonly [from: SQL, until: SQL])[] => [
  [sql.raw(`${alias}.start_time`), sql.raw(`coalesce(${alias}.break_start, ${alias}.end_time)`)],
  [sql.raw(`${alias}.break_end`), sql.raw(`${alias}.end_time`)],
];

const hoursOverlap: SQL = sql`(${sql.join(
  spansOf('s').flatMap(([from, until]) =>
    spansOf('r').map(([otherFrom, otherUntil]) => sql`(${from} < ${otherUntil} and ${otherFrom} < ${until})`),
  ),
  sql` or `,
)})`;

const laterStart = sql`max(coalesce(s.valid_from, '1970-01-05'), coalesce(r.valid_from, '1970-01-05'))`;

/** The dates of their weekday from the later start on, as many as two rhythms of eight weeks need to meet. */
const date = sql`date(d.since, '+' || (7 * d.k + (r.weekday - ((strftime('%w', d.since) + 6) % 7 + 1) + 7) % 7) || ' days')`;

/** Both hold on a date that is in a week of both. */
const shareDate: SQL = sql`exists (with recursive n(k) as (select 0 union all select k + 1 from n where k < 63)
  select 1 from (select n.k, ${laterStart} as since from n) d
  where ${date} <= min(coalesce(s.valid_until, '9999-12-31'), coalesce(r.valid_until, '9999-12-31'))
  and ${isItsWeek(sql`s.every_weeks`, sql`s.valid_from`, date)}
  and ${isItsWeek(sql`r.every_weeks`, sql`r.valid_from`, date)})`;

const validityOverlaps = sql`(s.valid_from is null or r.valid_until is null or s.valid_from <= r.valid_until)
  and (s.valid_until is null or r.valid_from is null or s.valid_until >= r.valid_from)
  and ((s.every_weeks = 1 and r.every_weeks = 1) or ${shareDate})`;

/** Another schedule `s` in force at the same time on a date that `r` has too. */
const isAtOnce = sql`s.weekday = r.weekday and s.retired_at is null and s.id <> r.id and ${hoursOverlap}
  and ${validityOverlaps}`;

/** No other active schedule of the doctor overlaps the new one on any date. */
const noOverlap: SQL = sql`(r.retired_at is not null or not exists (select 1 from schedules s
  where s.doctor_id = r.doctor_id and ${isAtOnce}))`;

/** On a date that is not over anywhere: whose room was shared once shares none now. */
const isYetToCome = sql`min(coalesce(s.valid_until, '9999-12-31'), coalesce(r.valid_until, '9999-12-31'))
  >= date(r.now / 1000, 'unixepoch', '-12 hours')`;

/** Schedules `s` of other doctors in service who have the room at the same time. */
const sharing = sql`schedules s indexed by schedules_weekday cross join doctors o on o.id = s.doctor_id
  and o.retired_at is null where r.retired_at is null and trim(r.room) <> '' and s.doctor_id <> r.doctor_id
  and lower(trim(s.room)) = lower(trim(r.room)) and ${isYetToCome} and ${isAtOnce}`;

const refusesShared = sql`exists (select 1 from clinic c where c.id = 1 and c.refuse_shared_rooms = 1)`;

/** The room is free, or the clinic only wants to be told. */
const roomFree: SQL = sql`(not ${refusesShared} or not exists (select 1 from ${sharing}))`;

/** The schedules of a doctor who returns. */
const ofReturning = (doctorId: string | Placeholder, now: number | Placeholder): SQL =>
  sql`(select h.*, ${now} as now from schedules h where h.doctor_id = ${doctorId}) r`;

/** The same of every schedule of a doctor who returns. */
export const roomsFreeFor = (doctorId: string, now: number): SQL =>
  sql`(not ${refusesShared} or not exists (select 1 from ${ofReturning(doctorId, now)} cross join ${sharing}))`;

const doctorServes: SQL = sql`exists (select 1 from doctors d where d.id = r.doctor_id and d.retired_at is null)`;
const sessionServes: SQL = sql`exists (select 1 from sessions e where e.id = r.session_id and e.retired_at is null)`;

/** Adds the schedule; does nothing if it overlaps another or its doctor or session is not in service. */
export const insertSchedule = rowStatement(scheduleInput, (db, row) =>
  insertFromRow(
    db,
    schedules,
    row,
    sql`from r where ${noOverlap} and ${roomFree} and ${doctorServes} and ${sessionServes}`,
    { updatedAt: sql`r.now`, createdAt: sql`r.now` },
  ).returning(),
);

/** Updates the schedule if it still has the previous version and overlaps no other; otherwise does nothing. */
export const updateSchedule = rowStatement(scheduleInput, (db, row) =>
  db
    .update(schedules)
    .set({ ...inputColumns.fromRow, updatedAt: sql`r.now` })
    .from(fromRow(row))
    .where(
      and(
        sql`${schedules.id} = r.id`,
        sql`${schedules.version} = r.version - 1`,
        noOverlap,
        roomFree,
        sql`(${sessionServes} or ${schedules.sessionId} = r.session_id)`,
      ),
    )
    .returning({ id: schedules.id }),
);

const asTruth = (condition: SQL, name: string) => sql<number>`${condition}`.as(name);

/** Why a schedule cannot be saved. */
export const explainSchedule = rowStatement(scheduleInput, (db, row) =>
  db
    .select({
      noOverlap: asTruth(noOverlap, 'no_overlap'),
      roomFree: asTruth(roomFree, 'room_free'),
      doctorServes: asTruth(doctorServes, 'doctor_serves'),
      sessionServes: asTruth(sessionServes, 'session_serves'),
    })
    .from(fromRow(row)),
);

const sharingColumns = {
  scheduleId: sql<string>`x.id`.as('schedule_id'),
  doctorId: sql<string>`x.doctor_id`.as('sharing_doctor_id'),
  doctorName: sql<string>`x.doctor_name`.as('doctor_name'),
  weekday: sql<number>`x.weekday`.as('weekday'),
  startTime: sql<string>`x.start_time`.as('start_time'),
  endTime: sql<string>`x.end_time`.as('end_time'),
};

const sharer = sql`select s.id, s.doctor_id, trim(o.title || ' ' || o.name) as doctor_name, s.weekday, s.start_time, s.end_time`;

/** The schedules of other doctors that have the room at the same time. */
export const findSharing = rowStatement(scheduleInput, (db, row) =>
  db.select(sharingColumns).from(sql`(with ${row} ${sharer} from r cross join ${sharing}) x`).limit(20),
);

/** The same of all schedules of a doctor, and whether the clinic refuses them. */
export const findSharingWith = statement((db, named: Named<'doctorId' | 'now'>) =>
  db
    .select({ ...sharingColumns, isRefused: sql<number>`${refusesShared}`.as('is_refused') })
    .from(sql`(${sharer} from ${ofReturning(named('doctorId'), named('now'))} cross join ${sharing}) x`)
    .limit(20),
);
