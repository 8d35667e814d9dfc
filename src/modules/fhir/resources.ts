// Pure: rows as FHIR resources. An element without a value is undefined and is not sent: FHIR knows no empty text.

import { toIso } from '../../core/endpoint/instants.ts';
import { phoneWord } from '../../core/search/phone-rules.ts';
import type { patients } from '../../core/tables/patients.ts';
import type { ClosedReason } from '../../core/tables/words.ts';
import type { Slot } from '../catalog/slots/rules.ts';
import { practiceElement, readPractice } from './practice.ts';
import type { AppointmentRow, ClinicRow, DoctorRow, ScheduleRow, SessionRow } from './queries.ts';
import type { Resource, TypeName } from './types.ts';

/** The one Organization and the one Location. */
export const clinicId = 'clinic';

/** The systems of the identifiers that the clinic itself gives, and of the insurance. */
export const systems = (base: string) => ({
  nationalId: 'https://fhir.kemkes.go.id/id/nik',
  ihsId: 'https://fhir.kemkes.go.id/id/ihs-number',
  insuranceNumber: `${base}/id/insurance-number`,
  recordNumber: `${base}/id/medical-record-number`,
  bookingCode: `${base}/id/booking-code`,
});

const some = (text: string | null | undefined): string | undefined => (text?.trim() ? text : undefined);
const list = <T>(...values: (T | undefined | false)[]): T[] | undefined => {
  const there = values.filter((value): value is T => value !== undefined && value !== false);
  return there.length === 0 ? undefined : there;
};

const reference = (type: TypeName, id: string, display?: string) => ({
  reference: `${type}/${id}`,
  display: some(display),
});

const meta = ({ version, updatedAt }: { version: number; updatedAt: number }) => ({
  versionId: String(version),
  lastUpdated: toIso(updatedAt),
});

const extension = (base: string, name: string) => `${base}/StructureDefinition/${name}`;

export const toOrganization = ({ name, clinicId: own, address, phone }: ClinicRow): Resource => ({
  resourceType: 'Organization',
  id: clinicId,
  active: true,
  name: some(name) ?? own ?? clinicId,
  telecom: list(some(phone) !== undefined && { system: 'phone', value: phone }),
  address: list(some(address) !== undefined && { text: address }),
});

export const toLocation = (clinic: ClinicRow): Resource => {
  const { name, telecom, address } = toOrganization(clinic);
  return {
    resourceType: 'Location',
    id: clinicId,
    status: 'active',
    name,
    mode: 'instance',
    telecom,
    address: (address as object[] | undefined)?.[0],
    managingOrganization: reference('Organization', clinicId),
  };
};

const doctorName = ({ title, name }: Pick<DoctorRow, 'title' | 'name'>): string => `${title} ${name}`.trim();

export const toPractitioner = (doctor: DoctorRow): Resource => ({
  resourceType: 'Practitioner',
  id: doctor.id,
  meta: meta(doctor),
  active: doctor.retiredAt === null,
  name: [{ text: doctorName(doctor), prefix: list(some(doctor.title)) }],
});

export const toPractitionerRole = (doctor: DoctorRow): Resource => ({
  resourceType: 'PractitionerRole',
  id: doctor.id,
  meta: meta(doctor),
  active: doctor.retiredAt === null,
  practitioner: reference('Practitioner', doctor.id, doctorName(doctor)),
  organization: reference('Organization', clinicId),
  ...practiceElement(readPractice(doctor)),
  location: [reference('Location', clinicId)],
  healthcareService: list(
    ...(JSON.parse(doctor.sessionIds) as string[]).map((id) => reference('HealthcareService', id)),
  ),
});

export const toHealthcareService = (session: SessionRow): Resource => ({
  resourceType: 'HealthcareService',
  id: session.id,
  meta: meta(session),
  active: session.retiredAt === null,
  providedBy: reference('Organization', clinicId),
  location: [reference('Location', clinicId)],
  name: session.name,
  appointmentRequired: true,
});

const serviceType = (sessionId: string, name: string) => [{ coding: [{ code: sessionId }], text: name }];

