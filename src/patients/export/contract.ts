import * as z from 'zod/mini';
import { Consent } from '../../auth/consents/contract.ts';
import { User } from '../../auth/login/contract.ts';
import { Booking, Cancellation, Visit } from '../../booking/record/shapes.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { described, idParam, localDate, named, utcInstant, uuid } from '../../endpoint/fields.ts';
import { Sex } from '../record/shapes.ts';

const orNull = () => z.nullable(z.string());

const Account = named('ExportedAccount', () => ({
  ...User().shape,
  role: z.string(),
  email_proved_at: described(z.nullable(utcInstant()), 'When the e-mail was proved; null if never.'),
  wished_email: described(orNull(), 'An e-mail that is not proved yet.', { example: null }),
  second_factor_since: described(z.nullable(utcInstant()), 'Null without a second factor.'),
  created_at: utcInstant(),
  updated_at: utcInstant(),
}));

const PatientRecord = named('ExportedRecord', () => ({
  id: uuid(),
  relation: described(
    orNull(),
    '`self` for the own record; null for one that was merged into another of these.',
    { example: 'self' },
  ),
  merged_into: described(z.nullable(uuid()), 'The record that it was merged into.', { example: null }),
  whole: described(
    z.boolean(),
    'Of an adult of the family the numbers are masked and notes of the clinic left out.',
  ),
  name: z.string(),
  phone_number: z.string(),
  phone_country_code: z.string(),
  email: described(orNull(), 'For notices.'),
  birth_date: z.nullable(localDate()),
  sex: z.nullable(Sex()),
  address: orNull(),
  medical_record_number: orNull(),
  national_id: orNull(),
  insurance_number: orNull(),
  numbers_confirmed_at: described(z.nullable(utcInstant()), 'When the desk confirmed the numbers.'),
  staff_notes: described(orNull(), 'What the clinic noted; null where it is left out.'),
  created_at: utcInstant(),
  updated_at: utcInstant(),
}));

const ExportedBooking = named('ExportedBooking', () => ({
  ...Booking().shape,
  patient_id: uuid(),
  booking_code: z.string(),
  queue_label: z.string(),
  starts_at: utcInstant(),
  ends_at: utcInstant(),
  cancellation: described(z.nullable(Cancellation()), 'Null unless it was canceled.'),
  visit: described(z.nullable(Visit()), 'Null until the patient came, or did not come.'),
  staff_notes: described(orNull(), 'What the clinic noted; null where it is left out.'),
  created_at: utcInstant(),
  updated_at: utcInstant(),
  events: described(
    z.array(
      z.object({
        type: described(z.string(), 'What happened.', { example: 'booking.created' }),
        by: described(z.string(), 'In which role it was done.', { example: 'patient' }),
        at: described(utcInstant(), 'When.'),
      }),
    ),
    'What happened to it, in order.',
    { example: [{ type: 'booking.created', by: 'patient', at: '2026-11-23T01:00:00.000Z' }] },
  ),
}));

const instantOrNull = (description: string) => described(z.nullable(utcInstant()), description);
const word = (description: string, example: string) => described(z.string(), description, { example });

const ExportedDevice = named('ExportedDevice', () => ({
  device_id: z.string(),
  user_agent: z.string(),
  created_at: utcInstant(),
  last_seen_at: described(utcInstant(), 'To within some minutes.'),
  ended_at: instantOrNull('When it was ended; null while it lasts, or once it has expired.'),
}));

const ExportedMail = named('ExportedMail', () => ({
  kind: word('What it was about.', 'email_code'),
  created_at: utcInstant(),
  sent_at: instantOrNull('When it left; null if it did not.'),
}));

const ExportedRelation = named('ExportedRelation', () => ({
  patient_id: uuid(),
  relation: word('What the patient is to the account.', 'child'),
  acts: described(z.boolean(), 'False where another account acts for the person.'),
  created_at: utcInstant(),
  ended_at: instantOrNull('When it ended; null while it stands.'),
}));

const ExportedSecurityEvent = named('ExportedSecurityEvent', () => ({
  type: word('What happened.', 'login'),
  at: described(utcInstant(), 'When.'),
  by_self: described(z.boolean(), 'Whether the person did it.'),
}));

const PersonExport = named('PersonExport', () => ({
  exported_at: described(utcInstant(), 'When the file was made.'),
  complete: described(
    z.boolean(),
    'False where there is more than one file holds: the newest bookings and events are in it.',
  ),
  account: described(z.nullable(Account()), 'The login; null for a patient without one.'),
  records: described(z.array(PatientRecord()), 'The own record first, then the family.'),
  bookings: described(z.array(ExportedBooking()), 'Of all these records, the newest schedule first.'),
  devices: described(z.array(ExportedDevice()), 'Every login that is still known.'),
  consents: described(z.array(Consent()), 'To which privacy notice the person agreed, and when.'),
  mails: described(z.array(ExportedMail()), 'Mails of the last 30 days; their text is not kept.'),
  relations: described(
    z.array(ExportedRelation()),
    'For whom the account acts or acted, and who acts for the person.',
  ),
  security_events: described(
    z.array(ExportedSecurityEvent()),
    'What happened to the account in two years, the newest first.',
  ),
}));

const common = {
  method: 'post',
  recentLogin: true,
  returns: {
    200: { description: 'The file.', data: PersonExport, headers: ['Content-Disposition'] },
  },
} as const;

export const ExportAccount = endpoint({
  ...common,
  path: '/v1/auth/export',
  tag: 'auth',
  summary: 'Everything that is kept of the caller and the family, as one file',
  description:
    'Numbers are opened and notes of the clinic included for the own record and for children under 18; others of the family stand as the family sees them.',
  access: 'bearer',
  fails: [],
});

export const ExportPatient = endpoint({
  ...common,
  path: '/v1/patients/{id}/export',
  tag: 'patients',
  summary: 'Everything that is kept of a patient, as one file',
  description: 'To be handed to the person who asks for it at the desk, once it is clear who they are.',
  access: ['admin'],
  params: idParam,
  idempotent: true,
  answersSecret: true,
  fails: [],
});
