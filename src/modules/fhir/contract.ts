import * as z from 'zod/mini';
import { type Endpoint, endpoint } from '../../core/endpoint/endpoint.ts';
import type { ErrorCode } from '../../core/endpoint/errors.ts';
import { fhirPath } from './base.ts';
import { type TypeName, typeNames } from './types.ts';

const common = {
  tag: 'fhir',
  access: 'bearer',
  scope: 'fhir:read',
  ignoresUnknownQuery: true,
  returns: { 200: { description: 'The resource.' } },
  fails: ['not_acceptable'],
} as const;
const ofWrite = { ...common, scope: 'fhir:write', idempotent: true } as const;

const bodyOf = (...types: string[]) =>
  z.looseObject({ resourceType: z.enum(types as [string, ...string[]]) });
const id = () => z.object({ id: z.string().check(z.regex(/^[A-Za-z0-9.-]{1,64}$/)) });
const anything = () => z.looseObject({});

/** What a search or a read of a type shows of patients. */
const shows = (type: TypeName) => type === 'Patient' || type === 'Appointment';

const read = (type: TypeName) =>
  endpoint({
    ...common,
    method: 'get',
    path: `${fhirPath}/${type}/{id}`,
    summary: `Read ${type}`,
    discloses: shows(type) ? 'record' : 'nothing',
    params: id,
  });

const search = (type: TypeName) =>
  endpoint({
    ...common,
    method: 'get',
    path: `${fhirPath}/${type}`,
    summary: `Search ${type}`,
    discloses: shows(type) ? 'list' : 'nothing',
    query: anything,
  });

const searchByPost = (type: TypeName) =>
  endpoint({
    ...common,
    method: 'post',
    path: `${fhirPath}/${type}/_search`,
    summary: `Search ${type}, by a form`,
    searches: true,
    discloses: shows(type) ? 'list' : 'nothing',
    query: anything,
    bodyOptional: true,
    body: anything,
  });

export const reads = Object.fromEntries(typeNames.map((type) => [type, read(type)])) as Record<
  TypeName,
  ReturnType<typeof read>
>;
export const searches = Object.fromEntries(typeNames.map((type) => [type, search(type)])) as Record<
  TypeName,
  ReturnType<typeof search>
>;
export const postSearches = Object.fromEntries(typeNames.map((type) => [type, searchByPost(type)])) as Record<
  TypeName,
  ReturnType<typeof searchByPost>
>;

const { scope: _scope, ...ofAll } = common;

export const Metadata = endpoint({
  ...ofAll,
  method: 'get',
  path: `${fhirPath}/metadata`,
  summary: 'The CapabilityStatement',
  access: 'public',
});

const appointment = `${fhirPath}/Appointment`;
const bookingFailures: readonly ErrorCode[] = [
  'forbidden',
  'slot_full',
  'patient_busy',
  'too_many_bookings',
  'email_unproved',
  'rate_limited',
  'doctor_not_found',
  'session_not_offered',
  'slot_unavailable',
  'not_acceptable',
];

export const Find = endpoint({
  ...common,
  method: 'post',
  path: `${appointment}/$find`,
  summary: 'Appointments that can be made',
  searches: true,
  discloses: 'nothing',
  query: anything,
  body: () => bodyOf('Parameters'),
});

export const FindByGet = endpoint({
  ...common,
  method: 'get',
  path: `${appointment}/$find`,
  summary: 'Appointments that can be made',
  discloses: 'nothing',
  query: anything,
});

export const Book = endpoint({
  ...ofWrite,
  method: 'post',
  path: `${appointment}/$book`,
  summary: 'Make, move or cancel an Appointment',
  body: () => bodyOf('Parameters'),
  fails: [...bookingFailures, 'invalid_transition', 'version_mismatch', 'not_found'],
});

export const CreateAppointment = endpoint({
  ...ofWrite,
  method: 'post',
  path: appointment,
  summary: 'Make an Appointment',
  body: () => bodyOf('Appointment'),
  returns: { 201: { description: 'Made.', headers: ['Location', 'ETag'] } },
  fails: bookingFailures,
});

export const ChangeAppointment = endpoint({
  ...ofWrite,
  method: 'put',
  path: `${appointment}/{id}`,
  summary: 'Cancel or move an Appointment, or follow the visit',
  params: id,
  body: () => bodyOf('Appointment'),
  returns: { 200: { description: 'Changed.', headers: ['ETag'] } },
  fails: [...bookingFailures, 'invalid_transition', 'version_mismatch'],
});

/** Every contract of the façade. */
export const fhirContracts: readonly Endpoint[] = [
  Metadata,
  ...Object.values(reads),
  ...Object.values(searches),
  ...Object.values(postSearches),
  Find,
  FindByGet,
  Book,
  CreateAppointment,
  ChangeAppointment,
];
