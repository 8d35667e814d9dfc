import { exampleDay } from '../../core/endpoint/example-dates.ts';

const doctorId = 'd0c70000-0000-4000-8000-000000001001';
const sessionId = 'd0c70000-0000-4000-8000-000000002001';
const scheduleId = 'd0c70000-0000-4000-8000-000000004010';
const staffId = 'd0c70000-0000-4000-8000-000000003002';
const patientId = 'd0c70000-0000-4000-8000-000000003004';

const doctor = { id: doctorId, name: 'Sari Wulandari' };
const session = { id: sessionId, name: 'Konsultasi' };
const staff = {
  id: staffId,
  name: 'Rina Resepsionis',
  phone_number: '81200000000',
  email: 'staff@klinik.example',
};
// Well after the booking in the document's examples, so that the two do not conflict.
const closure = { name: 'Cuti tahunan', start_date: exampleDay(30), end_date: exampleDay(32) };
const newPasswords = { password: 'kopi-susu-pagi-7', password_confirmation: 'kopi-susu-pagi-7' };

/**
 * Examples for the fields of one shape, by its name, or for the input of one operation, where the glossary's do not
 * fit: with the demo clinic each can be sent unchanged.
 */
export const ownedExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Doctor: doctor,
  AdminDoctor: doctor,
  CreateDoctor: { name: 'Ratna Kusuma' },
  ChangeDoctor: { name: 'Sari Wulandari' },
  Session: session,
  AdminSession: session,
  CreateSession: { name: 'Fisioterapi' },
  ChangeSession: { name: 'Konsultasi Umum' },
  Schedule: { id: scheduleId },
  CreateSchedule: {
    weekday: 1,
    start_time: '17:00:00',
    end_time: '20:00:00',
    break_start: '18:00:00',
    break_end: '18:30:00',
  },
  Closure: closure,
  CreateClosure: { ...closure, doctor_id: doctorId },
  ChangeClosure: closure,
  ListClosures: { from: exampleDay(0), to: exampleDay(90) },
  User: { id: patientId },
  Patient: { id: patientId },
  BookedPatient: { id: patientId },
  Person: staff,
  InvitePerson: { name: 'Dewi Anggraini', phone_number: '81300000000', email: 'dewi@klinik.example' },
  ListPeople: { q: 'rina' },
  FindPatients: { q: 'putri' },
  CreatePatient: { name: 'Bagus Santoso', phone_number: '81399900001' },
  AddFamilyMember: { name: 'Kirana Putri' },
  ListBookings: { q: 'putri' },
  Register: { name: 'Wulan Hapsari', email: 'wulan@klinik.example', device_id: 'ponsel-wulan' },
  ChangePassword: newPasswords,
  AddPasskey: {
    credential: {
      id: 'kE0r0gJ2b5l7S2u5aW0mQw',
      type: 'public-key',
      response: {
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
        attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oA',
        transports: ['internal'],
      },
    },
    name: 'Ponsel klinik',
  },
  SendLoginCode: { email: 'pasien@klinik.example' },
  LogInByCode: { email: 'pasien@klinik.example' },
  LogInWithFactor: { code: '123 456' },
  Reauthenticate: { password: 'janji-demo-2026' },
  ResetPassword: newPasswords,
  CheckInBooking: { version: 2 },
  CallBooking: { version: 3 },
  SkipBooking: { version: 4 },
  CompleteBooking: { version: 4 },
  NoShowBooking: { version: 2 },
  UndoBooking: { version: 3 },
  CreateBooking: { check_in: false, overbook: false },
  ApiKey: { name: 'Mesin antrean lobi' },
  ApiKeyWithSecret: { name: 'Mesin antrean lobi' },
  CreateApiKey: { name: 'Mesin antrean lobi' },
  ChangeApiKey: { name: 'Mesin antrean lantai 2' },
  EditBooking: { notes: 'Alergi penisilin', staff_notes: 'Minta ruang di lantai bawah', version: 1 },
};

const records: readonly [prefix: string, id: string][] = [
  ['/v1/doctors/', doctorId],
  ['/v1/admin/doctors/', doctorId],
  ['/v1/admin/sessions/', sessionId],
  ['/v1/admin/schedules/', scheduleId],
  ['/v1/admin/people/', patientId],
];

/** The demo clinic's record for `{id}` in a path, if it has one. */
export const findDemoRecord = (path: string): string | undefined =>
  records.find(([prefix]) => path.startsWith(prefix))?.[1];
