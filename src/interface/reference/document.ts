import { scopes } from '../../core/endpoint/endpoint.ts';
import { resolveExampleDates } from '../../core/endpoint/example-dates.ts';
import { keyForm } from '../../core/idempotency/key.ts';
import { contracts } from '../contracts.ts';
import { headers } from './headers.ts';
import type { Components, Json, Schemas } from './json-schema.ts';
import { buildOperation } from './operations.ts';
import { version } from './package.ts';
import { describeWebhooks, webhookParameters } from './webhooks.ts';
import { introduction, tags } from './words.ts';

const parameters = {
  ...webhookParameters,
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repeat harmless: the same request under the same key gets the same answer for 24 hours. ' +
      '1 to 255 visible characters, bare or quoted.',
    schema: {
      type: 'string',
      pattern: keyForm.source,
      minLength: 1,
      maxLength: 257,
      examples: ['b6d1f2a0-6a1c-4f2e-8a57-0c5d1f3e9b42'],
    },
  },
  DeviceToken: {
    name: 'X-Device-Token',
    in: 'header',
    description:
      'What the last registration or login on this device answered in the header of the same name. The device is then known: wrong passwords from elsewhere make it wait no longer. One that does not hold is the same as none.',
    schema: {
      type: 'string',
      examples: ['q3bXl0Zc8m1vQvXy7d2Kpw.mjz1k0g0.0b9mVfJt3m0Wq4o1cPj8Yz2nD5rT6sU7vX8yA9bC0dE'],
    },
  },
  HoldSecret: {
    name: 'X-Hold-Secret',
    in: 'header',
    description:
      'The secret of a hold, as `POST /v1/holds` answered it. One that does not hold any more is the same as none.',
    schema: { type: 'string', examples: ['q3bXl0Zc8m1vQvXy7d2KpwN4sT6uW8yA0bC2dE4fG6h'] },
  },
  FetchSite: {
    name: 'Sec-Fetch-Site',
    in: 'header',
    description:
      "Written by the browser: anything but `same-origin` is refused. Where it is missing, the host of `Origin` has to be the service's own.",
    schema: { type: 'string', examples: ['same-origin'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an earlier answer; 304 without a body while it holds.',
    schema: { type: 'string', examples: ['"m5Jb1pE0XxPq0Wn9v3hL"'] },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'The language of the sentences for people: Indonesian unless English is preferred.',
    schema: { type: 'string', default: 'id', examples: ['en'] },
  },
};

const securitySchemes = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `access_token` of a registration, a login or a refresh.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'janji_…',
    description:
      'The `key` of `POST /v1/admin/api-keys`, for machines of the clinic. Each operation names the scope that it needs; ' +
      `there are ${scopes.map((scope) => `\`${scope}\``).join(', ')}. An operation without this scheme is for people alone.`,
  },
};

const referredTo = <T extends object>(kind: string, parts: T, text: string) =>
  Object.fromEntries(
    Object.entries(parts).filter(([name]) => text.includes(`#/components/${kind}/${name}"`)),
  );

const info = {
  title: 'Janji',
  version,
  summary: 'Medical booking that never books twice.',
  description: introduction,
  contact: { name: 'The Janji maintainers' },
  license: { name: 'MIT', identifier: 'MIT' },
};

const eventsTag = 'events';
const listTags = (used: ReadonlySet<string>) => tags.filter(({ name }) => used.has(name));

interface Document extends Json {
  components: Record<string, Json>;
}

/** The OpenAPI 3.1 document of the calls, made from their contracts; dates in its examples are still to come. */
export const callsTemplate = (): Document => {
  const components: Components = { schemas: {}, responses: {} };
  const paths: Record<string, Json> = {};
  for (const [name, contract] of Object.entries(contracts)) {
    paths[contract.path] ??= {};
    Object.assign(paths[contract.path] as Json, {
      [contract.method]: buildOperation(name, contract, components),
    });
  }
  const text = JSON.stringify([paths, components]);
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: listTags(new Set(Object.values(contracts).map(({ tag }) => tag))),
    paths,
    components: {
      ...components,
      headers: referredTo('headers', headers, text),
      parameters: referredTo('parameters', parameters, text),
      securitySchemes,
    },
  };
};

/**
 * The same for the events sent to receivers. It is a separate document, because some generators make clients of it that
 * do not compile.
 */
export const eventsTemplate = (): Document => {
  const schemas: Schemas = {};
  const webhooks = describeWebhooks(schemas);
  const text = JSON.stringify([webhooks, schemas]);
  return {
    openapi: '3.1.1',
    info,
    tags: listTags(new Set([eventsTag])),
    webhooks,
    components: { schemas, parameters: referredTo('parameters', parameters, text) },
  };
};

/** Calls and events as one document. */
const wholeTemplate = (): Json => {
  const [calls, events] = [callsTemplate(), eventsTemplate()];
  const parts = (name: string) => ({ ...calls.components[name], ...events.components[name] });
  return {
    ...calls,
    tags: [...(calls.tags as Json[]), ...(events.tags as Json[])],
    webhooks: events.webhooks,
    components: { ...calls.components, schemas: parts('schemas'), parameters: parts('parameters') },
  };
};

/** A document as it is served on a day: its examples lie ahead of it. */
const datedOn = (template: Json, today: string): Json =>
  JSON.parse(resolveExampleDates(JSON.stringify(template), today)) as Json;

/** The whole interface, calls and events, as it is on a day. */
export const openApiDocument = (today = new Date().toISOString().slice(0, 10)): Json =>
  datedOn(wholeTemplate(), today);
