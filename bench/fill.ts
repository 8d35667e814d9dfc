// Fills databases with bookings by bulk SQL: 16 a doctor and day and 40 a patient whatever the size, so that more
// bookings are more doctors, days and patients, as in a clinic that grows.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensureClinic } from '../src/core/clinic/row.ts';
import { personWords } from '../src/core/search/rules.ts';
import { openDatabase } from '../src/runtime/node/database/database.ts';
import { findProblems } from '../src/runtime/node/database/invariants.ts';
import { root } from './processes.ts';
import { acceptLegacyTokens } from './tokens.ts';

const dayMs = 86_400_000;
/** Jakarta has had the same offset since 1964. */
const offsetMs = 7 * 3_600_000;
export const perDay = 16;
export const perPatient = 40;
/** Every fifth half hour from 07:00 to 17:00 stays free, four a day. */
export const freePerDay = 4;
/** The last day may be filled in part and lies behind the 31 that are listed. */
const daysAhead = 33;

const doctorsOf = (bookings: number): number => Math.max(1, Math.round(bookings ** 0.65 / 80));

const id = (kind: number, number: string) =>
  `printf('be7d${String(kind).padStart(4, '0')}-0000-4000-8000-%012d', ${number})`;
const idOf = (kind: number, number: number): string =>
  `be7d${String(kind).padStart(4, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Whose slots, day, name and history are requested: they have a booking with each other tomorrow. */
export const shown = {
  doctorId: idOf(1, 0),
  sessionId: idOf(2, 0),
  staffId: idOf(6, 0),
  adminId: idOf(6, 1),
  name: 'Cahyaningrum',
  loginOf: (userId: string) =>
    userId.replace(/^be7d000./, 'be7d0007').replace(/.{12}$/, userId.slice(7, 8) + userId.slice(-11)),
};

export interface Filled {
  path: string;
  bookings: number;
  doctors: number;
  patientId: string;
  tomorrow: string;
}

const localDate = (instant: number): string => new Date(instant + offsetMs).toISOString().slice(0, 10);

/** Numbers from 0 below a count, as a table n(i). */
const numbers = (below: number) =>
  `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${below})`;

const people = (db: DatabaseSync, patients: number, shownPatient: number, now: number): void => {
  const user =
    db.prepare(`insert into users (id, name, email, phone_number, phone_country_code, device_id, role,
    password_hash, created_at, updated_at) values (?, ?, ?, ?, '62', '', ?, '', 0, 0)`);
  db.exec('create temp table lists (id text primary key, words text)');
  const list = db.prepare('insert into lists values (?, ?)');
  const login =
    db.prepare(`insert into device_logins (id, user_id, device_id, user_agent, created_at, last_seen_at,
    expires_at) values (?, ?, '', 'bench', ?, ?, ?)`);
  const add = (userId: string, name: string, email: string, phoneNumber: string, role: string) => {
    user.run(userId, name, email, phoneNumber, role);
    list.run(userId, JSON.stringify(personWords({ name, email, phoneNumber, phoneCountryCode: '62' })));
  };
  for (let at = 0; at < patients; at++) {
    const name = at === shownPatient ? `Ratna ${shown.name}` : `Pasien Uji ${at}`;
    add(idOf(3, at), name, `isi${at}@klinik.example`, `81${String(at).padStart(8, '0')}`, 'patient');
  }
  add(shown.staffId, 'Rina Uji', 'rina.uji@klinik.example', '8220000', 'staff');
  add(shown.adminId, 'Andi Uji', 'andi.uji@klinik.example', '8220001', 'admin');
  db.exec(`insert into search_words (kind, word, owner_id)
    select 'person', j.value, l.id from lists l join users u using (id), json_each(l.words) j where j.value <> u.email`);
  db.exec(`insert into patients (id, name, phone_number, phone_country_code, staff_notes, version, created_by, created_at,
    updated_at, words) select users.id, name, phone_number, phone_country_code, '', 1, users.id, created_at, updated_at,
    words from users join lists using (id)`);
  for (const userId of [shown.staffId, shown.adminId, idOf(3, shownPatient)])
    login.run(shown.loginOf(userId), userId, now, now, now + 30 * dayMs);
};

const catalog = (db: DatabaseSync, doctors: number): void => {
  db.exec(`insert into sessions (id, name, created_at, updated_at) values ('${shown.sessionId}', 'Konsultasi Uji', 0, 0);
    insert into doctors (id, name, title, specialty, calendar_version, created_at, updated_at) ${numbers(doctors)}
      select ${id(1, 'i')}, 'Uji ' || i, 'dr.', 'Umum', 1, 0, 0 from n;
    insert into schedules (id, doctor_id, session_id, weekday, start_time, end_time, slot_minutes, capacity, created_at,
      updated_at) ${numbers(doctors * 7)} select ${id(4, 'i')}, ${id(1, 'i / 7')}, '${shown.sessionId}', 1 + i % 7,
      '07:00:00', '17:00:00', 30, 1, 0, 0 from n`);
};

/** Booking i by time, then doctor; past ones were completed, coming ones are approved. */
const bookings = (
  db: DatabaseSync,
  count: number,
  doctors: number,
  patients: number,
  firstDay: number,
): void => {
  const created = firstDay - dayMs;
  db.exec(`insert into bookings (id, version, write_id, patient_id, doctor_id, doctor_name, session_id, session_name,
      schedule_date, schedule_time, starts_at, ends_at, seat, queue_number, booking_code, notes, status, created_by,
      created_at, updated_at, approved_at, call_count)
    ${numbers(count)}, s as (select i, i % ${doctors} as doctor, i / ${doctors} % ${perDay} as nth,
      i / ${doctors * perDay} as day from n), b as (select i, doctor, nth, ${firstDay} + day * ${dayMs}
      + (420 + 30 * (nth + nth / 4)) * 60000 as starts from s)
    select ${id(5, 'i')}, 2, ${id(9, 'i')}, ${id(3, `i % ${patients}`)}, ${id(1, 'doctor')}, 'dr. Uji ' || doctor,
      '${shown.sessionId}', 'Konsultasi Uji', date((starts + ${offsetMs}) / 1000, 'unixepoch'),
      time((starts + ${offsetMs}) / 1000, 'unixepoch'), starts, starts + 1800000, 1, nth + 1, printf('F%09d', i),
      'Kontrol rutin, mohon jam pagi', 'approved', ${id(3, `i % ${patients}`)}, ${created}, ${created}, ${created}, 0
      from b`);
  db.exec(`insert into queue_prefixes (prefix, doctor_id, session_id) select case when n < 26 then char(65 + n)
      when n < 702 then char(64 + n / 26, 65 + n % 26)
      else char(64 + (n / 26 - 1) / 26, 65 + (n / 26 - 1) % 26, 65 + n % 26) end, id, '${shown.sessionId}'
      from (select id, row_number() over (order by id) - 1 as n from doctors);
    update bookings set queue_label = (select prefix from queue_prefixes p where p.doctor_id = bookings.doctor_id)
      || '-' || printf('%02d', queue_number)`);
  for (const [type, version, write, status, role] of [
    ['created', 1, 8, 'waiting', 'patient'],
    ['approved', 2, 9, 'approved', 'staff'],
  ] as const)
    db.exec(`insert into booking_events (write_id, booking_id, version, type, actor_id, actor_role, request_id,
        occurred_at, payload)
      select 'be7d000${write}' || substr(id, 9), id, ${version}, 'booking.${type}', patient_id, '${role}', 'fill',
        ${created}, json_object('booking_id', id, 'version', ${version}, 'patient_id', patient_id, 'doctor_id',
        doctor_id, 'session_id', session_id, 'schedule_date', schedule_date, 'schedule_time', schedule_time,
        'starts_at', strftime('%Y-%m-%dT%H:%M:%fZ', starts_at / 1000.0, 'unixepoch'), 'ends_at',
        strftime('%Y-%m-%dT%H:%M:%fZ', ends_at / 1000.0, 'unixepoch'), 'status', '${status}', 'queue_number',
        queue_number, 'queue_label', queue_label, 'canceled_by', null, 'reason_code', null, 'visit', null) from bookings`);
  db.exec(`insert into queues (doctor_id, schedule_date, session_id, last_number)
    select doctor_id, schedule_date, session_id, max(queue_number) from bookings group by 1, 2, 3`);
};

const fill = (path: string, count: number, doctors: number, patients: number, shownPatient: number) => {
  const now = Date.now();
  const days = Math.ceil(count / doctors / perDay);
  const firstDay = Date.parse(localDate(now)) - offsetMs - (days - daysAhead) * dayMs;
  const db = new DatabaseSync(path);
  db.exec('pragma synchronous = off; pragma cache_size = -1000000; begin');
  people(db, patients, shownPatient, now);
  catalog(db, doctors);
  bookings(db, count, doctors, patients, firstDay);
  acceptLegacyTokens(db);
  db.exec('commit; pragma wal_checkpoint(truncate)');
  const stored = Number(db.prepare('select count(*) as n from bookings').get()?.n);
  db.close();
  if (stored !== count) throw new Error(`${stored} of ${count} bookings were stored.`);
};

/** Names the schema, so that a file of another one is not taken for this. */
const schemaMark = (): string => {
  const folder = join(root, 'drizzle');
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.sql')) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 8);
};

const checkedUpTo = 10_000;

/** A database with so many bookings, from an earlier run of the same day if there is one. */
export const filledDatabase = async (count: number): Promise<Filled> => {
  const folder = join(tmpdir(), 'janji-bench');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `filled-${count}-${localDate(Date.now())}-${schemaMark()}.db`);
  const doctors = doctorsOf(count);
  const patients = Math.ceil(count / perPatient);
  const days = Math.ceil(count / doctors / perDay);
  // The first booking of tomorrow is of doctor 0.
  const shownPatient = ((days - daysAhead + 1) * perDay * doctors) % patients;
  if (!existsSync(path)) {
    const startedAt = performance.now();
    const unfinished = `${path}.unfinished`;
    for (const suffix of ['', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true });
    const { db, close } = await openDatabase(`file:${unfinished}`);
    await ensureClinic(db, 'Asia/Jakarta');
    await close();
    fill(unfinished, count, doctors, patients, shownPatient);
    const problems = count > checkedUpTo ? [] : findProblems(unfinished);
    if (problems.length > 0) throw new Error(`The filled database is wrong: ${problems.join('; ')}`);
    renameSync(unfinished, path);
    process.stdout.write(`${path}: filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
  }
  const tomorrow = localDate(Date.now() + dayMs);
  return { path, bookings: count, doctors, patientId: idOf(3, shownPatient), tomorrow };
};
