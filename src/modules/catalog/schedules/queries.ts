import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { columnGroup } from '../../../core/db/row-columns.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { schedules } from '../../../core/tables/catalog.ts';
import { scheduleFields } from '../fields/schedules.ts';

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

/** No other active schedule of the doctor overlaps the new one in weekday, hours and validity. */
const noOverlap: SQL = sql`(r.retired_at is not null or not exists (select 1 from schedules s where s.doctor_id = r.doctor_id
  and s.weekday = r.weekday and s.retired_at is null and s.id <> r.id
  and s.start_time < r.end_time and s.end_time > r.start_time
  and (s.valid_from is null or r.valid_until is null or s.valid_from <= r.valid_until)
  and (s.valid_until is null or r.valid_from is null or s.valid_until >= r.valid_from)))`;

const doctorServes: SQL = sql`exists (select 1 from doctors d where d.id = r.doctor_id and d.retired_at is null)`;
const sessionServes: SQL = sql`exists (select 1 from sessions e where e.id = r.session_id and e.retired_at is null)`;

const written = { ...inputColumns.fromRow, updatedAt: sql`r.now` };

/** Adds the schedule; does nothing if it overlaps another or its doctor or session is not in service. */
export const insertSchedule = rowStatement(scheduleInput, (db, row) =>
  insertFromRow(
    db,
    schedules,
    row,
    {
      id: sql`r.id`,
      doctorId: sql`r.doctor_id`,
      ...written,
      createdAt: sql`r.now`,
    },
    sql`from r where ${noOverlap} and ${doctorServes} and ${sessionServes}`,
  ).returning(),
);

/** Updates the schedule if it still has the previous version and overlaps no other; otherwise does nothing. */
export const updateSchedule = rowStatement(scheduleInput, (db, row) =>
  db
    .update(schedules)
    .set(written)
    .from(fromRow(row))
    .where(
      and(
        sql`${schedules.id} = r.id`,
        sql`${schedules.version} = r.version - 1`,
        noOverlap,
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
      doctorServes: asTruth(doctorServes, 'doctor_serves'),
      sessionServes: asTruth(sessionServes, 'session_serves'),
    })
    .from(fromRow(row)),
);
