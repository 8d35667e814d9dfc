import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  count,
  dayMs,
  deskId,
  doctorCount,
  doctorId,
  expectedCount,
  expectedId,
  idOf,
  listedDoctorId,
  loginId,
  patientCount,
  patientId,
  secret,
  sessionId,
  slotMinutes,
} from './clinic.ts';
import { root, serveScript } from './processes.ts';
import { acceptLegacyTokens } from './tokens.ts';

export const janjiSettings = (databasePath: string): Record<string, string> => ({
  DATABASE_URL: `file:${databasePath}`,
  JWT_SECRET: secret,
  DATA_KEY: Buffer.from(secret).subarray(0, 32).toString('base64url'),
  RATE_LIMIT: 'off',
  DEMO: 'on',
  LOG_LEVEL: 'error',
});

/** Starts this checkout's service, or another's. */
export const startJanji = (
  databasePath: string,
  flags: string[] = [],
  checkout = root,
  settings: Record<string, string> = {},
) => serveScript('src/node.ts', { ...janjiSettings(databasePath), ...settings }, { flags, cwd: checkout });

const nameOf = (row: Record<string, unknown>) => row.name;

/** Columns that another checkout's schema does not have yet, or no longer, are left out. */
const insert = (db: DatabaseSync, table: string, rows: readonly Record<string, string | number | null>[]) => {
  const columns = new Set(db.prepare(`select name from pragma_table_info('${table}')`).all().map(nameOf));
  const names = Object.keys(rows[0] ?? {}).filter((name) => columns.has(name));
  const places = names.map(() => '?').join(', ');
  const statement = db.prepare(`insert into ${table} (${names.join(', ')}) values (${places})`);
  for (const row of rows) statement.run(...names.map((name) => row[name] ?? null));
};

/** One booking as the service would have written it. */
export const bookingRow = (
  id: string,
  patient: string,
  doctor: string,
  startsAt: number,
  minutes: number,
  createdAt: number,
): Record<string, string | number | null> => {
  // Jakarta has had the same offset since 1964.
  const local = new Date(startsAt + 7 * 3_600_000).toISOString();
  return {
    id,
    version: 1,
    write_id: id,
    patient_id: patient,
    doctor_id: doctor,
    doctor_name: 'dr. Uji Beban',
    session_id: sessionId,
    session_name: 'Konsultasi Uji',
    schedule_date: local.slice(0, 10),
    schedule_time: local.slice(11, 19),
    starts_at: startsAt,
    ends_at: startsAt + minutes * 60_000,
    seat: 1,
    queue_number: 1,
    queue_label: 'A-01',
    booking_code: id.slice(4, 8) + id.slice(-12),
    notes: 'Kontrol rutin, mohon jam pagi',
    status: 'approved',
    created_by: patient,
    created_at: createdAt,
    updated_at: createdAt,
    approved_at: createdAt,
    call_count: 0,
  };
};

/** The desk's list of tomorrow: people without an account, with each doctor, then again with the first ones. */
const tomorrows = (at: number, now: number) => {
  const startsAt = Math.ceil(now / dayMs) * dayMs + Math.floor(at / doctorCount) * slotMinutes * 60_000;
  return bookingRow(
    idOf(11, at),
    expectedId(at),
    doctorId(at % doctorCount),
    startsAt,
    slotMinutes,
    startsAt - 2 * dayMs,
  );
};

export const tomorrow = (): string =>
  new Date(Math.ceil(Date.now() / dayMs) * dayMs).toISOString().slice(0, 10);

/** Makes the database that every contender gets a copy of: migrated by a checkout of Janji, filled by hand. */
export const makeDataset = async (folder: string, checkout = root, name = 'base'): Promise<string> => {
  const path = join(folder, `${name}.db`);
  const janji = await startJanji(path, [], checkout);
  await janji.stop();
  const db = new DatabaseSync(path);
  const now = Date.now();
  const times = { created_at: now, updated_at: now };
  db.exec('begin');
  const doctors = [...count(doctorCount + 1)].map((at) => ({
    id: doctorId(at),
    name: `Uji Beban ${at}`,
    title: 'dr.',
    specialty: 'Umum',
    calendar_version: 1,
    ...times,
  }));
  insert(db, 'doctors', doctors);
  insert(db, 'sessions', [{ id: sessionId, name: 'Konsultasi Uji', ...times }]);
  const schedules = [...count(doctorCount * 7)].map((at) => ({
    id: idOf(4, at),
    doctor_id: doctorId(Math.floor(at / 7)),
    session_id: sessionId,
    weekday: (at % 7) + 1,
    start_time: '00:00:00',
    end_time: '24:00:00',
    slot_minutes: slotMinutes,
    capacity: 1,
    ...times,
  }));
  const usual = { start_time: '08:00:00', end_time: '16:00:00', slot_minutes: 30 };
  const listed = [...count(7)].map((at) => ({
    ...(schedules[at] as (typeof schedules)[number]),
    ...usual,
    id: idOf(8, at),
    doctor_id: listedDoctorId,
  }));
  insert(db, 'schedules', [...schedules, ...listed]);
  const person = { phone_number: '81234567890', phone_country_code: '62', device_id: '', password_hash: '' };
  const patients = [...count(patientCount)].map((at) => ({
    id: patientId(at),
    name: `Pasien Uji ${at}`,
    email: `uji${at}@klinik.example`,
    role: 'patient',
    ...person,
    ...times,
  }));
  const desk = {
    ...person,
    ...times,
    id: deskId,
    name: 'Rina Loket',
    email: 'loket@klinik.example',
    role: 'staff',
  };
  insert(db, 'users', [...patients, desk]);
  const expected = [...count(expectedCount)].map((at) => ({
    ...person,
    ...times,
    id: expectedId(at),
    name: `Tamu Uji ${at}`,
  }));
  // A checkout from before has no records of patients.
  const hasRecords = db.prepare("select 1 from sqlite_schema where name = 'patients'").get() !== undefined;
  if (hasRecords)
    insert(
      db,
      'patients',
      [...patients, ...expected].map((patient) => ({
        ...patient,
        staff_notes: '',
        version: 1,
        created_by: deskId,
      })),
    );
  const logins = [...count(patientCount + 1)].map((at) => ({
    id: loginId(at),
    user_id: at === patientCount ? deskId : patientId(at),
    device_id: '',
    user_agent: 'bench',
    created_at: now,
    last_seen_at: now,
    expires_at: now + 30 * dayMs,
  }));
  insert(db, 'device_logins', logins);
  const firstDay = Math.floor(now / dayMs) * dayMs - 60 * dayMs;
  const history = [...count(20)].map((at) =>
    bookingRow(idOf(6, at), patientId(0), doctorId(at), firstDay + at * dayMs, slotMinutes, now),
  );
  insert(db, 'bookings', history);
  if (hasRecords)
    insert(
      db,
      'bookings',
      [...count(expectedCount)].map((at) => tomorrows(at, now)),
    );
  acceptLegacyTokens(db);
  db.exec('commit');
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
  return path;
};

export const copyDataset = (base: string, folder: string, name: string): string => {
  const path = join(folder, `${name}.db`);
  copyFileSync(base, path);
  return path;
};
