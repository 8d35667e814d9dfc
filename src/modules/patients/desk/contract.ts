import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, named, searchText, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import {
  externalIdFilter,
  pageMeta,
  pageQuery,
  paging,
  queryNumber,
  updatedSince,
} from '../../../core/endpoint/query-fields.ts';
import { actingRole, BookingDetail } from '../../booking/record/shapes.ts';
import { deskFields, patientFields } from '../record/fields.ts';
import { Patient, PatientDetail } from '../record/shapes.ts';

const path = '/v1/patients';
const common = { tag: 'patients', access: ['staff', 'admin'] } as const;

export const CreatePatient = endpoint({
  ...common,
  scope: 'patients:write',
  method: 'post',
  path,
  summary: 'Add a patient',
  description:
    'With a name and one of phone number, date of birth and national id; no account is needed. The numbers count as confirmed. One that looks like a patient who is there already is `possible_duplicate`, and added all the same with `confirm`.',
  idempotent: true,
  body: () =>
    z.object({
      ...patientFields.create(),
      ...deskFields.create(),
      confirm: described(z.optional(z.boolean()), 'It is somebody else than the `candidates`.'),
    }),
  returns: { 201: { description: 'Added.', data: PatientDetail, message: 'created', headers: ['Location'] } },
  fails: ['patient_exists', 'possible_duplicate', 'external_id_taken'],
});

export const FindPatients = endpoint({
  ...common,
  scope: 'patients:read',
  method: 'get',
  path,
  discloses: 'list',
  summary: 'Find patients',
  description:
    'In the order of names; with `q` in the order of the words that were found, with `updated_since` in that of their last change.',
  query: () =>
    z.object({
      ...paging(),
      q: described(
        z.optional(searchText()),
        'Beginnings of words of the name, of the e-mail, or of the phone number with or without its country code, or a date of birth; all of them must be found. Or a whole medical record, national or insurance number.',
      ),
      updated_since: updatedSince('Not together with `q`.'),
      external_id: externalIdFilter(
        'Also one that was imported under it, from whatever source. Not together with `q` or `updated_since`.',
      ),
    }),
  returns: { 200: { description: 'A page of patients.', data: () => z.array(Patient()), meta: pageMeta } },
});

const PatientChange = named('PatientChange', () => ({
  sequence: described(z.int(), "The event's place in the order of all changes.", { example: 1042 }),
  type: described(z.string(), 'What happened: `patient.created`, `.updated`, `.merged` or `.deleted`.', {
    example: 'patient.updated',
  }),
  at: described(utcInstant(), 'When it happened.'),
  by: described(actingRole(), 'In which role it was done.'),
  patient_id: uuid(),
  merged_into: described(z.nullable(uuid()), 'The record that is left, after a merge.', { example: null }),
}));

export const ListPatientChanges = endpoint({
  ...common,
  scope: 'events:read',
  method: 'get',
  path: `${path}/changes`,
  discloses: 'list',
  summary: "What happened to patients' records since",
  description:
    'One item an event, in order: which record, and what. The numbers are those of `GET /v1/bookings/changes`. Ask again with `after` = `meta.sequence`, at once while `meta.more` is true.',
  query: () =>
    z.object({
      after: described(
        queryNumber(0, Number.MAX_SAFE_INTEGER),
        '`meta.sequence` of the changes before, or 0.',
        { example: 0 },
      ),
      limit: paging().limit,
    }),
  returns: {
    200: {
      description: 'The changes, the earliest first.',
      data: () => z.array(PatientChange()),
      meta: () =>
        z.object({
          sequence: described(z.int(), 'Where to go on, also where nothing happened to a patient.', {
            example: 1042,
          }),
          more: described(z.boolean(), 'Whether more may follow now.'),
        }),
    },
  },
  fails: ['changes_gone'],
});

export const GetPatient = endpoint({
  ...common,
  access: ['staff', 'doctor', 'admin'],
  scope: 'patients:read',
  discloses: 'record',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'One patient',
  description:
    'With visits and bookings. The id of a record that was merged leads to the one that is left. A doctor sees those of the own bookings, with the numbers masked.',
  returns: { 200: { description: 'The patient.', data: PatientDetail } },
});

export const ChangePatient = endpoint({
  ...common,
  scope: 'patients:write',
  method: 'patch',
  path: `${path}/{id}`,
  summary: "Correct a patient's record",
  description: 'Name and phone number of a patient with an account change in the account as well.',
  bodyOptional: true,
  body: () =>
    z.object({
      ...patientFields.change(),
      ...deskFields.change(),
      // It can be replaced, but not removed.
      medical_record_number: deskFields.create().medical_record_number,
      numbers_confirmed: described(
        z.optional(z.boolean()),
        'The desk has seen the national and insurance number.',
      ),
      version: described(
        z.optional(z.int()),
        'Refuses with `version_mismatch` unless the record has this version.',
      ),
    }),
  returns: { 200: { description: 'Changed.', data: PatientDetail, message: 'changed' } },
  fails: ['patient_exists', 'version_mismatch', 'external_id_taken'],
});

export const ListPatientBookings = endpoint({
  ...common,
  access: ['staff', 'doctor', 'admin'],
  scope: 'bookings:read',
  discloses: 'record',
  method: 'get',
  path: `${path}/{id}/bookings`,
  summary: 'The bookings of a patient',
  description: 'The newest schedule first. A doctor sees the own ones.',
  query: pageQuery,
  returns: {
    200: { description: 'A page of bookings.', data: () => z.array(BookingDetail()), meta: pageMeta },
  },
});
