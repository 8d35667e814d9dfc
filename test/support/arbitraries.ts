import * as fc from 'fast-check';
import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { anyText, anything, value } from './arbitrary-texts.ts';
import { aimed, isLiving } from './living-names.ts';
import { endpoints, nameOf } from './scene.ts';
import { type Field, fieldsOf, isText } from './shapes.ts';

/** Where a value is taken from: the scene fills it in, since records have other ids in each. */
export type Draft = { pick: string; from: number } | { value: unknown };

/** The owner of the token: a person with a role, an ended login, or a key of the clinic. */
const senders = [
  'patient',
  'doctor',
  'staff',
  'admin',
  'revoked',
  'garbage',
  'key',
  'poorKey',
  'revokedKey',
  'garbageKey',
] as const;
export type Sender = (typeof senders)[number];

export interface DraftRequest {
  /** The endpoint by its name, so that a failure can be read. */
  route: string;
  method: string;
  /** The owner of the token. */
  who: 'right' | Sender | 'none';
  params: Record<string, Draft>;
  query: readonly (readonly [string, Draft])[];
  body: { fields: Record<string, Draft> } | { raw: string } | null;
  headers: Record<string, string>;
}

/** One of the words of a list, or one of its numbers. */
const itemOf = ({ enum: words, minimum = 0, maximum = 5 }: NonNullable<Field['schema']['items']>) =>
  words === undefined ? fc.integer({ min: minimum, max: maximum }) : fc.constantFrom<unknown>(...words);

const shapedOf = ({ name, schema }: Field, path: string): fc.Arbitrary<Draft> => {
  const {
    type,
    format,
    enum: choices,
    minimum = 0,
    maximum = 5,
    maxLength = 40,
  } = schema as Record<string, unknown> & Field['schema'];
  const own: fc.WeightedArbitrary<Draft>[] = [];
  const push = (arbitrary: fc.Arbitrary<Draft>, weight = 1) => own.push({ weight, arbitrary });
  if (isLiving(name, path))
    push(
      fc.nat({ max: 99 }).map((from) => ({ pick: name, from })),
      10,
    );
  if (choices !== undefined) push(value(fc.constantFrom(...choices)));
  else if (type === 'boolean') push(value(fc.boolean()));
  else if (type === 'integer')
    push(
      value(
        fc.integer({ min: Number(minimum), max: Math.max(Number(minimum), Math.min(Number(maximum), 60)) }),
      ),
    );
  else if (type === 'array') push(value(fc.uniqueArray(itemOf(schema.items ?? {}))));
  else if (format === 'uuid') push(value(fc.uuid()));
  else if (format === 'date') push(fc.nat({ max: 99 }).map((from) => ({ pick: 'date', from })));
  else if (format === 'date-time')
    push(
      value(
        fc
          .date({ min: new Date('2026-11-01'), max: new Date('2026-12-01'), noInvalidDate: true })
          .map((d) => d.toISOString()),
      ),
    );
  else if (format === 'uri') push(value(fc.webUrl({ validSchemes: ['https'] })));
  else if (schema.pattern !== undefined) push(value(fc.stringMatching(new RegExp(schema.pattern, 'u'))));
  else push(value(fc.string({ unit: 'grapheme', maxLength: Math.min(Number(maxLength), 60) })));
  if (schema.examples?.[0] !== undefined) push(value(fc.constant(schema.examples[0])));
  return fc.oneof(...own);
};

/** Mostly what the contract takes, sometimes not. */
const draftOf = (field: Field, path: string): fc.Arbitrary<Draft> =>
  fc.oneof(
    { weight: 14, arbitrary: shapedOf(field, path) },
    { weight: 1, arbitrary: value(isText(field) ? anyText : anything) },
    { weight: 1, arbitrary: value(anything) },
  );

const nothing = fc.constant(undefined);

/** What only the clinic or a program may say: for all others the whole request is refused. */
const ofClinic = ['external_id', 'channel', 'check_in', 'overbook', 'override_limits'];
/** Names of questions, which few sessions ask. */
const toQuestions = 'answers';

/** Optional values that few drafts get right: a value with parts, such as the answer of a passkey. */
const isWrong = ({ name, schema, required }: Field): boolean =>
  !required &&
  (ofClinic.includes(name) ||
    name === toQuestions ||
    ((schema.type === undefined || schema.type === 'object') && schema.enum === undefined));

