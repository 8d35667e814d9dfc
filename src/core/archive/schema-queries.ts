import { getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type Named, statement } from '../db/statement.ts';
import { written } from '../db/written.ts';
import { bookings } from '../tables/bookings.ts';
import { bookingEvents } from '../tables/webhooks.ts';

const simple = (text: string) => statement((db, _named: Named<never>) => written(db, sql.raw(text)));

/** The columns of a table as the archive has them: without the conditions that the clinic's own database keeps. */
const describe = (table: SQLiteTable) =>
  Object.values(getTableColumns(table)).map((column) => {
    const given = column.hasDefault && typeof column.default !== 'object' ? column.default : undefined;
    const otherwise = typeof given === 'string' ? `'${given.replaceAll("'", "''")}'` : given;
    const suffix = otherwise === undefined ? '' : ` default ${otherwise}`;
    return { name: column.name, text: `"${column.name}" ${column.getSQLType()}${suffix}` };
  });

const own = [
  { name: 'settled', text: '"settled" integer not null default 0' },
  // Whose it was before it followed a merge: a database may be brought back to before that.
  { name: 'merged_from', text: '"merged_from" text' },
];

/** Each table with its columns, the first of which is its key. */
const described = {
  bookings: [...describe(bookings), ...own],
  booking_events: describe(bookingEvents),
};
export type ArchivedTable = keyof typeof described;

const create = (name: ArchivedTable): string => {
  const [key, ...others] = described[name].map(({ text }) => text);
  return `create table if not exists "${name}" (${key} primary key, ${others.join(', ')})`;
};

/** The tables and indexes of an archive, each made where it is missing. */
export const archiveTables = [
  create('bookings'),
  create('booking_events'),
  'create index if not exists bookings_history on bookings (patient_id, starts_at, id)',
  'create index if not exists bookings_day on bookings (schedule_date, starts_at, id)',
  'create index if not exists bookings_doctor on bookings (doctor_id, starts_at, id)',
  'create index if not exists bookings_code on bookings (booking_code)',
  'create index if not exists bookings_unsettled on bookings (id) where settled = 0',
  'create index if not exists booking_events_version on booking_events (booking_id, version)',
  'create table if not exists archive (id integer primary key, clinic_id text not null, next_at integer not null, time_zone text)',
].map(simple);

/** Which columns a table has. */
export const findColumns = statement((db, named: Named<'table'>) =>
  db.select({ name: sql<string>`name`.as('name') }).from(sql`pragma_table_info(${named('table')})`),
);

/** The columns that a newer version added, for an archive that was made before. */
export const missingColumns = (table: ArchivedTable, found: readonly { name: string }[]) => {
  const names = new Set(found.map(({ name }) => name));
  return described[table]
    .filter(({ name }) => !names.has(name))
    .map(({ text }) => simple(`alter table "${table}" add column ${text}`));
};

/** Whose archive it is, and when its job runs next. */
export const claimArchive = statement((db, named: Named<'clinicId'>) =>
  written(
    db,
    sql`insert into archive (id, clinic_id, next_at) values (1, ${named('clinicId')}, 0) on conflict do nothing`,
  ),
);
export const findArchive = statement((db, _named: Named<never>) =>
  db
    .select({
      clinicId: sql<string>`clinic_id`.as('clinic_id'),
      nextAt: sql<number>`next_at`.as('next_at'),
    })
    .from(sql`archive`),
);
/** The zone by which the instants of its bookings are computed; null until the job has noted it. */
export const findZone = statement((db, _named: Named<never>) =>
  db.select({ zone: sql<string | null>`time_zone`.as('time_zone') }).from(sql`archive`),
);
export const noteZone = statement((db, named: Named<'zone'>) =>
  written(db, sql`update archive set time_zone = ${named('zone')}`),
);

export const noteNext = statement((db, named: Named<'at'>) =>
  written(db, sql`update archive set next_at = ${named('at')}`),
);
