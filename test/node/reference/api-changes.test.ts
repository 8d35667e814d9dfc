import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accepted } from '../../../scripts/api-changes/accepted.ts';
import { changelog, compareSurfaces } from '../../../scripts/api-changes/compare.ts';
import { readSurface, surfaceOf, writeSurface } from '../../../scripts/api-changes/surface.ts';
import { openApiDocument } from '../../../src/interface/reference/document.ts';

const released = readFileSync('docs/api/released.txt', 'utf8');
const day = '2026-11-23';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape.
type Json = any;

/** A small document: one operation, which takes and answers a few fields. */
const documentOf = (
  change: (parts: { body: Json; answer: Json; operation: Json; paths: Json }) => void = () => {},
) => {
  const body = {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 100 },
      kind: { enum: ['a', 'b'], type: 'string' },
      labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 100 } },
    },
    required: ['name'],
  };
  const answer: Json = {
    type: 'object',
    properties: { id: { type: 'string' }, state: { type: 'string', enum: ['x'] }, note: { type: 'string' } },
    required: ['id', 'state'],
  };
  const failure = { type: 'object', properties: { code: { const: 'not_found' } } };
  const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
  const operation: Json = {
    summary: 'Make one',
    security: [{ apiKey: ['things:write'] }],
    parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
    requestBody: { required: true, ...json(body) },
    responses: { 201: json({ $ref: '#/components/schemas/Answer' }), 404: json(failure) },
  };
  const paths: Json = { '/v1/things': { post: operation } };
  change({ body, answer, operation, paths });
  return surfaceOf({ paths, components: { schemas: { Answer: answer } } });
};
type Change = Parameters<typeof documentOf>[0];

const compared = (change: Change, today = day) => compareSurfaces(documentOf(), documentOf(change), today);
const end =
  (date: string): Change =>
  ({ operation }) => {
    operation.deprecated = true;
    operation['x-sunset'] = date;
  };

describe('the interface', () => {
  it('breaks no client of the last release', () => {
    const changes = compareSurfaces(readSurface(released), surfaceOf(openApiDocument(day)), day);
    const breaking = changes
      .filter(({ isBreaking }) => isBreaking)
      .map(({ operation, what }) => `${operation}: ${what}`);
    // The cure: keep it, or accept it with a reason in scripts/api-changes/accepted.ts.
    expect(breaking.filter((line) => accepted[line] === undefined)).toEqual([]);
    expect(Object.keys(accepted).filter((line) => !breaking.includes(line))).toEqual([]);
  });

  it('is stored as it is read', () => {
    const surface = surfaceOf(openApiDocument(day));
    expect(readSurface(writeSurface(surface))).toEqual(surface);
    expect(surface.operations.size).toBeGreaterThan(100);
    expect(compareSurfaces(surface, surface, day)).toEqual([]);
  });
});

