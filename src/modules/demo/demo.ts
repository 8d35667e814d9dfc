import { eq } from 'drizzle-orm';
import type { Db } from '../../core/db/db.ts';
import type { Hasher } from '../../core/deps.ts';
import { replaceWords } from '../../core/search/queries.ts';
import { personWords } from '../../core/search/rules.ts';
import { users } from '../../core/tables/accounts.ts';
import { clinic, doctors, schedules, sessions } from '../../core/tables/catalog.ts';
import { familyRelations, patients } from '../../core/tables/patients.ts';
import { insertAccount } from '../auth/queries.ts';
import { doctorWords } from '../catalog/doctors/queries.ts';

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

/** The sessions of each doctor, and how many patients share a slot. */
const demoOffers = [
  { doctorId: sari, sessionId: consultation, startTime: '08:00:00', endTime: '16:00:00', capacity: 1 },
  { doctorId: budi, sessionId: consultation, startTime: '08:00:00', endTime: '12:00:00', capacity: 1 },
  { doctorId: budi, sessionId: vaccination, startTime: '12:00:00', endTime: '16:00:00', capacity: 5 },
  { doctorId: maya, sessionId: consultation, startTime: '08:00:00', endTime: '16:00:00', capacity: 2 },
];

const rooms = { [sari]: 'Poli 1', [budi]: 'Poli 2', [maya]: 'Poli 3' };

export const demoAccounts = [
  { email: 'admin@klinik.example', name: 'Admin Klinik', role: 'admin', doctorId: null },
  { email: 'staff@klinik.example', name: 'Rina Resepsionis', role: 'staff', doctorId: null },
  { email: 'dokter@klinik.example', name: 'Sari Wulandari', role: 'doctor', doctorId: sari },
  { email: 'pasien@klinik.example', name: 'Putri Pasien', role: 'patient', doctorId: null },
] as const;

const [, staffId, , patientId] = [1, 2, 3, 4].map((number) => demoId(3, number));

/** The family of the demo's patient; the examples of the documents add others. */
const demoFamily = [
  { id: demoId(5, 1), name: 'Bima Putra', birthDate: '2017-05-12', sex: 'male', relation: 'child' },
  { id: demoId(5, 2), name: 'Nadia Putri', birthDate: '2021-09-03', sex: 'female', relation: 'child' },
  { id: demoId(5, 3), name: 'Hendra Wijaya', birthDate: '1986-02-20', sex: 'male', relation: 'spouse' },
] as const;

/** Patients without an account, as the desk has them. */
const demoWalkIns = [
  { name: 'Darmo Suwito', birthDate: '1951-08-17', sex: 'male' },
  { name: 'Siti Rahayu', birthDate: '1964-01-30', sex: 'female' },
  { name: 'Agus Setiawan', birthDate: '1979-11-05', sex: 'male' },
  { name: 'Yuliana Kristanti', birthDate: '1990-04-21', sex: 'female' },
  { name: 'Rangga Pratama', birthDate: '2012-12-09', sex: 'male' },
  { name: 'Melati Anjani', birthDate: '2019-06-14', sex: 'female' },
  { name: 'Joko Susilo', birthDate: '1968-03-02', sex: 'male' },
  { name: 'Ningsih Wahyuni', birthDate: '1983-10-27', sex: 'female' },
].map((walkIn, at) => ({
  ...walkIn,
  sex: walkIn.sex as 'male' | 'female',
  id: demoId(6, at + 1),
  medicalRecordNumber: `RM-${String(at + 1).padStart(6, '0')}`,
}));

export const demoPeople = {
  staff: staffId ?? '',
  patient: patientId ?? '',
  family: demoFamily.map(({ id }) => id),
  walkIns: demoWalkIns.map(({ id }) => id),
};

/** The records of patients who have no account, and of whom the demo's patient books for. */
const buildRecords = (now: number) => {
  const common = { phoneCountryCode: '62', staffNotes: '', createdAt: now, updatedAt: now };
  return [
    ...demoFamily.map(({ relation: _, ...record }) => ({
      ...record,
      ...common,
      phoneNumber: '81200000000',
      createdBy: demoPeople.patient,
    })),
    ...demoWalkIns.map((record, at) => ({
      ...record,
      ...common,
      phoneNumber: `8120000010${at}`,
      numbersConfirmedAt: now,
      createdBy: demoPeople.staff,
    })),
  ];
};

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
      room: rooms[offer.doctorId],
      slotMinutes: 30,
    })),
  );
  const records = buildRecords(now);
  await db.batch([
    db
      .update(clinic)
      .set({
        demoSince: now,
        name: 'Klinik Sehat Melati',
        address: 'Jl. Melati 1, Bandung 40111',
        phone: '+62 22 1234567',
        consentVersion: '2026-11',
        privacyNoticeUrl: 'https://klinik.example/privasi',
        lastRecordNumber: demoWalkIns.length,
      })
      .where(eq(clinic.id, 1)),
    db.insert(doctors).values(demoDoctors.map((doctor) => ({ ...doctor, ...times, calendarVersion: 1 }))),
    db.insert(sessions).values(demoSessions.map((session) => ({ ...session, ...times }))),
    ...[...weekly].map((schedule) => db.insert(schedules).values(schedule)),
    ...accounts.flatMap((account) => insertAccount(db, account)),
    ...records.map((record) => db.insert(patients).values(record)),
    ...demoFamily.map(({ id, relation }) =>
      db
        .insert(familyRelations)
        .values({ accountId: demoPeople.patient, patientId: id, relation, createdAt: now }),
    ),
    ...records.flatMap((record) =>
      replaceWords(db, 'person', record.id, personWords({ ...record, email: null })),
    ),
    ...demoDoctors.flatMap((doctor) => replaceWords(db, 'doctor', doctor.id, doctorWords(doctor))),
  ]);
  return true;
};
