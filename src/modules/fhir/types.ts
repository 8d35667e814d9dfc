// The supported types of resources: the search parameters of each, and the paths of their values.

import { practiceName, practicePath } from './practice.ts';

export type Kind = 'token' | 'reference' | 'date' | 'string';

/** A search parameter: its kind, and the paths of its values in a resource; none where the database searches. */
type Param = readonly [kind: Kind, ...paths: string[]];

interface TypeOf {
  params: Readonly<Record<string, Param>>;
  /** What `_include` can add: the paths of the references. */
  includes?: Readonly<Record<string, readonly string[]>>;
}

const active: Param = ['token', 'active'];
const serviceType: Param = ['token', 'serviceType.coding.code', 'serviceType.text'];
const practice: Param = ['token', practicePath];
const organization = ['providedBy.reference', 'organization.reference', 'managingOrganization.reference'];
const location = ['location.reference'];
const actors = ['participant.actor.reference'];

const types = {
  Patient: {
    params: {
      identifier: ['token'],
      name: ['string'],
      phone: ['token'],
      birthdate: ['date'],
      gender: ['token'],
    },
  },
  Practitioner: { params: { name: ['string', 'name.text'], active } },
  PractitionerRole: {
    params: {
      practitioner: ['reference', 'practitioner.reference'],
      service: ['reference', 'healthcareService.reference'],
      [practiceName]: practice,
      active,
    },
    includes: {
      practitioner: ['practitioner.reference'],
      service: ['healthcareService.reference'],
      organization,
      location,
    },
  },
  HealthcareService: {
    params: { name: ['string', 'name'], 'service-type': ['token', 'id', 'name'], active },
    includes: { organization, location },
  },
  Location: {
    params: { name: ['string', 'name'], status: ['token', 'status'] },
    includes: { organization },
  },
  Organization: { params: { name: ['string', 'name'], active } },
  Schedule: {
    params: {
      actor: ['reference', 'actor.reference'],
      date: ['date', 'planningHorizon'],
      'service-type': serviceType,
      active,
    },
    includes: { actor: ['actor.reference'] },
  },
  Slot: {
    params: {
      schedule: ['reference'],
      'schedule.actor': ['reference'],
      start: ['date'],
      status: ['token', 'status'],
      'service-type': serviceType,
    },
    includes: { schedule: ['schedule.reference'] },
  },
  Appointment: {
    params: {
      patient: ['reference'],
      'patient.identifier': ['token'],
      practitioner: ['reference'],
      actor: ['reference'],
      location: ['reference'],
      date: ['date'],
      status: ['token'],
      identifier: ['token'],
      slot: ['reference'],
      [practiceName]: ['token'],
      'service-type': ['token'],
    },
    includes: { patient: actors, practitioner: actors, location: actors, actor: actors },
  },
} as const satisfies Record<string, TypeOf>;

export type TypeName = keyof typeof types;
export const typeNames = Object.keys(types) as TypeName[];

/** The parameters that a type has of its own. */
const paramsOf = (type: TypeName): TypeOf['params'] => types[type].params;

/** Types without a version: slots are computed, and the other two show the clinic itself. */
const unversioned: readonly TypeName[] = ['Slot', 'Organization', 'Location'];
export const isVersioned = (type: TypeName): boolean => !unversioned.includes(type);

/** Types whose content is named by their version; what the others show follows from other records and from the day, too. */
export const isReadConditionally = (type: string): boolean =>
  /^(Practitioner|HealthcareService|Appointment)$/.test(type);

/** All parameters of a search of a type. */
export const searchedBy = (type: TypeName): TypeOf['params'] => ({
  _id: ['token', 'id'],
  ...(isVersioned(type) && { _lastUpdated: ['date', 'meta.lastUpdated'] }),
  ...paramsOf(type),
});

const hl7 = 'http://hl7.org/fhir/';
const codeSystems: Readonly<Record<string, string>> = {
  'Appointment.status': `${hl7}appointmentstatus`,
  'Slot.status': `${hl7}slotstatus`,
  'Location.status': `${hl7}location-status`,
  'Patient.gender': `${hl7}administrative-gender`,
};
/** The system of the codes of a parameter; undefined where they are the clinic's own. */
export const codeSystemOf = (type: TypeName, param: string): string | undefined =>
  codeSystems[`${type}.${param}`];

/** By what a search of a type can be sorted: a catalog by all that it shows, the others by what they have an index of. */
export const sortsOf = (type: TypeName): readonly string[] => {
  if (type === 'Slot') return ['start'];
  if (type === 'Appointment') return ['date'];
  const shown = Object.entries(searchedBy(type)).filter(
    ([, [kind, path]]) => path && /date|string/.test(kind),
  );
  return ['_id', ...shown.map(([name]) => name)];
};
export const includesOf = (type: TypeName): NonNullable<TypeOf['includes']> =>
  (types[type] as TypeOf).includes ?? {};

/** The type that an include leads to, where its name is narrower than its path. */
export const includedType: Readonly<Record<string, TypeName>> = {
  patient: 'Patient',
  practitioner: 'Practitioner',
  location: 'Location',
};

/** A resource as a request has it: anything may be missing. */
export interface GivenResource {
  resourceType: string;
  [element: string]: unknown;
}

/** A resource of any type, as it is sent. */
export interface Resource extends GivenResource {
  id: string;
}

/** The values at a path of a resource, of every entry of the lists on the way. */
export const valuesAt = (resource: unknown, path: string): unknown[] =>
  path
    .split('.')
    .reduce<unknown[]>(
      (found, name) =>
        found.flatMap((one) => (one as Record<string, unknown> | undefined)?.[name] ?? []).flat(),
      [resource],
    );
