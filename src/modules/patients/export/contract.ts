import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { Device } from '../../auth/account/contract.ts';
import { SecurityEvent } from '../../auth/audit/contract.ts';
import { Consent } from '../../auth/consents/contract.ts';
import { User } from '../../auth/login/contract.ts';
import { GivenAnswer } from '../../booking/record/answer-shapes.ts';
import { BookingDetail } from '../../booking/record/shapes.ts';
import { wantedSlotFields } from '../../booking/waitlist/contract.ts';
import { Choices, SentNotice } from '../../notices/contract.ts';
import { PatientDetail } from '../record/shapes.ts';

const instantOrNull = (description: string) => described(z.nullable(utcInstant()), description);
const word = (description: string, example: string) => described(z.string(), description, { example });

const Account = named('ExportedAccount', () => ({
  ...User().shape,
  role: z.string(),
  email_proved_at: instantOrNull('When the e-mail was proved.'),
  login_phone: described(z.nullable(z.string()), 'The phone to which codes that log in go, in E.164.', {
    example: null,
  }),
  phone_proved_at: instantOrNull('When it was last proved.'),
  wished_email: described(z.nullable(z.string()), 'One that is not proved yet.', { example: null }),
  created_at: utcInstant(),
}));

const PatientRecord = named('ExportedRecord', () => {
  const { visits: _, has_account: __, ...shown } = PatientDetail().shape;
  return {
    ...shown,
    staff_notes: described(shown.staff_notes, 'The notes of the clinic; empty where `whole` is false.'),
    relation: described(z.nullable(z.string()), '`self` for the own record.', { example: 'self' }),
    merged_into: described(z.nullable(uuid()), 'Another of these.', { example: null }),
    whole: described(
      z.boolean(),
      'False for an adult of the family: numbers masked, no notes of the clinic.',
    ),
  };
});

const ExportedBooking = named('ExportedBooking', () => {
  const { staff_notes, external_id, metadata, ...shown } = BookingDetail().shape;
  const ofWhole = <S extends z.ZodMiniType>(shape: S, what: string) =>
    described(shape, `${what}; left out where the patient’s record is not \`whole\`.`);
  return {
    ...shown,
    staff_notes: ofWhole(staff_notes, 'The notes of the clinic'),
    external_id: ofWhole(external_id, 'The id in another system'),
    metadata: ofWhole(metadata, 'What that system keeps with it'),
    patient_id: uuid(),
    answers: described(z.array(GivenAnswer()), 'What was answered to the questions before the visit.'),
    events: described(
      z.array(
        z.object({
          type: word('What happened.', 'booking.created'),
          by: word('In which role.', 'patient'),
          at: described(utcInstant(), 'When.'),
        }),
      ),
      'In order.',
      { example: [{ type: 'booking.created', by: 'patient', at: '2026-11-23T01:00:00.000Z' }] },
    ),
  };
});

const PersonExport = named('PersonExport', () => ({
  exported_at: described(utcInstant(), 'When the file was made.'),
  complete: described(z.boolean(), 'False where only the newest 5,000 bookings or events are in it.'),
  account: described(z.nullable(Account()), 'Null for a patient without a login.'),
  records: described(z.array(PatientRecord()), 'The own one first, then the family.'),
  bookings: described(z.array(ExportedBooking()), 'Of all these, the newest schedule first.'),
  devices: described(z.array(Device()), 'Every login that is still known.'),
  consents: described(z.array(Consent()), 'To which privacy notice, and when.'),
  mails: described(
    z.array(
      z.object({
        kind: word('What it was about.', 'email_code'),
        address: described(z.nullable(z.string()), 'An e-mail or phone, until it is told.', {
          example: null,
        }),
        created_at: utcInstant(),
        sent_at: instantOrNull('When it left.'),
      }),
    ),
    'Of the last 30 days; their text is not kept.',
  ),
  notices: described(
    z.array(SentNotice()),
    'What was told of these bookings, the newest first; for 90 days.',
  ),
  notice_choices: described(Choices(), 'Which of them are wanted.'),
  relations: described(
    z.array(
      z.object({
        patient_id: uuid(),
        relation: word('To the account.', 'child'),
        created_at: utcInstant(),
        ended_at: instantOrNull('Null while it stands.'),
      }),
    ),
    'For whom the account acts or acted, and who acts for the person.',
  ),
  external_ids: described(
    z.array(
      z.object({
        patient_id: uuid(),
        source: word('Which system.', 'sistem-lama'),
        external_id: word('The id there.', '17'),
        created_at: utcInstant(),
      }),
    ),
    'What other systems call these records.',
  ),
  waitlist: described(
    z.array(
      z.object({
        patient_id: uuid(),
        ...wantedSlotFields(),
        created_at: utcInstant(),
        ended_at: instantOrNull('Null while it stands.'),
        ended_as: described(
          z.nullable(z.string()),
          '`accepted`, `withdrawn`, `over` with its last date, or `unanswered` after three offers.',
          {
            example: null,
          },
        ),
      }),
    ),
    'What was waited for, of the last 30 days after it ended.',
  ),
  security_events: described(z.array(SecurityEvent()), 'Of two years, the newest first.'),
}));

const common = {
  method: 'post',
  recentLogin: true,
  returns: { 200: { description: 'The file.', data: PersonExport, headers: ['Content-Disposition'] } },
} as const;

export const ExportAccount = endpoint({
  ...common,
  path: '/v1/auth/export',
  tag: 'auth',
  summary: 'Everything that is kept of the caller and the family, as one file',
  description: 'Whole for the own record and for children under 18; others as the family sees them.',
  access: 'bearer',
});

export const ExportPatient = endpoint({
  ...common,
  path: '/v1/patients/{id}/export',
  tag: 'patients',
  summary: 'Everything that is kept of a patient, as one file',
  description: 'For a person who asks for it at the desk, once it is clear who they are.',
  access: ['admin'],
  idempotent: true,
  answersSecret: true,
});
