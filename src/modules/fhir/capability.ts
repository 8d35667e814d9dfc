// Pure: what the façade can do, as a CapabilityStatement.

import {
  includesOf,
  isReadConditionally,
  isVersioned,
  searchedBy,
  sortsOf,
  type TypeName,
  typeNames,
} from './types.ts';

/** When this statement last changed. */
const date = '2026-11-29';

/** The search parameters that R4 defines; a chain is listed by its first parameter. */
const listed = (type: TypeName) =>
  Object.entries(searchedBy(type))
    .filter(([name]) => !name.includes('.'))
    .map(([name, [kind]]) => ({
      name,
      type: kind,
      definition: `http://hl7.org/fhir/SearchParameter/${name[0] === '_' ? 'Resource' : type}-${name.replace('_', '')}`,
    }));

const operations = [
  ['find', 'https://profiles.ihe.net/ITI/Scheduling/OperationDefinition/appointment-find'],
  ['book', 'https://profiles.ihe.net/ITI/Scheduling/OperationDefinition/appointment-book'],
] as const;

const resource = (type: TypeName) => {
  const isWritten = type === 'Appointment';
  const codes = ['read', 'search-type', ...(isWritten ? ['create', 'update'] : [])];
  const includes = Object.keys(includesOf(type)).map((param) => `${type}:${param}`);
  return {
    type,
    interaction: codes.map((code) => ({ code })),
    documentation: `\`_sort\`: ${sortsOf(type).join(', ')}`,
    versioning: !isVersioned(type) ? 'no-version' : isWritten ? 'versioned-update' : 'versioned',
    conditionalRead: isReadConditionally(type) ? 'full-support' : undefined,
    readHistory: false,
    updateCreate: false,
    searchInclude: includes.length > 0 ? includes : undefined,
    searchParam: listed(type),
    operation: isWritten ? operations.map(([name, definition]) => ({ name, definition })) : undefined,
  };
};

export const capabilityStatement = (base: string) => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  date,
  kind: 'instance',
  software: { name: 'Janji' },
  implementation: { description: 'The bookings of one clinic.', url: base },
  fhirVersion: '4.0.1',
  format: ['application/fhir+json', 'json'],
  rest: [
    {
      mode: 'server',
      security: {
        cors: true,
        description:
          'A bearer token: of a person who logged in, or an API key of the clinic with the scope fhir:read or fhir:write.',
      },
      resource: typeNames.map(resource),
    },
  ],
});
