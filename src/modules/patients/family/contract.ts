import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described } from '../../../core/endpoint/fields.ts';
import { once } from '../../../core/endpoint/once.ts';
import { pageMeta, pageQuery } from '../../../core/endpoint/query-fields.ts';
import { relations } from '../../../core/tables/words.ts';
import { patientFields } from '../record/fields.ts';
import { FamilyMember } from '../record/shapes.ts';

const path = '/v1/family';
const common = { tag: 'patients', access: 'bearer' } as const;
const relation = once(() =>
  described(z.enum(relations), 'What the patient is to the person who books.', { example: 'child' }),
);

export const ListFamily = endpoint({
  ...common,
  method: 'get',
  path,
  discloses: 'own',
  summary: 'For whom the caller may book',
  description: 'The own record first, then the family in the order in which it was added.',
  query: pageQuery,
  returns: {
    200: { description: 'A page of patients.', data: () => z.array(FamilyMember()), meta: pageMeta },
  },
});

export const AddFamilyMember = endpoint({
  ...common,
  method: 'post',
  path,
  summary: 'Add one of the family',
  description:
    'At most 10 at a time, and 10 additions in a year. Every number stays unconfirmed until the desk has seen it.',
  idempotent: true,
  body: () => {
    const { name, birth_date, ...more } = patientFields.create();
    return z.object({ name, birth_date: birth_date.def.innerType, relation: relation(), ...more });
  },
  returns: { 201: { description: 'Added.', data: FamilyMember, message: 'created', headers: ['Location'] } },
  fails: ['family_full'],
});

export const ChangeFamilyMember = endpoint({
  ...common,
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Change one of the family, or the own record',
  description:
    "Once the clinic has treated the patient, the date of birth and the numbers are the clinic's to change. Name and phone number of the own record are those of the account.",
  bodyOptional: true,
  body: () => z.object({ relation: z.optional(relation()), ...patientFields.change() }),
  returns: { 200: { description: 'Changed.', data: FamilyMember, message: 'changed' } },
  fails: ['treated_already'],
});

export const EndFamilyMember = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Act for a patient no more',
  description: 'The record and its bookings stay with the clinic. Refused while bookings are coming.',
  returns: { 200: { description: 'Ended.', message: 'deleted' } },
  fails: ['bookings_coming'],
});
