import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, pageQuery } from '../../../core/endpoint/query-fields.ts';
import { deskFields, patientFields } from '../record/fields.ts';

const path = '/v1/record-matches';
const common = { tag: 'patients', access: ['staff', 'admin'] } as const;

const MatchedRecord = named('MatchedRecord', () => {
  const { national_id: _, insurance_number: __, ...shown } = patientFields.answer();
  return {
    id: uuid(),
    ...shown,
    medical_record_number: deskFields.answer().medical_record_number,
    visits: described(z.int(), 'Bookings that were not canceled, those of the past among them.', {
      example: 3,
    }),
    last_visit: described(z.nullable(utcInstant()), 'The start of the last of them; null without one.'),
    created_at: utcInstant(),
  };
});

export const ListRecordMatches = endpoint({
  ...common,
  method: 'get',
  path,
  discloses: 'list',
  summary: 'Records that may be those of patients with an account',
  description:
    "One for each pair of an account and a record of the clinic for which nobody acts: with the same e-mail or phone, which the account has proved, and the same date of birth. Noted when it is proved or the account's date of birth is given; those that wait longest come first. One that nobody decides goes after a year.",
  query: pageQuery,
  returns: {
    200: {
      description: 'A page of those that still match.',
      data: () =>
        z.array(
          named('RecordMatch', () => ({
            id: uuid(),
            created_at: described(utcInstant(), 'Since when it waits for the desk.'),
            account: described(MatchedRecord(), "The account's own record."),
            record: described(MatchedRecord(), 'The record of the clinic.'),
          }))(),
        ),
      meta: pageMeta,
    },
  },
});

export const CountRecordMatches = endpoint({
  ...common,
  method: 'get',
  path: `${path}/count`,
  discloses: 'nothing',
  summary: 'How many records wait for such a decision',
  returns: {
    200: {
      description: 'The number, without any of their data.',
      data: () => z.object({ open: described(z.int(), 'At most 100 are counted.', { example: 2 }) }),
    },
  },
});

const deciding = {
  ...common,
  method: 'post',
  idempotent: true,
} as const;

export const ConfirmRecordMatch = endpoint({
  ...deciding,
  path: `${path}/{id}/confirm`,
  summary: "The record is this patient's",
  description:
    "It is merged into the account's own record, as by a claim code and `self`, and the patient is told by mail. The same answer where it was confirmed before.",
  returns: {
    200: {
      description: 'Merged.',
      data: () =>
        z.object({
          id: described(uuid(), "The account's record, which stays."),
          merged_id: described(uuid(), 'The record that leads to it now.', {
            example: '7d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a4b',
          }),
        }),
      message: {
        id: 'Catatan ini sekarang menjadi bagian dari data pasien, dan pasien diberi tahu melalui email.',
        en: "The record is now part of the patient's own, and the patient is told by mail.",
      },
    },
  },
  fails: ['match_closed', 'merge_conflict'],
});

export const DeclineRecordMatch = endpoint({
  ...deciding,
  path: `${path}/{id}/decline`,
  summary: "The record is not this patient's",
  description: 'This account and this record are never matched again. The patient is told nothing.',
  returns: {
    200: {
      description: 'Declined.',
      message: {
        id: 'Catatan ini tidak akan ditawarkan lagi untuk pasien tersebut.',
        en: 'This record will not be offered for this patient again.',
      },
    },
  },
  fails: ['match_closed'],
});