/** `horizon` is the first and the last date on which the schedule can be booked. */
export const toSchedule = (
  schedule: ScheduleRow,
  horizon: readonly [first: string, last: string],
): Resource => {
  const start = [schedule.validFrom ?? '', horizon[0]].sort()[1];
  const end = [schedule.validUntil ?? '9999', horizon[1]].sort()[0];
  const isOver = schedule.validUntil !== null && schedule.validUntil < horizon[0];
  return {
    resourceType: 'Schedule',
    id: schedule.id,
    meta: meta(schedule),
    active: schedule.retiredAt === null,
    serviceType: serviceType(schedule.sessionId, schedule.sessionName),
    actor: [
      reference('Practitioner', schedule.doctorId, schedule.doctorName),
      reference('HealthcareService', schedule.sessionId, schedule.sessionName),
      reference('Location', clinicId),
    ],
    planningHorizon: isOver
      ? { start: schedule.validFrom ?? undefined, end: schedule.validUntil }
      : { start, end: start !== undefined && end !== undefined && end < start ? start : end },
  };
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The id of a slot: a doctor's schedules never overlap, so doctor, date and time name one. */
export const slotId = (doctorId: string, date: string, minuteOfDay: number): string =>
  `${doctorId}.${date.replaceAll('-', '')}T${twoDigits(Math.floor(minuteOfDay / 60))}${twoDigits(minuteOfDay % 60)}`;

/** The doctor, the date and the minute of the day of such an id; undefined for any other text. */
export const slotIdParts = (id: string) => {
  const [, doctorId, year, month, day, hour, minute] =
    /^([0-9a-f-]{36})\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)$/.exec(id) ?? [];
  if (doctorId === undefined) return;
  const date = `${year}-${month}-${day}`;
  if (Number.isNaN(Date.parse(date))) return;
  return { doctorId, date, minuteOfDay: Number(hour) * 60 + Number(minute) };
};

export interface FoundSlot {
  doctorId: string;
  scheduleId: string;
  slot: Slot;
  remaining: number;
  /** Why it cannot be booked; null for a free one. */
  reason: ClosedReason | null;
  status: string;
}

export const toSlot = (
  base: string,
  { doctorId, scheduleId, slot, remaining, reason, status }: FoundSlot,
): Resource => ({
  resourceType: 'Slot',
  id: slotId(doctorId, slot.date, slot.minuteOfDay),
  extension: [
    { url: extension(base, 'capacity'), valueUnsignedInt: slot.capacity },
    { url: extension(base, 'remaining'), valueUnsignedInt: remaining },
  ],
  serviceType: serviceType(slot.sessionId, slot.sessionName),
  schedule: { reference: `Schedule/${scheduleId}` },
  status,
  start: toIso(slot.startsAt),
  end: toIso(slot.endsAt),
  comment: reason ?? undefined,
});

/** A slot as the Appointment that could be made of it. */
export const toProposed = (found: FoundSlot, doctor: DoctorRow | undefined): Resource => {
  const { doctorId, slot } = found;
  const [start, end] = [toIso(slot.startsAt), toIso(slot.endsAt)];
  const id = slotId(doctorId, slot.date, slot.minuteOfDay);
  const participant = (type: TypeName, actorId: string, display?: string) => ({
    actor: reference(type, actorId, display),
    required: 'required',
    status: 'needs-action',
  });
  return {
    resourceType: 'Appointment',
    id,
    status: 'proposed',
    serviceType: serviceType(slot.sessionId, slot.sessionName),
    ...practiceElement(readPractice(doctor)),
    start,
    end,
    minutesDuration: slot.slotMinutes,
    slot: [{ reference: `Slot/${id}` }],
    participant: [
      participant('Practitioner', doctorId, doctor && doctorName(doctor)),
      participant('HealthcareService', slot.sessionId, slot.sessionName),
      participant('Location', clinicId),
    ],
    requestedPeriod: [{ start, end }],
  };
};

const appointmentStatus = (row: AppointmentRow): string => {
  if (row.status === 'canceled') return 'cancelled';
  if (row.status === 'waiting') return 'pending';
  if (row.noShowAt !== null) return 'noshow';
  if (row.completedAt !== null) return 'fulfilled';
  return row.checkedInAt === null ? 'booked' : 'checked-in';
};

