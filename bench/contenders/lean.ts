import { DatabaseSync } from 'node:sqlite';

interface Column {
  name: string;
  type: string;
}

const columnsOf = (db: DatabaseSync, table: string) =>
  db.prepare(`select name, type from pragma_table_info('${table}')`).all() as unknown as Column[];

const remake = (db: DatabaseSync, table: string, key: string): void => {
  const columns = columnsOf(db, table);
  const definitions = columns.map(({ name, type }) =>
    name === key ? `"${name}" ${type} primary key` : `"${name}" ${type}`,
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  db.exec(`create table lean (${definitions.join(', ')})`);
  db.exec(`insert into lean (${names}) select ${names} from ${table}`);
  db.exec(`drop table ${table}`);
  db.exec(`alter table lean rename to ${table}`);
};

/**
 * Gives a copy of the data the tables that the floor's own queries need: bookings with the two indexes by which a seat
 * and a patient's day are found, events with their number alone; the rows stay.
 */
export const makeLean = (path: string): void => {
  const db = new DatabaseSync(path);
  db.exec('pragma foreign_keys = off; pragma legacy_alter_table = on');
  const triggers = db.prepare("select name from sqlite_schema where type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`drop trigger "${name}"`);
  remake(db, 'bookings', 'id');
  remake(db, 'booking_events', 'sequence');
  db.exec("create unique index lean_seat on bookings (doctor_id, starts_at) where status <> 'canceled'");
  db.exec('create index lean_patient on bookings (patient_id, starts_at)');
  db.close();
};
