import { asc, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { FurtherRows } from '../db/copies/dump.ts';
import { type Named, statement } from '../db/statement.ts';
import { written } from '../db/written.ts';
import { bookings } from '../tables/bookings.ts';
import { bookingEvents } from '../tables/webhooks.ts';
import { listed } from './queries.ts';

// How bookings and events come into the archive, and which of them the clinic's own database still has.

type Row = typeof bookings.$inferSelect;
type EventRow = typeof bookingEvents.$inferSelect;

const columnsOf = (table: SQLiteTable) => Object.entries(getTableColumns(table));

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

const perColumn = (table: SQLiteTable, write: (name: string, at: number) => string): SQL =>
  sql.raw(
    columnsOf(table)
      .map(([, { name }], at) => write(name, at))
      .join(', '),
  );
const names = (table: SQLiteTable) => perColumn(table, (name) => `"${name}"`);
const values = (table: SQLiteTable) => perColumn(table, (_, at) => `j.value ->> ${at}`);
const replaced = (table: SQLiteTable) => perColumn(table, (name) => `"${name}" = excluded."${name}"`);

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
