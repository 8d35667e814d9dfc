import Database from 'libsql';
import { rowsOf } from './command-line.ts';

const dayMs = 86_400_000;

/** Opens a file for some work. */
export const within = <T>(path: string, work: (database: Database.Database) => T): T => {
  const database = new Database(path, { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
};

const columnsOf = (database: Database.Database, table: string): string[] =>
  (database.prepare(`select name from pragma_table_info('${table}')`).raw().all() as [string][]).map(
    ([name]) => name,
  );

/**
 * Gives a closed file so many visits of one patient, all older than a horizon of 400 days, each with its events; and a
 * newest event, which keeps its booking where it is. Unless a patient is named they are those of the first booking's.
 */
export const giveLongPast = (path: string, visits: number, patientId?: string): void =>
  within(path, (database) => {
    database.exec('pragma foreign_keys = off');
    const copied = (table: string, others: Record<string, string>): string =>
      columnsOf(database, table)
        .map((name) => others[name] ?? `b."${name}"`)
        .join(', ');
    const hex = "printf('%012x', i)";
    const far = `(500 + i) * ${dayMs}`;
    database.exec(`create table one as select * from bookings limit 1;
      create table own_events as select * from booking_events where booking_id = (select id from one);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${visits}) insert into bookings select ${copied(
        'bookings',
        {
          id: `substr(b.id, 1, 24) || ${hex}`,
          ...(patientId !== undefined && { patient_id: `'${patientId}'` }),
          write_id: `substr(b.write_id, 1, 24) || ${hex}`,
          booking_code: "'X' || i",
          schedule_date: "date(b.schedule_date, '-' || (500 + i) || ' days')",
          starts_at: `b.starts_at - ${far}`,
          ends_at: `b.ends_at - ${far}`,
          updated_at: `b.updated_at - ${far}`,
          status: "'approved'",
          completed_at: `b.ends_at - ${far}`,
          checked_in_at: `b.starts_at - ${far}`,
        },
      )} from n join one b;
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${visits}) insert into booking_events select ${copied(
        'booking_events',
        {
          sequence: `null`,
          write_id: `substr(b.write_id, 1, 24) || ${hex}`,
          booking_id: `substr(b.booking_id, 1, 24) || ${hex}`,
        },
      )} from n join own_events b;
      insert into booking_events select ${copied('booking_events', { sequence: 'null', version: 'b.version + 1', write_id: "'last'" })}
        from own_events b order by version desc limit 1;
      drop table one; drop table own_events;`);
  });

/** Each booking and each event with its content, of one file. */
export const rowsIn = (path: string): { bookings: string[]; events: string[] } => {
  const read = (table: string, by: string): string[] => {
    // The archive has the columns in another order.
    const names = rowsOf<[string]>(path, `select name from pragma_table_info('${table}')`)
      .map(([name]) => name)
      .filter((name) => name !== 'settled' && name !== by)
      .sort();
    const text = `json_array(${[by, ...names].map((name) => `"${name}"`).join(', ')})`;
    return rowsOf<[string]>(path, `select ${text} from ${table} order by ${by}`).map(([row]) => row);
  };
  return { bookings: read('bookings', 'id'), events: read('booking_events', 'sequence') };
};
