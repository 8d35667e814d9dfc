import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, freeText, localDate, utcInstant } from '../../../core/endpoint/fields.ts';
import { relationsWithSelf } from '../../../core/tables/words.ts';
import { FamilyMember } from '../record/shapes.ts';

export const CreateClaimCode = endpoint({
  tag: 'patients',
  access: ['staff', 'admin'],
  method: 'post',
  path: '/v1/patients/{id}/claim-code',
  summary: 'A code by which an account takes a record into its family',
  description:
    'To be handed over at the desk: good once, for 48 hours, together with the date of birth. Five wrong dates void it, and its maker cannot use it.',
  idempotent: true,
  answersSecret: true,
  returns: {
    201: {
      description: 'The code, shown this once.',
      data: () =>
        z.object({
          code: described(z.string(), 'Eight letters and digits.', { example: '7KQ2M9XR' }),
          expires_at: described(utcInstant(), 'Until when it is good.'),
        }),
      message: 'created',
    },
  },
  fails: ['birth_date_missing'],
});

export const ClaimFamilyMember = endpoint({
  tag: 'patients',
  access: 'bearer',
  method: 'post',
  path: '/v1/family/claim',
  summary: 'Take a record of the clinic into the family',
  description:
    'By the code that the desk handed over and the date of birth. `self` merges the record into the own one. The limits of `POST /v1/family` hold, and tries are limited as logins are.',
  idempotent: true,
  body: () =>
    z.object({
      code: described(freeText(50), 'From the desk; spaces, hyphens and small letters do not matter.', {
        example: '7KQ2 M9XR',
      }),
      birth_date: described(localDate(), "The patient's.", { example: '2019-04-23' }),
      relation: described(
        z.enum(relationsWithSelf),
        'What the patient is to the caller; `self` for the caller.',
        { example: 'child' },
      ),
    }),
  returns: {
    200: {
      description: 'Linked, or merged into the own record.',
      data: FamilyMember,
      message: {
        id: 'Data pasien berhasil dihubungkan dengan akun Anda.',
        en: 'The record was linked to your account.',
      },
    },
  },
  fails: ['claim_code_invalid', 'patient_has_account', 'merge_conflict', 'family_full', 'rate_limited'],
});
