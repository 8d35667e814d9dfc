import type { Json, Schemas } from './json-schema.ts';

/** An object made of its fields' own examples, without those that are named. */
export const buildExample = (schema: Json, without: readonly string[] = []): Json =>
  Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Schemas)
      .filter(([name]) => !without.includes(name))
      .map(([name, { examples, default: given }]) => [name, Array.isArray(examples) ? examples[0] : given])
      .filter(([, example]) => example !== undefined),
  );

/** The fields that may be left out and then mean that nothing was said: no part of an example to begin with. */
export const optionalFields = (schema: Json): string[] =>
  Object.entries((schema.properties ?? {}) as Schemas)
    .filter(
      ([name, field]) => !((schema.required as string[] | undefined)?.includes(name) || 'default' in field),
    )
    .map(([name]) => name);

/** A value that fits a schema, made of the examples of its parts. */
export const wholeExample = (schema: Json, schemas: Schemas): unknown => {
  const { $ref, examples, const: only, enum: several, anyOf, items, properties } = schema;
  if (typeof $ref === 'string') return wholeExample(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (Array.isArray(several)) return several[0];
  if (Array.isArray(anyOf)) return wholeExample(anyOf[0], schemas);
  if (items !== undefined) return [wholeExample(items as Json, schemas)];
  const fields = Object.entries((properties ?? {}) as Schemas);
  return Object.fromEntries(fields.map(([name, field]) => [name, wholeExample(field, schemas)]));
};
