import * as z from 'zod/mini';
import { type Endpoint, endpoint } from '../../core/endpoint/endpoint.ts';
import { fhirPath } from './base.ts';
import { type TypeName, typeNames } from './types.ts';

const common = {
  tag: 'fhir',
  // The CapabilityStatement and docs/interop.md say this, and what can fail: these contracts are in no document.
  summary: 'FHIR',
  access: 'bearer',
  scope: 'fhir:read',
  ignoresUnknownQuery: true,
  returns: { 200: { description: 'Done.' } },
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
    discloses: shows(type) ? 'record' : 'nothing',
    params: id,
  });

const search = (type: TypeName) =>
  endpoint({
    ...common,
    method: 'get',
    path: `${fhirPath}/${type}`,
    discloses: shows(type) ? 'list' : 'nothing',
    query: anything,
  });

const searchByPost = (type: TypeName) =>
  endpoint({
    ...common,
    method: 'post',
    path: `${fhirPath}/${type}/_search`,
    searches: true,
    discloses: shows(type) ? 'list' : 'nothing',
    query: anything,
    bodyOptional: true,
    body: anything,
  });

const byType = <E>(make: (type: TypeName) => E) =>
  Object.fromEntries(typeNames.map((type) => [type, make(type)])) as Record<TypeName, E>;

export const reads = byType(read);
export const searches = byType(search);
export const postSearches = byType(searchByPost);

const { scope: _scope, ...ofAll } = common;

export const Metadata = endpoint({
  ...ofAll,
  method: 'get',
  path: `${fhirPath}/metadata`,
  access: 'public',
});

const appointment = `${fhirPath}/Appointment`;
export const Find = endpoint({
  ...common,
  method: 'post',
  path: `${appointment}/$find`,
  searches: true,
  discloses: 'nothing',
  query: anything,
  body: () => bodyOf('Parameters'),
});

export const FindByGet = endpoint({
  ...common,
  method: 'get',
  path: `${appointment}/$find`,
  discloses: 'nothing',
  query: anything,
});

export const Book = endpoint({
  ...ofWrite,
  method: 'post',
  path: `${appointment}/$book`,
  body: () => bodyOf('Parameters'),
});

export const CreateAppointment = endpoint({
  ...ofWrite,
  method: 'post',
  path: appointment,
  body: () => bodyOf('Appointment'),
  returns: { 201: { description: 'Done.' } },
});

export const ChangeAppointment = endpoint({
  ...ofWrite,
  method: 'put',
  path: `${appointment}/{id}`,
  params: id,
  body: () => bodyOf('Appointment'),
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
