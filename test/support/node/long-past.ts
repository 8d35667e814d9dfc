import Database from 'libsql';
import { longPast } from '../long-past.ts';
import { rowsOf } from './command-line.ts';

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

/** Gives a closed file so many visits of one patient, all older than a horizon of 400 days. */
export const giveLongPast = (path: string, visits: number, patientId?: string): void =>
  within(path, (database) => {
    database.exec('pragma foreign_keys = off');
    for (const text of longPast((table) => columnsOf(database, table), visits, patientId))
      database.exec(text);
  });

/** Lets these visits be as an import of past visits makes them: sound without events. */
export const asImported = (path: string): void =>
  within(path, (database) => {
    database.exec(`update bookings set channel = 'imported', queue_number = 0, queue_label = '', approved_at = created_at
      where id like '%-0000000000__';
      delete from booking_events where booking_id like '%-0000000000__' or write_id = 'last'`);
  });

/** Each booking and each event with its content, of one file. */
export const rowsIn = (path: string): { bookings: string[]; events: string[] } => {
  const read = (table: string, by: string): string[] => {
    // The archive has the columns in another order.
    const names = rowsOf<[string]>(path, `select name from pragma_table_info('${table}')`)
      .map(([name]) => name)
      .filter((name) => name !== 'settled' && name !== 'merged_from' && name !== by)
      .sort();
    const text = `json_array(${[by, ...names].map((name) => `"${name}"`).join(', ')})`;
    return rowsOf<[string]>(path, `select ${text} from ${table} order by ${by}`).map(([row]) => row);
  };
  return { bookings: read('bookings', 'id'), events: read('booking_events', 'sequence') };
};
