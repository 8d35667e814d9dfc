import { consentView } from '../../auth/consents/views.ts';
import { publicUser } from '../../auth/login/views.ts';
import { bookingView, cancellationView, visitView } from '../../booking/record/views.ts';
import type { Deps } from '../../deps.ts';
import { isoOf } from '../../endpoint/instants.ts';
import { openNumber } from '../numbers/numbers.ts';
import { masked } from '../record/rules.ts';
import type { readAll } from './actions.ts';
import { isWhole, most } from './rules.ts';

type Rows = Awaited<ReturnType<typeof readAll>>;
type RecordRow = Rows['records'][number];

const isoOrNull = (instant: number | null): string | null => (instant === null ? null : isoOf(instant));

const accountView = ({ id, ...row }: NonNullable<Rows['account'][number]>) => ({
  ...publicUser(id, row),
  role: row.role,
  email_proved_at: isoOrNull(row.emailProvedAt),
  wished_email: row.wishedEmail,
  second_factor_since: isoOrNull(row.secondFactorAt),
  created_at: isoOf(row.createdAt),
  updated_at: isoOf(row.updatedAt),
});

const recordView = async (deps: Deps, row: RecordRow, relation: string | null, whole: boolean) => {
  const numberOf = async (sealed: string | null) => {
    const number = await openNumber(deps, sealed);
    return number === null || whole ? number : masked(number);
  };
  return {
    id: row.id,
    relation,
    merged_into: row.mergedInto,
    whole,
    name: row.name,
    phone_number: row.phoneNumber,
    phone_country_code: row.phoneCountryCode,
    email: row.email,
    birth_date: row.birthDate,
    sex: row.sex,
    address: row.address,
    medical_record_number: row.medicalRecordNumber,
    national_id: await numberOf(row.nationalId),
    insurance_number: await numberOf(row.insuranceNumber),
    numbers_confirmed_at: isoOrNull(row.numbersConfirmedAt),
    staff_notes: whole ? row.staffNotes : null,
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  };
};

const bookingOf = (row: Rows['bookings'][number], whole: boolean) => ({
  ...bookingView(row),
  patient_id: row.patientId,
  booking_code: row.bookingCode,
  queue_label: row.queueLabel,
  starts_at: isoOf(row.startsAt),
  ends_at: isoOf(row.endsAt),
  cancellation: cancellationView(row),
  visit: visitView(row),
  staff_notes: whole ? row.staffNotes : null,
  created_at: isoOf(row.createdAt),
  updated_at: isoOf(row.updatedAt),
  events: JSON.parse(row.events) as unknown,
});

/** Everything that was read of a person, as the file has it. */
export const exportView = async (deps: Deps, now: number, personId: string, rows: Rows) => {
  const today = deps.clinicTime.dateOf(now);
  const relationOf = ({ id, relation }: RecordRow) => (id === personId ? 'self' : relation);
  const standing = new Map(rows.records.map((row) => [row.id, row]));
  const wholeOf = (row: RecordRow | undefined): boolean => {
    const kept = row?.mergedInto ? standing.get(row.mergedInto) : row;
    return kept !== undefined && isWhole({ ...kept, isOwn: kept.id === personId }, today);
  };
  const [account] = rows.account;
  const isCut = rows.bookings.length > most.bookings || rows.events.length > most.events;
  return {
    exported_at: isoOf(now),
    complete: !isCut,
    account: account === undefined ? null : accountView(account),
    records: await Promise.all(
      rows.records.map((row) => recordView(deps, row, relationOf(row), wholeOf(row))),
    ),
    bookings: rows.bookings
      .slice(0, most.bookings)
      .map((row) => bookingOf(row, wholeOf(standing.get(row.patientId)))),
    devices: rows.logins.map((row) => ({
      device_id: row.deviceId,
      user_agent: row.userAgent,
      created_at: isoOf(row.createdAt),
      last_seen_at: isoOf(row.lastSeenAt),
      ended_at: isoOrNull(row.revokedAt),
    })),
    consents: rows.consents.map(consentView),
    mails: rows.mails.map((row) => ({
      kind: row.kind,
      created_at: isoOf(row.createdAt),
      sent_at: isoOrNull(row.sentAt),
    })),
    relations: rows.relations.map((row) => ({
      patient_id: row.patientId,
      relation: row.relation,
      acts: row.acts === 1,
      created_at: isoOf(row.createdAt),
      ended_at: isoOrNull(row.endedAt),
    })),
    security_events: rows.events.slice(0, most.events).map((row) => ({
      type: row.type,
      at: isoOf(row.occurredAt),
      by_self: row.actorId === personId,
    })),
  };
};
