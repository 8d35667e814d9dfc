import { findArchivedFrom } from '../../core/archive/queries.ts';
import { readArchived } from '../../core/archive/read.ts';
import { byId, mergePages } from '../../core/archive/rules.ts';
import { run } from '../../core/db/db.ts';
import { externalView } from '../../core/db/external-fields.ts';
import type { Deps } from '../../core/deps.ts';
import { isoOrNull, toIso } from '../../core/endpoint/instants.ts';
import { answersView } from '../booking/record/answer-views.ts';
import { withPatients } from '../booking/record/archived.ts';
import { closureView } from '../catalog/closures/actions.ts';
import { doctorView } from '../catalog/doctors/actions.ts';
import { scheduleView } from '../catalog/schedules/actions.ts';
import { sessionView } from '../catalog/sessions/actions.ts';
import { findChangedPatients } from '../patients/desk/queries.ts';
import { openNumber } from '../patients/numbers/numbers.ts';
import type { FlatRow } from './form.ts';
import {
  findBookingsFrom,
  findClosuresFrom,
  findDoctorsFrom,
  findSchedulesFrom,
  findSessionsFrom,
} from './queries.ts';

/** The context that an export reads with. */
export type Reading = Pick<Deps, 'db' | 'archive' | 'secretBox'>;

/** The position where a page continues: a time, and the last id with this time. */
export interface Position {
  since: number;
  afterId: string;
}

interface Page {
  rows: FlatRow[];
  /** Where the next page begins; null after the last row. */
  next: Position | null;
}

/** How many rows are read, and in memory, at once. */
export const pageRows = 500;

interface Kept {
  id: string;
  updatedAt: number;
}

/** Patients come in the order of their changes, the others in that of their ids. */
const pager =
  <Row extends Kept>(
    read: (reading: Reading, values: Position & { limit: number }) => Promise<Row[]>,
    view: (reading: Reading, row: Row) => FlatRow | Promise<FlatRow>,
    order: 'by time' | 'by id',
  ) =>
  async (reading: Reading, position: Position, limit = pageRows): Promise<Page> => {
    const rows = await read(reading, { ...position, limit });
    const last = rows.length < limit ? undefined : rows.at(-1);
    const since = order === 'by time' ? (last?.updatedAt ?? 0) : position.since;
    return {
      rows: await Promise.all(rows.map((row) => view(reading, row))),
      next: last === undefined ? null : { since, afterId: last.id },
    };
  };

type PatientRow = ReturnType<typeof findChangedPatients>['_']['result'][number];
type BookingRow = ReturnType<typeof findBookingsFrom>['_']['result'][number];

const patientRow = async (reading: Reading, row: PatientRow): Promise<FlatRow> => ({
  id: row.id,
  name: row.name,
  phone_country_code: row.phoneCountryCode,
  phone_number: row.phoneNumber,
  email: row.email ?? row.accountEmail,
  birth_date: row.birthDate,
  sex: row.sex,
  address: row.address,
  medical_record_number: row.medicalRecordNumber,
  national_id: await openNumber(reading, row.nationalId),
  insurance_number: await openNumber(reading, row.insuranceNumber),
  numbers_confirmed: row.numbersConfirmedAt !== null,
  has_account: row.accountRole !== null,
  staff_notes: row.staffNotes,
  version: row.version,
  created_at: toIso(row.createdAt),
  updated_at: toIso(row.updatedAt),
  numbers_confirmed_by: row.numbersConfirmedBy,
  ihs_id: row.ihsId,
  ...externalView(row),
});

/** A page of bookings, with what is archived. */
const readBookings = async (
  reading: Reading,
  values: Position & { limit: number },
): Promise<BookingRow[]> => {
  const { db, archive } = reading;
  const own = await run(db, findBookingsFrom(db, values));
  if (archive === undefined) return own;
  const ask = (from: typeof db, limit: number) => findArchivedFrom(from, { ...values, limit });
  const archived = await withPatients(reading, await readArchived(reading, ask, values.limit), '');
  return mergePages(
    own,
    archived.map((row) => ({ ...row, patientName: row.archived.name })),
    byId,
    values.limit,
  );
};

const bookingRow = (row: BookingRow): FlatRow => ({
  id: row.id,
  booking_code: row.bookingCode,
  patient_id: row.patientId,
  patient_name: row.patientName,
  doctor_id: row.doctorId,
  doctor_name: row.doctorName,
  session_id: row.sessionId,
  session_name: row.sessionName,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  starts_at: toIso(row.startsAt),
  ends_at: toIso(row.endsAt),
  status: row.status,
  queue_label: row.queueLabel,
  notes: row.notes,
  staff_notes: row.staffNotes,
  overbooked: row.overbooked === 1,
  canceled_by: row.canceledBy,
  cancel_reason_code: row.cancelReasonCode,
  cancel_reason: row.cancelReason,
  canceled_at: isoOrNull(row.canceledAt),
  approved_at: isoOrNull(row.approvedAt),
  checked_in_at: isoOrNull(row.checkedInAt),
  first_called_at: isoOrNull(row.firstCalledAt),
  completed_at: isoOrNull(row.completedAt),
  no_show_at: isoOrNull(row.noShowAt),
  series_id: row.seriesId,
  version: row.version,
  created_at: toIso(row.createdAt),
  updated_at: toIso(row.updatedAt),
  channel: row.channel,
  payer: row.payer,
  visit_kind: row.visitKind,
  referral_number: row.referralNumber,
  encounter_id: row.encounterId,
  ...externalView(row),
  answers: answersView(row),
});

/** The columns that were added later are the last ones. */
const externalLast = <R extends ReturnType<typeof externalView>>({ external_id, metadata, ...row }: R) => ({
  ...row,
  external_id,
  metadata,
});

/** Each kind of data that leaves: how a page of it is read. */
export const sources = {
  patients: pager(({ db }, values) => run(db, findChangedPatients(db, values)), patientRow, 'by time'),
  bookings: pager(readBookings, (_, row) => bookingRow(row), 'by id'),
  doctors: pager(
    ({ db }, values) => run(db, findDoctorsFrom(db, values)),
    (_, row) => externalLast(doctorView(row)),
    'by id',
  ),
  sessions: pager(
    ({ db }, values) => run(db, findSessionsFrom(db, values)),
    (_, row) => externalLast(sessionView(row)),
    'by id',
  ),
  schedules: pager(
    ({ db }, values) => run(db, findSchedulesFrom(db, values)),
    (_, row) => scheduleView(row),
    'by id',
  ),
  closures: pager(
    ({ db }, values) => run(db, findClosuresFrom(db, values)),
    (_, row) => closureView(row),
    'by id',
  ),
} as const;

export const exportKinds = ['patients', 'bookings', 'doctors', 'sessions', 'schedules', 'closures'] as const;
export type ExportKind = keyof typeof sources & (typeof exportKinds)[number];
