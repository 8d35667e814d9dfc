import { asc, desc, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { FurtherRows } from '../db/copies/dump.ts';
import { type Named, statement } from '../db/statement.ts';
import { written } from '../db/written.ts';
import { bookings } from '../tables/bookings.ts';
import { bookingEvents } from '../tables/webhooks.ts';

// The archive has the bookings and events of the clinic's database in tables of the same names, and nothing else:
// whoever reads a name from it asks the clinic's database for it.

type Row = typeof bookings.$inferSelect;
type EventRow = typeof bookingEvents.$inferSelect;
/** An archived booking, and whether it is known to have left the clinic's own database. */
export type ArchivedRow = Row & { settled: number };

const shown = { ...getTableColumns(bookings), settled: sql<number>`settled`.as('settled') };

const columnsOf = (table: SQLiteTable) => Object.entries(getTableColumns(table));
const listed = (value: SQL, list: SQL): SQL => sql`${value} in (select value from json_each(${list}))`;

/** Rows as lists of their values, in the order of the columns. */
export const toLists = (table: SQLiteTable, rows: readonly object[]): unknown[][] =>
  rows.map((row) => columnsOf(table).map(([key]) => (row as Record<string, unknown>)[key]));
export const bookingLists = (rows: readonly Row[]): string => JSON.stringify(toLists(bookings, rows));
export const eventLists = (rows: readonly EventRow[]): string => JSON.stringify(toLists(bookingEvents, rows));

const rowsOf = (table: SQLiteTable, rows: readonly object[]): FurtherRows => ({
  table: getTableName(table),
  columns: columnsOf(table).map(([, { name }]) => name),
  rows: toLists(table, rows),
});
/** Rows as a copy of the clinic's database has them. */
export const bookingRows = (rows: readonly Row[]): FurtherRows => rowsOf(bookings, rows);
export const eventRows = (rows: readonly EventRow[]): FurtherRows => rowsOf(bookingEvents, rows);

const names = (table: SQLiteTable): SQL =>
  sql.raw(
    columnsOf(table)
      .map(([, { name }]) => `"${name}"`)
      .join(', '),
  );
const values = (table: SQLiteTable): SQL =>
  sql.raw(
    columnsOf(table)
      .map((_, at) => `j.value ->> ${at}`)
      .join(', '),
  );
const replaced = (table: SQLiteTable): SQL =>
  sql.raw(
    columnsOf(table)
      .map(([, { name }]) => `"${name}" = excluded."${name}"`)
      .join(', '),
  );

/** Copies bookings: one that is there already is replaced, unless it is a later version. */
export const copyBookings = statement((db, named: Named<'rows'>) =>
  written(
    db,
    sql`insert into bookings (${names(bookings)}, settled) select ${values(bookings)}, 0 from json_each(${named('rows')}) j
      where true on conflict (id) do update set ${replaced(bookings)}, settled = 0, merged_from = null
      where excluded.version >= bookings.version`,
  ),
);
export const copyEvents = statement((db, named: Named<'rows'>) =>
  written(
    db,
    sql`insert into booking_events (${names(bookingEvents)}) select ${values(bookingEvents)} from json_each(${named('rows')}) j
      where true on conflict (sequence) do update set ${replaced(bookingEvents)}`,
  ),
);

/** Bookings that may still be in the clinic's database: a process ended between the copy and the removal. */
export const findUnsettled = statement((db, named: Named<'afterId' | 'limit'>) =>
  db
    .select({ id: bookings.id })
    .from(bookings)
    .where(sql`settled = 0 and ${bookings.id} > ${named('afterId')}`)
    .orderBy(asc(bookings.id))
    .limit(named('limit')),
);
/** Of those in a range of ids: whose they are, and whose they were before they followed a merge. */
export const findUnsettledMerged = statement((db, named: Named<'afterId' | 'lastId'>) =>
  db
    .selectDistinct({ id: bookings.patientId, of: sql<string>`merged_from`.as('of') })
    .from(bookings)
    .where(
      sql`settled = 0 and ${bookings.id} > ${named('afterId')} and ${bookings.id} <= ${named('lastId')}
        and merged_from is not null`,
    ),
);
/** Notes that these bookings have left the clinic's own database. */
export const settle = statement((db, named: Named<'ids'>) =>
  written(
    db,
    sql`update bookings set settled = 1 where settled = 0 and ${listed(sql`id`, sql`${named('ids')}`)}`,
  ),
);

/** For a database that is brought back to an earlier moment: lets bookings be compared with it again, those of a range of ids. */
export const unsettle = statement((db, named: Named<'afterId' | 'lastId'>) =>
  written(
    db,
    sql`update bookings set settled = 0 where settled = 1 and id > ${named('afterId')} and id <= ${named('lastId')}`,
  ),
);
/** The last id of the next range. */
export const findRangeEnd = statement((db, named: Named<'afterId' | 'limit'>) =>
  db
    .select({ id: sql<string | null>`max(r.id)`.as('id') })
    .from(
      sql`(select id from bookings where id > ${named('afterId')} order by id limit ${named('limit')}) r`,
    ),
);

/** Of the clinic's own database: which of these it still has. */
export const findStanding = statement((db, named: Named<'ids'>) =>
  db
    .select({ id: bookings.id })
    .from(bookings)
    .where(listed(sql`${bookings.id}`, sql`${named('ids')}`)),
);

export const findArchivedById = statement((db, named: Named<'ids'>) =>
  db
    .select(shown)
    .from(bookings)
    .where(listed(sql`${bookings.id}`, sql`${named('ids')}`)),
);
export const findArchivedByCode = statement((db, named: Named<'code'>) =>
  db
    .select(shown)
    .from(bookings)
    .where(sql`${bookings.bookingCode} = ${named('code')}`),
);

type OfPatients =
  | 'patientIds'
  | 'fromStart'
  | 'beforeStart'
  | 'endsBy'
  | 'cursorStart'
  | 'cursorId'
  | 'status'
  | 'doctorId'
  | 'limit';

/** One page of the bookings of some patients, the newest first. */
export const findArchivedOfPatients = statement((db, named: Named<OfPatients>) =>
  db
    .select(shown)
    .from(bookings)
    .where(
      sql`${listed(sql`${bookings.patientId}`, sql`${named('patientIds')}`)}
        and ${bookings.startsAt} >= ${named('fromStart')} and ${bookings.startsAt} < ${named('beforeStart')}
        and ${bookings.endsAt} <= ${named('endsBy')}
        and (${bookings.startsAt}, ${bookings.id}) < (${named('cursorStart')}, ${named('cursorId')})
        and (${named('status')} is null or ${bookings.status} = ${named('status')})
        and (${named('doctorId')} is null or ${bookings.doctorId} = ${named('doctorId')})`,
    )
    .orderBy(desc(bookings.startsAt), desc(bookings.id))
    .limit(named('limit')),
);

/** How often a patient came, did not come and canceled, of those that have left the clinic's own database. */
export const countArchivedVisits = statement((db, named: Named<'patientId'>) =>
  db
    .select({
      completed: sql<number>`count(${bookings.completedAt})`.as('completed'),
      noShows: sql<number>`count(${bookings.noShowAt})`.as('no_shows'),
      cancellations: sql<number>`count(case when ${bookings.status} = 'canceled' then 1 end)`.as(
        'cancellations',
      ),
    })
    .from(bookings)
    .where(sql`${bookings.patientId} = ${named('patientId')} and settled = 1`),
);

/** One page of all bookings in the order of their ids, of those that were changed since an instant. */
export const findArchivedFrom = statement((db, named: Named<'since' | 'afterId' | 'limit'>) =>
  db
    .select(shown)
    .from(bookings)
    .where(sql`${bookings.id} > ${named('afterId')} and ${bookings.updatedAt} >= ${named('since')}`)
    .orderBy(asc(bookings.id))
    .limit(named('limit')),
);

/** The events of some bookings, each booking's in order, after a version. */
export const findArchivedEvents = statement((db, named: Named<'ids' | 'afterVersion' | 'limit'>) =>
  db
    .select()
    .from(bookingEvents)
    .where(
      sql`${listed(sql`${bookingEvents.bookingId}`, sql`${named('ids')}`)} and ${bookingEvents.version} > ${named('afterVersion')}`,
    )
    .orderBy(asc(bookingEvents.bookingId), asc(bookingEvents.version))
    .limit(named('limit')),
);

/** All events after a number, in order. */
export const findEventsAfter = statement((db, named: Named<'afterSequence' | 'limit'>) =>
  db
    .select()
    .from(bookingEvents)
    .where(sql`${bookingEvents.sequence} > ${named('afterSequence')}`)
    .orderBy(asc(bookingEvents.sequence))
    .limit(named('limit')),
);

/** Of the clinic's own database: which of these codes its bookings have. */
export const findCodesTaken = statement((db, named: Named<'codes'>) =>
  db
    .select({ code: bookings.bookingCode })
    .from(bookings)
    .where(listed(sql`${bookings.bookingCode}`, sql`${named('codes')}`)),
);
/** Which of these bookings have the code of another archived one, whose id is lower. */
export const findTwiceGiven = statement((db, named: Named<'ids'>) =>
  db
    .select({ id: bookings.id })
    .from(bookings)
    .where(
      sql`${listed(sql`${bookings.id}`, sql`${named('ids')}`)} and exists
        (select 1 from bookings o where o.booking_code = ${bookings.bookingCode} and o.id < ${bookings.id})`,
    ),
);

/** Whose bookings are archived, in the order of the ids. */
export const findArchivedPatients = statement((db, named: Named<'afterId' | 'limit'>) =>
  db
    .selectDistinct({ id: bookings.patientId })
    .from(bookings)
    .where(sql`${bookings.patientId} > ${named('afterId')}`)
    .orderBy(asc(bookings.patientId))
    .limit(named('limit')),
);

const isLastEvent = sql`version = (select b.version from bookings b where b.id = booking_id)`;

/** The bookings of a record become those of another one: all, or those that were `of` that before they followed a merge. */
export const leadArchivedOn = statement((db, named: Named<'from' | 'to' | 'of'>) =>
  written(
    db,
    sql`update bookings set patient_id = ${named('to')}, merged_from = nullif(coalesce(merged_from, patient_id), ${named('to')})
      where patient_id = ${named('from')} and merged_from is coalesce(${named('of')}, merged_from)`,
  ),
);
/** After it: the last event of each shows the booking as it is. */
export const leadArchivedEventsOn = statement((db, named: Named<'to'>) =>
  written(
    db,
    sql`update booking_events set payload = json_set(payload, '$.patient_id', ${named('to')})
      where booking_id in (select id from bookings where patient_id = ${named('to')}) and ${isLastEvent}
        and payload ->> '$.patient_id' <> ${named('to')}`,
  ),
);

const ofPatients = (ids: SQL): SQL => listed(sql`patient_id`, ids);

/** What a person's erasure takes out of the clinic's database, it takes out of these bookings too. */
export const clearArchived = statement((db, named: Named<'patientIds'>) =>
  written(
    db,
    sql`update bookings set notes = '', staff_notes = '', cancel_reason = null, referral_number = null, answers = null,
      external_id = null, metadata = null where ${ofPatients(sql`${named('patientIds')}`)}
      and (notes, staff_notes, cancel_reason, referral_number, external_id, metadata, answers)
      is not ('', '', null, null, null, null, null)`,
  ),
);
/** And out of their events. */
export const clearArchivedEvents = statement((db, named: Named<'patientIds'>) =>
  written(
    db,
    sql`update booking_events set payload = json_remove(payload, '$.external_id', '$.metadata')
      where booking_id in (select id from bookings where ${ofPatients(sql`${named('patientIds')}`)})
      and (payload like '%"external_id"%' or payload like '%"metadata"%')`,
  ),
);

/** The archived bookings that are older than a clinic keeps them, the oldest first. */
export const findOutdated = statement((db, named: Named<'before' | 'limit'>) =>
  db
    .select({ id: bookings.id })
    .from(bookings)
    .where(sql`${bookings.scheduleDate} < ${named('before')}`)
    .orderBy(asc(bookings.scheduleDate), asc(bookings.startsAt), asc(bookings.id))
    .limit(named('limit')),
);
export const removeArchivedEvents = statement((db, named: Named<'ids'>) =>
  written(db, sql`delete from booking_events where ${listed(sql`booking_id`, sql`${named('ids')}`)}`),
);
export const removeArchived = statement((db, named: Named<'ids'>) =>
  written(db, sql`delete from bookings where ${listed(sql`id`, sql`${named('ids')}`)}`),
);

/** The local times of archived bookings with the instant of each, after a date. */
export const findTimes = statement((db, named: Named<'afterDate' | 'limit'>) =>
  db
    .selectDistinct({
      date: bookings.scheduleDate,
      time: bookings.scheduleTime,
      startsAt: bookings.startsAt,
    })
    .from(bookings)
    .where(sql`${bookings.scheduleDate} > ${named('afterDate')} and ${bookings.scheduleDate} <=
      (select max(d.schedule_date) from (select distinct schedule_date from bookings
        where schedule_date > ${named('afterDate')} order by schedule_date limit ${named('limit')}) d)`)
    .orderBy(asc(bookings.scheduleDate)),
);
const movedInstant = (column: SQL, { from, to }: Record<'from' | 'to', SQL>): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', (b.${column} + ${to} - ${from}) / 1000, 'unixepoch')`;

/** Before it: the last event of each shows the booking as it is. */
export const moveTimeOfEvents = statement((db, named: Named<'date' | 'time' | 'from' | 'to'>) => {
  const span = { from: sql`${named('from')}`, to: sql`${named('to')}` };
  return written(
    db,
    sql`update booking_events set payload = json_set(payload, '$.starts_at', ${movedInstant(sql`starts_at`, span)},
      '$.ends_at', ${movedInstant(sql`ends_at`, span)}) from bookings b where b.id = booking_events.booking_id
      and b.version = booking_events.version and b.schedule_date = ${named('date')}
      and b.schedule_time = ${named('time')} and b.starts_at = ${named('from')}`,
  );
});
/** The bookings of a local time take another instant. */
export const moveTime = statement((db, named: Named<'date' | 'time' | 'from' | 'to'>) =>
  written(
    db,
    sql`update bookings set ends_at = ends_at + ${named('to')} - starts_at, starts_at = ${named('to')}
      where schedule_date = ${named('date')} and schedule_time = ${named('time')} and starts_at = ${named('from')}`,
  ),
);
