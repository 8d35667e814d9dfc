import { type Endpoint, failuresOf, type Returned } from '../endpoint/endpoint.ts';
import type { ErrorCode } from '../endpoint/errors.ts';
import { messages } from '../endpoint/messages.ts';
import { exampleOf, optionalFields } from './examples.ts';
import { failureResponses, throttleHeaders } from './failures.ts';
import { headerRefs } from './headers.ts';
import { type Components, type Json, type Schemas, schemaOf } from './json-schema.ts';
import { examplesOf, recordOf } from './owned-examples.ts';
import { exampleSentence } from './sentences.ts';

const parametersOf = (place: 'path' | 'query', name: string, contract: Endpoint, schemas: Schemas) => {
  const shape = place === 'path' ? contract.params : contract.query;
  if (shape === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(shape(), 'input', schemas, name) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const record = recordOf(contract.path);
  return Object.entries(properties).map(([field, { description, ...schema }]) => ({
    name: field,
    in: place,
    description,
    ...((place === 'path' || required.includes(field)) && { required: true }),
    schema: { ...schema, ...(field === 'id' && record !== undefined && { examples: [record] }) },
  }));
};

/** The fields that an example does not show: optional ones without an example of this operation, and the version. */
const leftOut = (name: string, { method }: Endpoint, schema: Json): string[] => {
  if (method === 'patch') return ['version'];
  const own = Object.keys(examplesOf[name] ?? {}).filter((field) => field !== 'version');
  return optionalFields(schema).filter((field) => !own.includes(field));
};

const requestBodyOf = (name: string, contract: Endpoint, schemas: Schemas): Json => {
  const { method, body, bodyOptional } = contract;
  if (body === undefined) return {};
  const schema = schemaOf(body(), 'input', schemas, name);
  if (method === 'patch') schema.minProperties = 1;
  const example = exampleOf(schema, leftOut(name, contract, schema));
  const required = !bodyOptional || method === 'patch';
  return { requestBody: { required, content: { 'application/json': { schema, example } } } };
};

const envelopeOf = ({ data, meta, message }: Returned, schemas: Schemas): Json => {
  const properties: Json = {
    status: { type: 'string', const: 'success', description: 'Tells successes from failures.' },
    ...(message !== undefined && {
      message: {
        type: 'string',
        description: 'One sentence for people, Indonesian or English by Accept-Language.',
        examples: [exampleSentence(messages[message]).id],
      },
    }),
    ...(data !== undefined && {
      data: { description: 'The payload.', ...schemaOf(data(), 'output', schemas) },
    }),
    ...(meta !== undefined && {
      meta: {
        description: 'What there is to know about the payload.',
        ...schemaOf(meta(), 'output', schemas),
      },
    }),
  };
  return { type: 'object', properties, required: Object.keys(properties) };
};

const contentOf = (returned: Returned, schemas: Schemas): Json => {
  const text = { schema: { type: 'string' } };
  return {
    ...(returned.contentType === undefined
      ? { 'application/json': { schema: envelopeOf(returned, schemas) } }
      : { [returned.contentType]: text }),
    ...(returned.alsoAs !== undefined && { [returned.alsoAs]: text }),
  };
};

const successResponses = (contract: Endpoint, schemas: Schemas): Json => {
  const { returns } = contract;
  const fails = failuresOf(contract);
  const entries = Object.entries(returns).flatMap(([status, returned]: [string, Returned]) => {
    const language = returned.message === undefined ? [] : (['Content-Language'] as const);
    const headers = headerRefs([...language, ...(returned.headers ?? []), ...throttleHeaders(fails)]);
    const content = contentOf(returned, schemas);
    const answer = [status, { description: returned.description, headers, content }];
    const hasTag = returned.headers?.includes('ETag') ?? false;
    const unchanged = {
      description: 'Unchanged since the given ETag.',
      headers: headerRefs(['ETag', 'Link', ...throttleHeaders(fails)]),
    };
    return hasTag ? [answer, ['304', unchanged]] : [answer];
  });
  return Object.fromEntries(entries);
};

const parameterRefs = (names: readonly string[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

const leniencyOf = ({ ignoresUnknownQuery }: Endpoint): string =>
  ignoresUnknownQuery ? 'Unknown query parameters are ignored.' : '';

const audienceOf = ({ access, scope }: Endpoint): string =>
  [
    ...(Array.isArray(access) ? [`For: ${access.join(', ')}.`] : []),
    ...(scope === undefined ? [] : [`API keys: \`${scope}\`.`]),
  ].join(' ');

/** What may come in the Authorization header, each way by itself. */
const securityOf = ({ access, scope, takesToken }: Endpoint): Json[] => {
  if (access === 'public' && !takesToken) return [];
  return [
    ...(access === 'public' ? [{}] : []),
    { bearerAuth: [] },
    ...(scope === undefined ? [] : [{ apiKey: [scope] }]),
  ];
};

/** The failures of an endpoint, and what its path answers to a method that it does not know. */
export const documentedFailures = (contract: Endpoint): ErrorCode[] => [
  'method_not_allowed',
  ...failuresOf(contract),
];

/** One operation of the document, from its contract alone. */
export const operationOf = (name: string, contract: Endpoint, components: Components): Json => {
  const { schemas } = components;
  const { description = '', deviceToken, idempotent, returns, sameOrigin, summary, tag } = contract;
  const hasTag = Object.values(returns).some(({ headers }) => headers?.includes('ETag'));
  return {
    operationId: `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    tags: [tag],
    summary,
    description:
      [description, audienceOf(contract), leniencyOf(contract)].filter(Boolean).join('\n\n') || `${summary}.`,
    security: securityOf(contract),
    parameters: [
      ...parametersOf('path', name, contract, schemas),
      ...parametersOf('query', name, contract, schemas),
      ...parameterRefs([
        ...(idempotent ? ['IdempotencyKey'] : []),
        ...(sameOrigin ? ['FetchSite'] : []),
        ...(deviceToken ? ['DeviceToken'] : []),
        ...(hasTag ? ['IfNoneMatch'] : []),
        'AcceptLanguage',
      ]),
    ],
    ...requestBodyOf(name, contract, schemas),
    responses: {
      ...successResponses(contract, schemas),
      ...failureResponses(documentedFailures(contract), components),
    },
  };
};
