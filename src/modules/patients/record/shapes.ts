import * as z from 'zod/mini';
import { externalAnswer } from '../../../core/db/external-fields.ts';
import { described, localDate, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { once } from '../../../core/endpoint/once.ts';
import { numberConfirmers, relationsWithSelf } from '../../../core/tables/words.ts';
import { deskFields, patientFields } from './fields.ts';

/** A patient as lists show one. */
const summary = once(() => {
  const { address: _, national_id, insurance_number, ...shown } = patientFields.answer();
  const { medical_record_number } = deskFields.answer();
  return { id: uuid(), ...shown, medical_record_number, national_id, insurance_number };
});

export const Patient = named('Patient', () => ({
  ...summary(),
  has_account: described(z.boolean(), 'Whether the patient has a login of their own.'),
  ...externalAnswer(),
  updated_at: described(utcInstant(), 'When the record was last changed.'),
}));

export const FamilyMember = named('FamilyMember', () => ({
  ...summary(),
  address: patientFields.answer().address,
  relation: described(z.enum(relationsWithSelf), "`self` is the account's own record."),
  created_at: utcInstant(),
}));

const Visits = named('PatientVisits', () => ({
  completed: described(z.int(), 'Visits that were completed.'),
  no_shows: described(z.int(), 'How often the patient did not come.'),
  cancellations: described(z.int(), 'Bookings that were canceled, by whomever.'),
  last: described(z.nullable(utcInstant()), 'The start of the last booking that stands and has begun.'),
  next: described(z.nullable(utcInstant()), 'The start of the next booking that stands.'),
  last_booking_id: described(
    z.nullable(uuid()),
    'The booking of `last`; null where the caller may not see it.',
  ),
  next_booking_id: described(
    z.nullable(uuid()),
    'The booking of `next`; null where the caller may not see it.',
  ),
}));

export const PatientDetail = named('PatientDetail', () => ({
  ...summary(),
  national_id: described(z.nullable(z.string()), 'Whole.', { example: '3171234567890001' }),
  insurance_number: described(z.nullable(z.string()), 'Whole.', { example: '0001234567890' }),
  numbers_confirmed: described(z.boolean(), 'Whether the desk has confirmed the two numbers above.'),
  numbers_confirmed_by: described(
    z.nullable(z.enum(numberConfirmers)),
    'On whose word: `bpjs` where BPJS itself gave them. Null where they are not confirmed.',
    { example: 'clinic' },
  ),
  ihs_id: deskFields.answer().ihs_id,
  address: patientFields.answer().address,
  staff_notes: deskFields.answer().staff_notes,
  ...externalAnswer(),
  has_account: described(z.boolean(), 'Whether the patient has a login of their own.'),
  visits: Visits(),
  version: described(z.int(), 'Raised by every change.'),
  created_at: utcInstant(),
  updated_at: utcInstant(),
}));

/** A record that looks like the one that is to be added. */
export const Candidate = named('PatientCandidate', () => ({
  id: uuid(),
  name: z.string(),
  birth_date: z.nullable(localDate()),
  phone_number: z.string(),
  phone_country_code: z.string(),
  medical_record_number: z.nullable(z.string()),
}));
