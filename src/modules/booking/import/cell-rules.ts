// Pure: a visit of the past as people type it, in the forms of the interface.

import type { FieldIssue } from '../../../core/endpoint/field-sentences.ts';
import type { DateOrder, PastVisitEnd } from '../../../core/tables/words.ts';
import { emptyCell } from '../../patients/import/cell-rules.ts';
import { typedDate } from '../../patients/import/date-rules.ts';

/** The fields that a file of visits may have, in the order in which screens name them. */
export const visitFields = [
  'patient_external_id',
  'medical_record_number',
  'doctor',
  'session',
  'date',
  'time',
  'end_time',
  'status',
  'canceled_by',
  'staff_notes',
  'external_id',
] as const;
export type VisitField = (typeof visitFields)[number];

/** The fields without which no visit can be told. */
export const neededVisitFields = ['doctor', 'session', 'date', 'status'] as const satisfies VisitField[];

const ends: Readonly<Record<string, PastVisitEnd>> = {
  selesai: 'completed',
  hadir: 'completed',
  datang: 'completed',
  dilayani: 'completed',
  sudahdilayani: 'completed',
  sudahperiksa: 'completed',
  completed: 'completed',
  complete: 'completed',
  done: 'completed',
  finished: 'completed',
  fulfilled: 'completed',
  attended: 'completed',
  arrived: 'completed',
  tidakhadir: 'no_show',
  tidakdatang: 'no_show',
  takhadir: 'no_show',
  mangkir: 'no_show',
  absen: 'no_show',
  noshow: 'no_show',
  missed: 'no_show',
  absent: 'no_show',
  batal: 'canceled',
  dibatalkan: 'canceled',
  canceled: 'canceled',
  cancelled: 'canceled',
  cancel: 'canceled',
};

const cancelers: Readonly<Record<string, 'patient' | 'staff'>> = {
  pasien: 'patient',
  patient: 'patient',
  klinik: 'staff',
  petugas: 'staff',
  staf: 'staff',
  dokter: 'staff',
  clinic: 'staff',
  staff: 'staff',
  doctor: 'staff',
};

const lettersOf = (typed: string): string => typed.toLowerCase().replaceAll(/[^a-z]/g, '');

const clock = /^(\d{1,2})[:.](\d{2})(?:[:.]\d{2}(?:\.\d+)?)?(?:\s*(am|pm))?$/i;

/** Minutes since midnight of a typed time such as 09:30, 9.30 or 1:30 PM; null of none. */
const typedTime = (typed: string): number | null => {
  const [, hour = '', minute = '', half] = clock.exec(typed.trim().replace(/\s*(wib|wita|wit)$/i, '')) ?? [];
  if (hour === '') return null;
  const isHalf = half !== undefined;
  if (Number(minute) > 59 || Number(hour) > (isHalf ? 12 : 23) || (isHalf && Number(hour) === 0)) return null;
  const hours = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
  return hours * 60 + Number(minute);
};

/** A date with the time behind it, as a database writes both. */
const dateAndTime = /^(.*\d)[T ]+(\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:\.\d+)?)?Z?)$/;

/** A visit without an end took this long. */
const defaultVisitMinutes = 15;

export type VisitCells = Partial<Record<VisitField, string | undefined>>;

/** A row in plain values, and what of it cannot be read. */
interface ReadVisit {
  patientExternalId: string | null;
  medicalRecordNumber: string | null;
  doctor: string;
  session: string;
  date: string;
  minute: number;
  endMinute: number;
  end: PastVisitEnd;
  canceledBy: 'patient' | 'staff';
  staffNotes: string;
  externalId: string | null;
  issues: FieldIssue[];
}

const tooLong = (path: VisitField, text: string | undefined, limit: number): FieldIssue[] =>
  (text?.length ?? 0) > limit ? [{ path, rule: 'too_long', limit }] : [];

/** Reads the cells of a visit; a time that is not given is the beginning of the day. */
export const readVisit = (cells: VisitCells, order: DateOrder | null): ReadVisit => {
  const given: VisitCells = {};
  for (const field of visitFields) {
    const cell = cells[field]?.trim();
    if (cell !== undefined && !emptyCell.test(cell)) given[field] = cell;
  }
  const issues: FieldIssue[] = neededVisitFields.flatMap((path) =>
    given[path] === undefined ? [{ path, rule: 'required' as const }] : [],
  );
  type Rule = 'time_typed' | 'past_visit_typed' | 'date_typed' | 'date_order' | 'date_number';
  const issue = (path: VisitField, rule: Rule) => issues.push({ path, rule });
  const [, dateAlone, timeBehind] = dateAndTime.exec(given.date ?? '') ?? [];
  const date = given.date === undefined ? null : typedDate(dateAlone ?? given.date, order);
  if (date !== null && 'problem' in date) issue('date', date.problem);
  const time = given.time ?? timeBehind?.replace(/Z$/, '');
  const minute = time === undefined ? 0 : typedTime(time);
  if (minute === null) issue(given.time === undefined ? 'date' : 'time', 'time_typed');
  const endMinute =
    given.end_time === undefined ? (minute ?? 0) + defaultVisitMinutes : typedTime(given.end_time);
  if (endMinute === null) issue('end_time', 'time_typed');
  else if (minute !== null && endMinute <= minute)
    issues.push({ path: 'end_time', rule: 'order', limit: 'start_time' });
  const end = given.status === undefined ? 'completed' : ends[lettersOf(given.status)];
  if (end === undefined) issue('status', 'past_visit_typed');
  const canceledBy = given.canceled_by === undefined ? 'staff' : cancelers[lettersOf(given.canceled_by)];
  if (canceledBy === undefined)
    issues.push({ path: 'canceled_by', rule: 'not_allowed', limit: 'pasien, klinik' });
  if (given.patient_external_id === undefined && given.medical_record_number === undefined)
    issues.push({ path: 'patient_external_id', rule: 'any_of', limit: 'what_names_patient' });
  issues.push(
    ...tooLong('staff_notes', given.staff_notes, 1_000),
    ...tooLong('external_id', given.external_id, 100),
  );
  return {
    patientExternalId: given.patient_external_id ?? null,
    medicalRecordNumber: given.medical_record_number ?? null,
    doctor: given.doctor ?? '',
    session: given.session ?? '',
    date: date !== null && 'date' in date ? date.date : '',
    minute: minute ?? 0,
    endMinute: endMinute ?? 0,
    end: end ?? 'completed',
    canceledBy: canceledBy ?? 'staff',
    staffNotes: given.staff_notes?.replaceAll('\0', '') ?? '',
    externalId: given.external_id ?? null,
    issues,
  };
};