describe('a change that breaks a client', () => {
  it.each<[string, NonNullable<Change>]>([
    ['an operation is gone', ({ paths }) => void delete paths['/v1/things']],
    ['a field is not taken any more', ({ body }) => void delete body.properties.kind],
    ['a parameter is not taken any more', ({ operation }) => void operation.parameters.pop()],
    [
      'a header is required',
      ({ operation }) =>
        void operation.parameters.push({ name: 'X-Secret', in: 'header', required: true, schema: {} }),
    ],
    [
      'the values of a map are shorter',
      ({ body }) => {
        body.properties.labels.additionalProperties.maxLength = 50;
      },
    ],
    [
      'a new field is required',
      ({ body }) => {
        body.properties.more = { type: 'string' };
        body.required.push('more');
      },
    ],
    ['a field becomes required', ({ body }) => void body.required.push('kind')],
    ['a field is shorter', ({ body }) => void Object.assign(body.properties.name, { maxLength: 50 })],
    ['a field gets a form', ({ body }) => void Object.assign(body.properties.name, { pattern: '^a' })],
    [
      'a field takes another type',
      ({ body }) => void Object.assign(body.properties.name, { type: 'integer' }),
    ],
    ['a value is not taken any more', ({ body }) => void body.properties.kind.enum.pop()],
    [
      'a field gets a list of values',
      ({ body }) => void Object.assign(body.properties.name, { enum: ['a'] }),
    ],
    ['a field is not answered any more', ({ answer }) => void delete answer.properties.note],
    ['a field may be missing', ({ answer }) => void answer.required.pop()],
    [
      'a field may be null',
      ({ answer }) => void Object.assign(answer.properties.id, { type: ['string', 'null'] }),
    ],
    [
      'a scope is not enough any more',
      ({ operation }) => void Object.assign(operation.security[0], { apiKey: ['all:write'] }),
    ],
    [
      'a success has another status',
      ({ operation }) => {
        operation.responses[200] = operation.responses[201];
        delete operation.responses[201];
      },
    ],
  ])('is seen: %s', (_, change) => {
    expect(compared(change).filter(({ isBreaking }) => isBreaking).length).toBeGreaterThan(0);
  });

  it.each([[[]], [[{}, { apiKey: ['things:write'] }]]])('is seen: a login is needed after %j', (security) => {
    const before = documentOf(({ operation }) => void Object.assign(operation, { security }));
    expect(compareSurfaces(before, documentOf(), day)).toMatchObject([
      { what: 'needs a login', isBreaking: true },
    ]);
  });

  it.each<[string, NonNullable<Change>]>([
    ['an operation', ({ paths, operation }) => void Object.assign(paths, { '/v1/more': { get: operation } })],
    [
      'a field that may be left out',
      ({ body }) => void Object.assign(body.properties, { more: { type: 'string' } }),
    ],
    [
      'a whole of fields, one of them required in it',
      ({ body }) => {
        body.properties.more = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
      },
    ],
    [
      'a field of the answer',
      ({ answer }) => void Object.assign(answer.properties, { more: { type: 'string' } }),
    ],
    ['a value of the answer', ({ answer }) => void answer.properties.state.enum.push('y')],
    ['a value that is taken', ({ body }) => void body.properties.kind.enum.push('c')],
    ['a longer field', ({ body }) => void Object.assign(body.properties.name, { maxLength: 200 })],
    ['a field that need not be sent any more', ({ body }) => void body.required.pop()],
    [
      'a failure',
      ({ operation }) => {
        operation.responses[409] = {
          content: { 'application/json': { schema: { properties: { code: { const: 'full' } } } } },
        };
      },
    ],
    ['an announced end', end('2027-06-01') as NonNullable<Change>],
  ])('is not what only adds: %s', (_, change) => {
    const changes = compared(change);
    expect(changes.filter(({ isBreaking }) => isBreaking)).toEqual([]);
  });

  it('is not the end of an operation that was announced, once its day has come', () => {
    const [before, after] = [
      documentOf(end('2027-06-01')),
      documentOf(({ paths }) => void delete paths['/v1/things']),
    ];
    expect(compareSurfaces(before, after, '2027-05-31')).toMatchObject([
      { kind: 'removed', isBreaking: true },
    ]);
    expect(compareSurfaces(before, after, '2027-06-01')).toMatchObject([
      { kind: 'removed', isBreaking: false },
    ]);
    const earlier = compareSurfaces(before, documentOf(end('2027-03-01')), day);
    expect(earlier).toMatchObject([{ kind: 'deprecated', isBreaking: true }]);
  });
});

it('the changelog names each operation once, with what it takes and answers', () => {
  const changes = compared(({ body, answer, paths, operation }) => {
    body.properties.more = { type: 'string' };
    answer.properties.more = { type: 'string' };
    paths['/v1/other'] = { get: operation };
  });
  expect(changelog(changes)).toBe(
    '### Added\n\n- `GET /v1/other`: Make one\n\n### Changed\n\n- `POST /v1/things`: takes `more`; answers `more`\n',
  );
});
