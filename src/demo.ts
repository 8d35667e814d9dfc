import { eq } from 'drizzle-orm';
import type { Hasher } from './auth/passwords/hasher.ts';
import { insertAccount } from './auth/queries.ts';
import type { Db } from './db/db.ts';
import { replaceWords } from './search/queries.ts';
import { doctorWords, personWords } from './search/rules.ts';
import { users } from './tables/accounts.ts';
import { clinic, doctors, schedules, sessions } from './tables/catalog.ts';

export const demoPassword = 'janji-demo-2026';

// Fixed, so that the examples in the documents can be pasted.
const demoId = (kind: number, number: number) =>
  `d0c70000-0000-4000-8000-${String(kind * 1000 + number).padStart(12, '0')}`;

export const demoIds = {
  doctors: [demoId(1, 1), demoId(1, 2), demoId(1, 3)] as const,
  sessions: [demoId(2, 1), demoId(2, 2)] as const,
};

const [sari, budi, maya] = demoIds.doctors;
const [consultation, vaccination] = demoIds.sessions;

const demoDoctors = [
  { id: sari, name: 'Sari Wulandari', title: 'dr.', specialty: 'Dokter Umum' },
  { id: budi, name: 'Budi Santoso', title: 'dr.', specialty: 'Spesialis Anak' },
  { id: maya, name: 'Maya Lestari', title: 'drg.', specialty: 'Dokter Gigi' },
];

const demoSessions = [
  { id: consultation, name: 'Konsultasi' },
  { id: vaccination, name: 'Imunisasi' },
];

/** Who offers what, and how many patients share a slot. */
const demoOffers = [
  { doctorId: sari, sessionId: consultation, startTime: '08:00:00', endTime: '16:00:00', capacity: 1 },
  { doctorId: budi, sessionId: consultation, startTime: '08:00:00', endTime: '12:00:00', capacity: 1 },
  { doctorId: budi, sessionId: vaccination, startTime: '12:00:00', endTime: '16:00:00', capacity: 5 },
  { doctorId: maya, sessionId: consultation, startTime: '08:00:00', endTime: '16:00:00', capacity: 2 },
];

export const demoAccounts = [
  { email: 'admin@klinik.example', name: 'Admin Klinik', role: 'admin', doctorId: null },
  { email: 'staff@klinik.example', name: 'Rina Resepsionis', role: 'staff', doctorId: null },
  { email: 'dokter@klinik.example', name: 'Sari Wulandari', role: 'doctor', doctorId: sari },
  { email: 'pasien@klinik.example', name: 'Putri Pasien', role: 'patient', doctorId: null },
] as const;

/** Fills an empty database with the demo clinic and marks it as such; true when it did. */
export const seedDemo = async (db: Db, hasher: Hasher, now: number): Promise<boolean> => {
  const known = await db.select({ id: users.id }).from(users).limit(1);
  const existing = await db.select({ id: doctors.id }).from(doctors).limit(1);
  if (known.length + existing.length > 0) return false;
  const times = { createdAt: now, updatedAt: now };
  const passwordHash = await hasher.hash(demoPassword);
  const accounts = demoAccounts.map((account, at) => ({
    ...account,
    ...times,
    id: demoId(3, at + 1),
    phoneNumber: '81200000000',
    phoneCountryCode: '62',
    deviceId: '',
    emailProvedAt: now,
    invitedAt: account.role === 'patient' ? null : now,
    passwordHash,
  }));
  const weekly = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
    demoOffers.map((offer, at) => ({
      ...offer,
      ...times,
      id: demoId(4, weekday * 10 + at),
      weekday,
      slotMinutes: 30,
    })),
  );
  await db.batch([
    db.update(clinic).set({ demoSince: now }).where(eq(clinic.id, 1)),
    db.insert(doctors).values(demoDoctors.map((doctor) => ({ ...doctor, ...times, calendarVersion: 1 }))),
    db.insert(sessions).values(demoSessions.map((session) => ({ ...session, ...times }))),
    ...[...weekly].map((schedule) => db.insert(schedules).values(schedule)),
    ...accounts.flatMap((account) => insertAccount(db, account)),
    ...demoDoctors.flatMap((doctor) => replaceWords(db, 'doctor', doctor.id, doctorWords(doctor))),
    ...accounts.flatMap((account) => replaceWords(db, 'person', account.id, personWords(account))),
  ]);
  return true;
};
