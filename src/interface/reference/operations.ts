import { type Endpoint, listFailures, type Returned } from '../../core/endpoint/endpoint.ts';
import type { ErrorCode } from '../../core/endpoint/errors.ts';
import { sentenceOf } from '../../core/endpoint/messages.ts';
import { buildExample, optionalFields } from './examples.ts';
import { failureResponses, throttleHeaders } from './failures.ts';
import { headerRefs } from './headers.ts';
import { type Components, type Json, type Schemas, toJsonSchema } from './json-schema.ts';
import { findDemoRecord, ownedExamples } from './owned-examples.ts';
import { exampleSentence } from './sentences.ts';

const listParameters = (place: 'path' | 'query', name: string, contract: Endpoint, schemas: Schemas) => {
  const shape = place === 'path' ? contract.params : contract.query;
  if (shape === undefined) return [];
  const { properties = {}, required = [] } = toJsonSchema(shape(), 'input', schemas, name) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const record = findDemoRecord(contract.path);
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
  const own = Object.keys(ownedExamples[name] ?? {}).filter((field) => field !== 'version');
  return optionalFields(schema).filter((field) => !own.includes(field));
};

const buildRequestBody = (name: string, contract: Endpoint, schemas: Schemas): Json => {
  const { method, body, bodyOptional } = contract;
  if (body === undefined) return {};
  const schema = toJsonSchema(body(), 'input', schemas, name);
  if (method === 'patch') schema.minProperties = 1;
  const example = buildExample(schema, leftOut(name, contract, schema));
  const required = !bodyOptional || method === 'patch';
  return { requestBody: { required, content: { 'application/json': { schema, example } } } };
};

const buildEnvelope = ({ data, meta, message }: Returned, schemas: Schemas): Json => {
  const properties: Json = {
    status: { type: 'string', const: 'success', description: 'Tells successes from failures.' },
    ...(message !== undefined && {
      message: {
        type: 'string',
        description: 'One sentence for people, Indonesian or English by Accept-Language.',
        examples: [exampleSentence(sentenceOf(message)).id],
      },
    }),
    ...(data !== undefined && {
      data: { description: 'The payload.', ...toJsonSchema(data(), 'output', schemas) },
    }),
    ...(meta !== undefined && {
      meta: {
        description: 'What there is to know about the payload.',
        ...toJsonSchema(meta(), 'output', schemas),
      },
    }),
  };
  return { type: 'object', properties, required: Object.keys(properties) };
};

const buildContent = (returned: Returned, schemas: Schemas): Json => {
  const text = { schema: { type: 'string' } };
  return {
    ...(returned.contentType === undefined
      ? { 'application/json': { schema: buildEnvelope(returned, schemas) } }
      : { [returned.contentType]: text }),
    ...(returned.alsoAs !== undefined && { [returned.alsoAs]: text }),
  };
};

const successResponses = (contract: Endpoint, schemas: Schemas): Json => {
  const { returns, query, idempotent, answersSecret } = contract;
  const fails = listFailures(contract);
  const isPaged = 'cursor' in (query?.().shape ?? {});
  const isStored = idempotent && !answersSecret;
  // A 200 beside a 201 finds what is there already, and stores nothing.
  const lastStatus = Object.keys(returns).at(-1);
  const ending = contract.deprecated === undefined ? [] : (['Deprecation', 'Sunset', 'Link'] as const);
  const entries = Object.entries(returns).flatMap(([status, returned]: [string, Returned]) => {
    const language = returned.message === undefined ? [] : (['Content-Language'] as const);
    const headers = headerRefs([
      ...language,
      ...(returned.headers ?? []),
      ...(isPaged ? (['Link'] as const) : []),
      ...(isStored && status === lastStatus ? (['Idempotency-Replayed'] as const) : []),
      ...ending,
      ...throttleHeaders(fails),
    ]);
    const content = buildContent(returned, schemas);
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

const describeLeniency = ({ ignoresUnknownQuery }: Endpoint): string =>
  ignoresUnknownQuery ? 'Unknown query parameters are ignored.' : '';

const describeEnd = ({ deprecated }: Endpoint): string =>
  deprecated === undefined
    ? ''
    : `Deprecated since ${deprecated.since}, ends on ${deprecated.ends}. Use ${deprecated.instead} instead.`;

const describeAudience = ({ access, scope }: Endpoint): string =>
  [
    ...(Array.isArray(access) ? [`For: ${access.join(', ')}.`] : []),
    ...(scope === undefined ? [] : [`API keys: \`${scope}\`.`]),
  ].join(' ');

/** The allowed kinds of Authorization header, each alone. */
const listSecurity = ({ access, scope, takesToken }: Endpoint): Json[] => {
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
  ...listFailures(contract),
];

/** One operation of the document, from its contract alone. */
export const buildOperation = (name: string, contract: Endpoint, components: Components): Json => {
  const { schemas } = components;
  const {
    deprecated,
    description = '',
    deviceToken,
    holdSecret,
    idempotent,
    returns,
    sameOrigin,
    summary,
    tag,
  } = contract;
  const hasTag = Object.values(returns).some(({ headers }) => headers?.includes('ETag'));
  return {
    operationId: `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    tags: [tag],
    summary,
    description:
      [describeEnd(contract), description, describeAudience(contract), describeLeniency(contract)]
        .filter(Boolean)
        .join('\n\n') || `${summary}.`,
    ...(deprecated && { deprecated: true, 'x-sunset': deprecated.ends }),
    security: listSecurity(contract),
    parameters: [
      ...listParameters('path', name, contract, schemas),
      ...listParameters('query', name, contract, schemas),
      ...parameterRefs([
        ...(idempotent ? ['IdempotencyKey'] : []),
        ...(sameOrigin ? ['FetchSite'] : []),
        ...(deviceToken ? ['DeviceToken'] : []),
        ...(holdSecret ? ['HoldSecret'] : []),
        ...(hasTag ? ['IfNoneMatch'] : []),
        'AcceptLanguage',
      ]),
    ],
    ...buildRequestBody(name, contract, schemas),
    responses: {
      ...successResponses(contract, schemas),
      ...failureResponses(documentedFailures(contract), components),
    },
  };
};
