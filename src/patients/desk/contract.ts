import * as z from 'zod/mini';
import { BookingDetail } from '../../booking/record/shapes.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { described, idParam, searchText } from '../../endpoint/fields.ts';
import { pageMeta, pageQuery, paging } from '../../endpoint/query-fields.ts';
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
  returns: {
    201: {
      description: 'Added.',
      data: PatientDetail,
      message: 'created',
      headers: ['Location', 'Idempotency-Replayed'],
    },
  },
  fails: ['patient_exists', 'possible_duplicate'],
});

export const FindPatients = endpoint({
  ...common,
  scope: 'patients:read',
  method: 'get',
  path,
  discloses: 'list',
  summary: 'Find patients',
  description: 'In the order of names; with `q` in the order of the words that were found.',
  query: () =>
    z.object({
      ...paging(),
      q: described(
        z.optional(searchText()),
        'Beginnings of words of the name, of the e-mail, or of the phone number with or without its country code, or a date of birth; all of them must be found. Or a whole medical record, national or insurance number.',
      ),
    }),
  returns: {
    200: {
      description: 'A page of patients.',
      data: () => z.array(Patient()),
      meta: pageMeta,
      headers: ['Link'],
    },
  },
  fails: [],
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
  params: idParam,
  returns: { 200: { description: 'The patient.', data: PatientDetail } },
  fails: [],
});

export const ChangePatient = endpoint({
  ...common,
  scope: 'patients:write',
  method: 'patch',
  path: `${path}/{id}`,
  summary: "Correct a patient's record",
  description: 'Name and phone number of a patient with an account change in the account as well.',
  params: idParam,
  bodyOptional: true,
  body: () =>
    z.object({
      ...patientFields.change(),
      // The clinic's number is replaced, never taken away.
      ...deskFields.create(),
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
  fails: ['patient_exists', 'version_mismatch'],
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
  params: idParam,
  query: pageQuery,
  returns: {
    200: {
      description: 'A page of bookings.',
      data: () => z.array(BookingDetail()),
      meta: pageMeta,
      headers: ['Link'],
    },
  },
  fails: [],
});