const someOf = (fields: readonly Field[], path: string, leaveOut: number, draft = draftOf) =>
  fc
    .record(
      Object.fromEntries(
        fields.map((field) => [
          field.name,
          isWrong(field)
            ? fc.oneof({ weight: 8, arbitrary: nothing }, { weight: 1, arbitrary: draft(field, path) })
            : fc.option(draft(field, path), { freq: field.required ? 40 : leaveOut, nil: undefined }),
        ]),
      ),
    )
    .map((record) =>
      Object.fromEntries(
        Object.entries(record).filter((entry): entry is [string, Draft] => entry[1] !== undefined),
      ),
    );

const headers = fc.record(
  {
    'Accept-Language': fc.constantFrom('en', 'id', 'fr;q=0.5, en;q=0.1', '*', ';;;q=x', 'en-'.repeat(50)),
    'Idempotency-Key': fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('kunci-1', 'kunci-2', '"kunci-3"') },
      { weight: 5, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: fc.constantFrom('', '"', 'a b', 'x'.repeat(256)) },
    ),
    'If-None-Match': fc.constantFrom('*', '"x"', 'W/"x"', ',,,'),
    'X-Request-Id': fc.constantFrom('permintaan-1', 'x', 'a b', 'x'.repeat(129)),
    Origin: fc.constantFrom('https://app.klinik.example', 'https://evil.example', 'null'),
    Accept: fc.constantFrom('application/json', 'text/html', 'image/*', ';'),
  },
  { requiredKeys: [] },
);

const contentTypes = fc.oneof(
  { weight: 25, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('application/json; charset=utf-8', 'text/plain', 'application/json;x', ''),
  },
);

const bodyOf = (contract: Endpoint): fc.Arbitrary<DraftRequest['body']> => {
  const fields = fieldsOf(contract, 'body');
  const { path } = contract;
  if (contract.method === 'get') return fc.constant(null);
  const inFields = (fields: Record<string, Draft>) => ({ fields });
  const shaped = someOf(fields, path, 2, shapedOf).map(inFields);
  const spoilt = someOf(fields, path, 2).map(inFields);
  const raw = fc
    .oneof(
      fc.json({ maxDepth: 4 }),
      anyText,
      fc.constantFrom('', '{', '[]', 'null', '{"__proto__":{"role":"admin"}}'),
    )
    .map((text) => ({ raw: text }));
  return fc.oneof(
    { weight: 10, arbitrary: shaped },
    { weight: 5, arbitrary: spoilt },
    { weight: 1, arbitrary: raw },
    { weight: 1, arbitrary: fc.constant(null) },
  );
};

const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export const requestTo = (contract: Endpoint): fc.Arbitrary<DraftRequest> =>
  fc.record({
    route: fc.constant(nameOf(contract)),
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant(contract.method.toUpperCase()) },
      { weight: 1, arbitrary: fc.constantFrom(...others, contract.method === 'get' ? 'HEAD' : 'PUT') },
    ),
    who: fc.oneof(
      { weight: 12, arbitrary: fc.constant('right' as const) },
      {
        weight: 6,
        arbitrary: fc.constantFrom(...senders, 'none' as const),
      },
    ),
    params: fc.record(
      Object.fromEntries(
        fieldsOf(contract, 'params').map((field) => [field.name, draftOf(field, contract.path)]),
      ),
    ),
    query: someOf(fieldsOf(contract, 'query'), contract.path, 2).chain((made) =>
      fc
        .oneof(
          { weight: 12, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(fc.tuple(anyText, value(anyText)), { maxLength: 2 }) },
        )
        .map((more) => [...Object.entries(made), ...more]),
    ),
    body: bodyOf(contract),
    headers: fc.record({ own: headers, type: contentTypes }).map(({ own, type }) => ({
      ...own,
      ...(type !== undefined && { 'Content-Type': type }),
    })),
  });

// Hashing a password takes most of the time: fewer of those.
const hashes = /auth\/(login|register|password)$|admin\/people$/;

// Requests that need several right steps before them, or a value valid for minutes: these are drawn more often.
const rare =
  /auth\/(email|phone|password\/reset|reauthenticate\/(options|code)|second-factors\/(passkeys|totp))|follow-up$|reschedule$|(skip|undo|replay|confirm|no-show|series|statistics)$|calendar-feeds\/\{feed|code\/verify$|holds\/|feeds\/\{token|v1\/bookings$|admin\/(people|schedules|people\/\{id\}\/email)$/;

const weightOf = ({ path, method }: Endpoint): number => {
  if (hashes.test(path) && method === 'post') return rare.test(path) ? 2 : 1;
  return rare.test(path) || path in aimed ? 12 : 4;
};

/** Requests to every route: shaped by the contract, then spoilt here and there. */
export const anyRequest: fc.Arbitrary<DraftRequest> = fc.oneof(
  ...endpoints.map((contract) => ({
    weight: weightOf(contract),
    arbitrary: requestTo(contract),
  })),
);
