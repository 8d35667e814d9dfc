import { createHash } from 'node:crypto';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import Database from 'libsql';
import { knownMigrations, migrationsFolder } from '../../../src/runtime/node/database/migrations.ts';

const dayMs = 86_400_000;
const doctors = 10;
const perDay = 16;
const patients = 500;

const id = (kind: number, number: string) =>
  `printf('be7d${String(kind).padStart(4, '0')}-0000-4000-8000-%012d', ${number})`;
const numbers = (below: number) =>
  `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${below})`;

/** Data as the service of that version wrote it: bookings of past days, each approved and then canceled or not. */
const rowsOf = (count: number): string[] => {
  // A doctor's day has sixteen bookings from 07:00 in Jakarta on, by the half hour.
  const firstDay = Date.UTC(2024, 0, 1);
  const at = `(${firstDay} + (i / ${doctors * perDay}) * ${dayMs} + (i / ${doctors} % ${perDay}) * 1800000)`;
  const local = `(${at} + 25200000) / 1000, 'unixepoch'`;
  const isoOf = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;
  const event = (type: string, version: number, status: string) =>
    `insert into booking_events (write_id, booking_id, version, type, actor_id, actor_role, request_id, occurred_at,
        payload)
      select ${id(10 + version, 'rowid')}, id, ${version}, 'booking.${type}', patient_id, 'patient', 'fill', updated_at,
        json_object('booking_id', id, 'version', ${version}, 'patient_id', patient_id, 'doctor_id', doctor_id,
          'session_id', session_id, 'schedule_date', schedule_date, 'schedule_time', schedule_time,
          'starts_at', ${isoOf('starts_at')}, 'ends_at', ${isoOf('ends_at')}, 'status', '${status}',
          'queue_number', queue_number, 'queue_label', queue_label, 'canceled_by', null, 'reason_code', null,
          'visit', null, 'overbooked', json('false'), 'actor_role', 'patient') from bookings`;
  return [
    `insert into clinic (id, clinic_id, time_zone, calendar_version) values (1, 'klinik-lama', 'Asia/Jakarta', 1)`,
    `insert into users (id, name, email, phone_number, phone_country_code, device_id, role, password_hash, created_at,
      updated_at) ${numbers(patients)} select ${id(3, 'i')}, 'Pasien ' || i, 'lama' || i || '@klinik.example',
      '81' || i, '62', '', 'patient', '', 1, 1 from n`,
    `insert into patients (id, name, phone_number, phone_country_code, staff_notes, created_by, created_at, updated_at)
      select id, name, phone_number, phone_country_code, '', id, 1, 1 from users`,
    `insert into search_words (owner_id, kind, word) select id, 'person', 'pasien' from users`,
    `insert into device_logins (id, user_id, device_id, user_agent, created_at, last_seen_at, expires_at)
      select ${id(7, 'rowid')}, id, '', 'lama', 1, 1, 4102444800000 from users`,
    `insert into refresh_tokens (hash, device_login_id, generation, issued_at, expires_at)
      select 'hash ' || id, id, 0, 1, 4102444800000 from device_logins`,
    `insert into sessions (id, name, created_at, updated_at) values (${id(2, '0')}, 'Konsultasi', 1, 1)`,
    `insert into doctors (id, name, title, specialty, calendar_version, created_at, updated_at) ${numbers(doctors)}
      select ${id(1, 'i')}, 'Lama ' || i, 'dr.', 'Umum', 1, 1, 1 from n`,
    `insert into queue_prefixes (prefix, doctor_id, session_id) ${numbers(doctors)}
      select char(65 + i), ${id(1, 'i')}, ${id(2, '0')} from n`,
    `insert into bookings (id, version, write_id, patient_id, doctor_id, doctor_name, session_id, session_name,
        schedule_date, schedule_time, starts_at, ends_at, seat, queue_number, queue_label, booking_code, notes, status,
        created_by, created_at, updated_at, approved_at, call_count) ${numbers(count)}
      select ${id(5, 'i')}, 2, ${id(12, 'i + 1')}, ${id(3, `i % ${patients}`)}, ${id(1, `i % ${doctors}`)}, 'dr. Lama',
        ${id(2, '0')}, 'Konsultasi', date(${local}), time(${local}), ${at}, ${at} + 1800000, 1,
        i / ${doctors} % ${perDay} + 1, char(65 + i % ${doctors}) || '-' || printf('%02d', i / ${doctors} % ${perDay} + 1),
        printf('F%09d', i), 'Catatan dari versi lama, nomor ' || i, 'approved', ${id(3, `i % ${patients}`)}, ${firstDay},
        ${firstDay}, ${firstDay}, 0 from n`,
    event('created', 1, 'waiting'),
    event('approved', 2, 'approved'),
    `insert into queues (doctor_id, schedule_date, session_id, last_number)
      select doctor_id, schedule_date, session_id, max(queue_number) from bookings group by 1, 2, 3`,
  ];
};

/** A file of the release that ended with this migration, with so many bookings and their events. */
export const fillStandingFile = (path: string, release: string, count: number): void => {
  const last = knownMigrations().findIndex(({ name }) => name === release);
  const files = readMigrationFiles({ migrationsFolder }).slice(0, last + 1);
  const database = new Database(path);
  database.exec('pragma journal_mode = wal; pragma synchronous = off; pragma foreign_keys = off; begin');
  for (const statement of [...files.flatMap(({ sql }) => sql), ...rowsOf(count)]) database.exec(statement);
  database.exec(
    'create table __drizzle_migrations (id integer primary key, hash text not null, created_at numeric)',
  );
  for (const { hash, folderMillis } of files)
    database
      .prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)')
      .run(hash, folderMillis);
  database.exec('commit; pragma wal_checkpoint(truncate)');
  database.close();
};

/** A hash of all that a file holds, its schema included. */
export const contentOf = (path: string): string => {
  const database = new Database(path, { timeout: 1_000 });
  try {
    const schema = database
      .prepare('select type, name, sql from sqlite_schema order by type, name')
      .raw()
      .all() as string[][];
    const hash = createHash('sha256').update(JSON.stringify(schema));
    for (const [type, name] of schema) {
      if (type !== 'table' || name === '__drizzle_migrations') continue;
      const rows = database.prepare(`select * from "${name}"`).raw().all() as unknown[];
      for (const row of rows) hash.update(JSON.stringify(row));
    }
    return hash.digest('hex');
  } finally {
    database.close();
  }
};
