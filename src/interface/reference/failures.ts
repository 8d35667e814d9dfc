import * as z from 'zod/mini';
import { catalogue, type ErrorCode } from '../../core/endpoint/errors.ts';
import { fieldSentences } from '../../core/endpoint/field-sentences.ts';
import { described } from '../../core/endpoint/fields.ts';
import { failureExtras } from '../failure-extras.ts';
import { wholeExample } from './examples.ts';
import { type HeaderName, headerRefs } from './headers.ts';
import { type Components, type Json, type Schemas, toJsonSchema } from './json-schema.ts';
import { exampleSentence } from './sentences.ts';

const requestId = '3f0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e';
// Only what judges the content of a request can name its fields.
const namesFields = (code: ErrorCode): boolean => [400, 409, 422].includes(catalogue[code].status);

/** `slot_full` → `SlotFull`. */
export const pascalCase = (code: string): string =>
  code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const isWrong = [fieldSentences.invalid.id];
const ownIssues: Partial<Record<ErrorCode, Json>> = {
  invalid_query: { cursor: isWrong },
  invalid_header: { 'Idempotency-Key': isWrong },
};

const buildEnvelope = (code: ErrorCode) =>
  z.object({
    status: described(z.literal('error'), 'Tells failures from successes.'),
    code: described(z.literal(code), 'Stable, for programs.'),
    message: described(z.string(), 'One sentence for people, Indonesian or English by Accept-Language.', {
      example: exampleSentence(catalogue[code]).id,
    }),
    ...(namesFields(code) && {
      errors: described(
        z.optional(z.record(z.string(), z.array(z.string()))),
        'Sentences for people by field; nested fields are joined by dots.',
        { example: ownIssues[code] ?? { email: [fieldSentences.required.id] } },
      ),
    }),
    request_id: described(z.string(), 'The X-Request-Id of this answer, for support.', {
      example: requestId,
    }),
    ...(failureExtras as Partial<Record<ErrorCode, () => z.core.$ZodShape>>)[code]?.(),
  });

const refTo = (code: ErrorCode) => `#/components/schemas/${pascalCase(code)}Error`;

const namesFieldsItself = new Set<ErrorCode>(['validation_failed', 'invalid_query', 'invalid_header']);

const buildExample = (code: ErrorCode, schemas: Schemas): [string, Json] => {
  const { errors, ...whole } = wholeExample({ $ref: refTo(code) }, schemas) as Json;
  const value = namesFieldsItself.has(code) ? { ...whole, errors } : whole;
  return [code, { summary: exampleSentence(catalogue[code]).en, value }];
};

const schemaFor = (group: readonly ErrorCode[]): Json =>
  group.length === 1
    ? { $ref: refTo(group[0] as ErrorCode) }
    : {
        oneOf: group.map((code) => ({ $ref: refTo(code) })),
        discriminator: {
          propertyName: 'code',
          mapping: Object.fromEntries(group.map((code) => [code, refTo(code)])),
        },
      };

/** Where attempts are limited, every answer says how many are left. */
export const throttleHeaders = (fails: readonly ErrorCode[]) =>
  fails.includes('rate_limited') ? (['RateLimit', 'RateLimit-Policy'] as const) : [];

const buildResponse = (
  status: number,
  group: readonly ErrorCode[],
  limits: readonly HeaderName[],
  schemas: Schemas,
): Json => {
  const examples = group.map((code) => buildExample(code, schemas));
  return {
    description: group.map((code) => `\`${code}\`: ${exampleSentence(catalogue[code]).en}`).join('\n\n'),
    headers: headerRefs([
      'Content-Language',
      ...(status === 401 || group.includes('insufficient_scope') ? (['WWW-Authenticate'] as const) : []),
      ...(status === 405 ? (['Allow'] as const) : []),
      ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
      ...limits,
    ]),
    content: {
      'application/json': {
        schema: schemaFor(group),
        examples: Object.fromEntries(examples),
      },
    },
  };
};

/** An endpoint's failures by status; codes and groups of codes that several endpoints share are stored once. */
export const failureResponses = (fails: readonly ErrorCode[], { schemas, responses }: Components): Json => {
  for (const code of fails)
    schemas[`${pascalCase(code)}Error`] ??= toJsonSchema(buildEnvelope(code), 'output', schemas);
  const limits = throttleHeaders(fails);
  const byStatus = Map.groupBy(fails, (code) => catalogue[code].status);
  const entries = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, group]) => {
      const sorted = [...group].sort();
      const name = [...sorted, ...(limits.length > 0 ? ['limited'] : [])].join('.');
      responses[name] ??= buildResponse(status, sorted, limits, schemas);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    });
  return Object.fromEntries(entries);
};
