import { type Endpoint, failuresOf, type Returned } from '../endpoint.ts';
import { catalogue, type ErrorCode } from '../errors.ts';
import { messages } from '../messages.ts';
import { exampleOf } from './examples.ts';
import { failureResponses, throttleHeaders } from './failures.ts';
import { headerRefs } from './headers.ts';
import { type Components, type Json, type Schemas, schemaOf } from './json-schema.ts';

const parametersOf = (place: 'path' | 'query', shape: Endpoint['params'], schemas: Schemas) => {
  if (shape === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(shape(), 'input', schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    description,
    ...((place === 'path' || required.includes(name)) && { required: true }),
    schema,
  }));
};

const requestBodyOf = ({ method, body, bodyOptional }: Endpoint, schemas: Schemas): Json => {
  if (body === undefined) return {};
  const schema = schemaOf(body(), 'input', schemas);
  if (method === 'patch') schema.minProperties = 1;
  const example = bodyOptional ? {} : exampleOf((schema.properties ?? {}) as Record<string, Json>);
  const content = { 'application/json': { schema, ...(!bodyOptional && { example }) } };
  return { requestBody: { required: !bodyOptional || method === 'patch', content } };
};

const envelopeOf = ({ data, meta, message }: Returned, schemas: Schemas): Json => {
  const properties: Json = {
    status: { type: 'string', const: 'success', description: 'Tells successes from failures.' },
    ...(message !== undefined && {
      message: {
        type: 'string',
        description: 'One sentence for people, Indonesian or English by Accept-Language.',
        examples: [messages[message].id],
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
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
};

const contentOf = (returned: Returned, schemas: Schemas): Json => {
  if (returned.contentType !== undefined) return { [returned.contentType]: { schema: { type: 'string' } } };
  return { 'application/json': { schema: envelopeOf(returned, schemas) } };
};

const successResponses = ({ returns, fails }: Endpoint, schemas: Schemas): Json => {
  const entries = Object.entries(returns).flatMap(([status, returned]: [string, Returned]) => {
    const language = returned.message === undefined ? [] : (['Content-Language'] as const);
    const headers = headerRefs([...language, ...(returned.headers ?? []), ...throttleHeaders(fails)]);
    const content = contentOf(returned, schemas);
    const answer = [status, { description: returned.description, headers, content }];
    const hasTag = returned.headers?.includes('ETag') ?? false;
    const unchanged = {
      description: 'Unchanged since the given ETag.',
      headers: headerRefs(['ETag', 'Link']),
    };
    return hasTag ? [answer, ['304', unchanged]] : [answer];
  });
  return Object.fromEntries(entries);
};

const parameterRefs = (names: readonly string[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

const leniencyOf = ({ ignoresUnknownQuery }: Endpoint): string =>
  ignoresUnknownQuery ? 'Unknown query parameters are ignored.' : '';

const audienceOf = (access: Endpoint['access']): string =>
  Array.isArray(access) ? `For: ${access.join(', ')}.` : '';

const isClientsFault = (code: ErrorCode) => catalogue[code].status < 500;

/** The failures of an endpoint; where no call can be wrong, at least the method can. */
export const documentedFailures = (contract: Endpoint): ErrorCode[] => {
  const fails = failuresOf(contract);
  return fails.some(isClientsFault) ? fails : ['method_not_allowed', ...fails];
};

/** One operation of the document, from its contract alone. */
export const operationOf = (name: string, contract: Endpoint, components: Components): Json => {
  const { schemas } = components;
  const { access, description = '', idempotent, params, query, returns, summary, tag } = contract;
  const hasTag = Object.values(returns).some(({ headers }) => headers?.includes('ETag'));
  return {
    operationId: `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    tags: [tag],
    summary,
    description:
      [description, audienceOf(access), leniencyOf(contract)].filter(Boolean).join('\n\n') || `${summary}.`,
    security: access === 'public' ? [] : [{ bearerAuth: [] }],
    parameters: [
      ...parametersOf('path', params, schemas),
      ...parametersOf('query', query, schemas),
      ...parameterRefs([
        ...(idempotent ? ['IdempotencyKey'] : []),
        ...(hasTag ? ['IfNoneMatch'] : []),
        'AcceptLanguage',
      ]),
    ],
    ...requestBodyOf(contract, schemas),
    responses: {
      ...successResponses(contract, schemas),
      ...failureResponses(documentedFailures(contract), components),
    },
  };
};