const cancelationCode = (by: AppointmentRow['canceledBy']): string =>
  by === 'patient' ? 'pat' : by === 'system' ? 'other' : 'prov';

/** The participants' statuses: the practitioner's, then the patient's. */
const agreement = (row: AppointmentRow): [string, string] => {
  if (row.status === 'waiting') return ['needs-action', 'accepted'];
  if (row.status !== 'canceled') return ['accepted', 'accepted'];
  return row.canceledBy === 'patient' ? ['accepted', 'declined'] : ['declined', 'accepted'];
};

export const toAppointment = (base: string, row: AppointmentRow): Resource => {
  const [practitionerStatus, patientStatus] = agreement(row);
  const [start, end] = [toIso(row.startsAt), toIso(row.endsAt)];
  const [hours = '', minutes = ''] = row.scheduleTime.split(':');
  const participant = (status: string, type: TypeName, id: string, display?: string) => ({
    actor: reference(type, id, display),
    required: 'required',
    status,
  });
  const isCanceled = row.status === 'canceled';
  const slot = slotId(row.doctorId, row.scheduleDate, Number(hours) * 60 + Number(minutes));
  return {
    resourceType: 'Appointment',
    id: row.id,
    meta: meta(row),
    extension: list(
      some(row.queueLabel) !== undefined && {
        url: extension(base, 'queue-number'),
        valueString: row.queueLabel,
      },
    ),
    identifier: [{ system: systems(base).bookingCode, value: row.bookingCode }],
    status: appointmentStatus(row),
    cancelationReason: isCanceled
      ? {
          coding: [
            {
              system: 'http://terminology.hl7.org/CodeSystem/appointment-cancellation-reason',
              code: cancelationCode(row.canceledBy),
            },
          ],
          text: some(row.cancelReason),
        }
      : undefined,
    serviceType: serviceType(row.sessionId, row.sessionName),
    ...practiceElement(row.practice),
    start,
    end,
    minutesDuration: Math.round((row.endsAt - row.startsAt) / 60_000),
    slot: [{ reference: `Slot/${slot}` }],
    created: toIso(row.createdAt),
    comment: some(row.notes),
    participant: [
      participant(patientStatus, 'Patient', row.patientId, row.patientName),
      participant(practitionerStatus, 'Practitioner', row.doctorId, row.doctorName),
      participant(practitionerStatus, 'HealthcareService', row.sessionId, row.sessionName),
      participant(practitionerStatus, 'Location', clinicId),
    ],
    requestedPeriod: [{ start, end }],
  };
};

/** A patient's number that the reader may see, opened; null if there is none or the reader may not see it. */
interface ShownNumbers {
  nationalId: string | null;
  insuranceNumber: string | null;
  ihsId: string | null;
}

export const toPatient = (
  base: string,
  row: Pick<
    typeof patients.$inferSelect,
    | 'id'
    | 'name'
    | 'phoneNumber'
    | 'phoneCountryCode'
    | 'email'
    | 'birthDate'
    | 'sex'
    | 'address'
    | 'medicalRecordNumber'
    | 'version'
    | 'updatedAt'
  >,
  numbers: ShownNumbers,
): Resource => {
  const named = systems(base);
  const identifier = (system: string, value: string | null) =>
    some(value) === undefined ? undefined : { system, value };
  const phone = phoneWord(row.phoneCountryCode, row.phoneNumber);
  return {
    resourceType: 'Patient',
    id: row.id,
    meta: meta(row),
    identifier: list(
      identifier(named.recordNumber, row.medicalRecordNumber),
      identifier(named.nationalId, numbers.nationalId),
      identifier(named.insuranceNumber, numbers.insuranceNumber),
      identifier(named.ihsId, numbers.ihsId),
    ),
    active: true,
    name: [{ text: row.name }],
    telecom: list(
      phone !== '' && { system: 'phone', value: `+${phone}` },
      some(row.email) !== undefined && { system: 'email', value: row.email },
    ),
    gender: row.sex ?? undefined,
    birthDate: row.birthDate ?? undefined,
    address: list(some(row.address) !== undefined && { text: row.address }),
  };
};
