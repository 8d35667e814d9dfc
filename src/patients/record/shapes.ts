import * as z from 'zod/mini';
import {
  countryCode,
  described,
  digits,
  email,
  freeText,
  localDate,
  name,
  named,
  phoneNumber,
  utcInstant,
  uuid,
} from '../../endpoint/fields.ts';
import { once } from '../../endpoint/once.ts';

export const Sex = once(() => z.enum(['male', 'female']));

/** What a family may be to the person who books for it; `self` is the account's own record. */
export const Relation = once(() => z.enum(['child', 'spouse', 'parent', 'sibling', 'other']));

/** What may be given of a patient, by the family and by the clinic. */
export const patientFields = once(() => ({
  name: name(),
  phone_number: described(phoneNumber(), 'Where the patient is reached.'),
  phone_country_code: countryCode(),
  email: described(email(), 'For notices; it need not be unique and never changes the e-mail of a login.'),
  birth_date: described(localDate(), 'Not after today.', { example: '2019-04-23' }),
  sex: Sex(),
  address: freeText(500),
  national_id: described(digits(16, 16), 'NIK. Sealed at rest.', { example: '3171234567890001' }),
  insurance_number: described(digits(13, 13), 'BPJS card. Sealed at rest.', { example: '0001234567890' }),
}));

/** The same as a change gives them: null takes away what a patient may go without. */
export const patientChanges = once(() => {
  const { name, phone_number, phone_country_code, ...rest } = patientFields();
  return {
    name: z.optional(name),
    phone_number: z.optional(phone_number),
    phone_country_code: z.optional(phone_country_code),
    email: z.optional(z.nullable(rest.email)),
    birth_date: z.optional(z.nullable(rest.birth_date)),
    sex: z.optional(z.nullable(rest.sex)),
    address: z.optional(z.nullable(rest.address)),
    national_id: z.optional(z.nullable(rest.national_id)),
    insurance_number: z.optional(z.nullable(rest.insurance_number)),
  };
});

const masked = 'The first and last four digits.';

/** A patient as lists show one. */
const summary = once(() => ({
  id: uuid(),
  name: z.string(),
  phone_number: described(z.string(), 'Digits; empty where none is known.'),
  phone_country_code: z.string(),
  email: z.nullable(z.string()),
  birth_date: z.nullable(localDate()),
  sex: z.nullable(Sex()),
  medical_record_number: described(z.nullable(z.string()), 'Unique in the clinic.', { example: 'RM-000123' }),
  national_id: described(z.nullable(z.string()), masked, { example: '3171••••••••0001' }),
  insurance_number: described(z.nullable(z.string()), masked, { example: '0001•••••7890' }),
}));

export const Patient = named('Patient', () => ({
  ...summary(),
  has_account: described(z.boolean(), 'Whether the patient has a login of their own.'),
  updated_at: described(utcInstant(), 'When the record was last changed.'),
}));

export const FamilyMember = named('FamilyMember', () => ({
  ...summary(),
  address: z.nullable(z.string()),
  relation: described(
    z.enum(['self', 'child', 'spouse', 'parent', 'sibling', 'other']),
    "`self` is the account's own record.",
  ),
  created_at: utcInstant(),
}));

export const Visits = named('PatientVisits', () => ({
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
  address: z.nullable(z.string()),
  staff_notes: described(z.string(), 'For the clinic alone.'),
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
