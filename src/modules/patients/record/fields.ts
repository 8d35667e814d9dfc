import * as z from 'zod/mini';
import { externalFields } from '../../../core/db/external-fields.ts';
import { recordFields } from '../../../core/db/record-fields.ts';
import {
  countryCode,
  described,
  digits,
  email,
  foreignCode,
  freeText,
  localDate,
  name,
  oneLine,
  phoneNumber,
} from '../../../core/endpoint/fields.ts';
import { patients } from '../../../core/tables/patients.ts';
import { sexes } from '../../../core/tables/words.ts';

const textOrNull = () => z.nullable(z.string());
const Sex = () => z.enum(sexes);

const sealed = ['nationalId', 'nationalIdHash', 'insuranceNumber', 'insuranceNumberHash'] as const;
const own = [
  'id',
  ...sealed,
  'numbersConfirmedAt',
  'numbersConfirmedBy',
  'mergedInto',
  'erasureId',
  'words',
  'version',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

/** A number that is sealed, and shown with most of its digits hidden. */
const sealedNumber = (length: number, what: string, example: string, masked: string) => ({
  write: () => described(digits(length, length), `${what} Sealed at rest.`, { example }),
  answer: () => described(textOrNull(), 'The first and last four digits.', { example: masked }),
  without: null,
});

/** The fields of a patient that the family and the clinic can set. */
export const patientFields = recordFields(
  patients,
  [...own, 'medicalRecordNumber', 'ihsId', 'staffNotes', 'externalId', 'metadata'],
  {
    name: { write: name, answer: z.string },
    phoneNumber: {
      write: () => described(phoneNumber(), 'Where the patient is reached.'),
      answer: () => described(z.string(), 'Digits; empty where none is known.'),
      without: '',
    },
    phoneCountryCode: { write: countryCode, answer: z.string, without: '' },
    email: {
      write: () =>
        described(email(), 'For notices; it need not be unique and never changes the e-mail of a login.'),
      answer: textOrNull,
      without: null,
    },
    birthDate: {
      write: () => described(localDate(), 'Not after today.', { example: '2019-04-23' }),
      answer: () => z.nullable(localDate()),
      without: null,
    },
    sex: { write: Sex, answer: () => z.nullable(Sex()), without: null },
    address: { write: () => freeText(500), answer: textOrNull, without: null },
    national_id: sealedNumber(16, 'NIK.', '3171234567890001', '3171••••••••0001'),
    insurance_number: sealedNumber(13, 'BPJS card.', '0001234567890', '0001•••••7890'),
  },
);

/** The fields that only the clinic can set. */
export const deskFields = recordFields(patients, [...own, ...patientFields.names], {
  medicalRecordNumber: {
    write: () =>
      described(oneLine(30), 'By hand; the next one of the clinic unless set.', { example: 'RM-000123' }),
    answer: () => described(textOrNull(), 'Unique in the clinic.', { example: 'RM-000123' }),
    without: null,
  },
  ihsId: {
    write: () => described(foreignCode(64), 'At SATUSEHAT (IHS).', { example: 'P02478375538' }),
    answer: () => described(textOrNull(), 'At SATUSEHAT (IHS).', { example: 'P02478375538' }),
    without: null,
  },
  staffNotes: {
    write: () => freeText(2_000),
    answer: z.string,
    without: '',
    meaning: 'For the clinic alone.',
  },
  ...externalFields,
});

/** The columns that a change of a record writes. */
export const writtenColumns = [
  ...patientFields.names,
  ...sealed,
  ...deskFields.names,
  'numbersConfirmedAt',
  'numbersConfirmedBy',
] as const;
