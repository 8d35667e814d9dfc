import type { Json } from './json-schema.ts';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sets of words that never grow: the state of a booking, by promise. */
const closed = new Set(['approved,canceled,waiting']);

const grows = (words: readonly unknown[]): boolean =>
  words.length > 1 &&
  words.every((word) => word === null || typeof word === 'string') &&
  !closed.has(
    words
      .filter((word) => word !== null)
      .sort()
      .join(),
  );

const said = (words: readonly unknown[]): string =>
  `One of ${words
    .filter((word) => word !== null)
    .map((word) => `\`${word}\``)
    .join(', ')}; others may be added.`;

/** Opens every enumeration within an answer, and notes the schemas that it refers to. */
const open = (part: unknown, referred: (name: string) => void): void => {
  if (Array.isArray(part)) for (const item of part) open(item, referred);
  if (!isObject(part)) return;
  const name = typeof part.$ref === 'string' && /^#\/components\/schemas\/(\w+)$/.exec(part.$ref)?.[1];
  if (name) referred(name);
  if (Array.isArray(part.enum) && grows(part.enum)) {
    part.description = [part.description, said(part.enum)].filter(Boolean).join(' ');
    delete part.enum;
  }
  for (const [field, value] of Object.entries(part))
    if (field !== 'example' && field !== 'examples') open(value, referred);
};

const namesIn = (part: unknown, schemas: Json, names = new Set<string>()): Set<string> => {
  for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (names.has(name)) continue;
    names.add(name);
    namesIn(schemas[name], schemas, names);
  }
  return names;
};

const anyError = 'AnyError';

/** A failure whose code a program does not know yet: the members that all failures have. */
const anyErrorSchema: Json = {
  type: 'object',
  description: 'Any failure, also one whose code is added later.',
  properties: {
    status: { type: 'string', const: 'error', description: 'Tells failures from successes.' },
    code: { type: 'string', description: 'Stable, for programs.', examples: ['not_found'] },
    message: { type: 'string', description: 'One sentence for people.', examples: ['Data tidak ditemukan.'] },
    request_id: {
      type: 'string',
      description: 'The X-Request-Id of this answer, for support.',
      examples: ['3f0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e'],
    },
  },
  required: ['status', 'code', 'message', 'request_id'],
};

const isFailure = ({ $ref, oneOf }: Json): boolean =>
  oneOf !== undefined || (typeof $ref === 'string' && $ref.endsWith('Error'));

const withAnyError = ({ oneOf, $ref }: Json): Json => ({
  anyOf: [...((oneOf as Json[] | undefined) ?? [{ $ref }]), { $ref: `#/components/schemas/${anyError}` }],
});

/** Says of an answer that comes in another form too that it does, so that clients give it the type of its first form alone. */
const sayOtherForms = (responses: Json): void => {
  for (const response of Object.values(responses) as Json[]) {
    const content = (response.content ?? {}) as Json;
    for (const type of Object.keys(content).slice(1)) {
      delete content[type];
      response.description = `${response.description} With \`Accept: ${type}\` the same data are answered as ${type}.`;
    }
  }
};

/**
 * A document for strict clients, which do not break when a code, an event, an actor or an action is added: enumerations
 * in answers become strings whose known values are listed, and each failure may have an unknown code. Requests stay
 * closed. No answer has one of two types.
 */
export const withOpenAnswers = <D extends Json & { components: Record<string, Json> }>(given: D): D => {
  const document = structuredClone(given);
  const { schemas = {}, responses = {} } = document.components as Partial<Record<string, Json>>;
  const operations = Object.values((document.paths ?? {}) as Record<string, Record<string, Json>>).flatMap(
    (methods) => Object.values(methods),
  );
  const sent = Object.values((document.webhooks ?? {}) as Record<string, Json>);
  const asked = namesIn(
    operations.map(({ parameters, requestBody }) => [parameters, requestBody]),
    schemas,
  );
  const seen = new Set<string>();
  const visit = (part: unknown): void =>
    open(part, (name) => {
      if (seen.has(name) || asked.has(name)) return;
      seen.add(name);
      visit(schemas[name]);
    });
  visit([operations.map((operation) => operation.responses), responses, sent]);
  for (const operation of operations) sayOtherForms(operation.responses as Json);
  for (const response of Object.values(responses) as Json[]) {
    const media = (response.content as Record<string, Json> | undefined)?.['application/json'];
    if (media !== undefined && isFailure(media.schema as Json)) {
      media.schema = withAnyError(media.schema as Json);
      schemas[anyError] = anyErrorSchema;
    }
  }
  return document;
};
