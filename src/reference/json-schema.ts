import * as z from 'zod/mini';
import { glossary } from './glossary.ts';

export type Json = { [key: string]: unknown };
export type Schemas = Record<string, Json>;

/** What the document keeps once and refers to. */
export interface Components {
  schemas: Schemas;
  responses: Schemas;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** OpenAPI 3.1 takes `examples`, a list; the bounds of a safe integer say nothing to a reader. */
const tidy = (schema: Json): void => {
  if ('example' in schema) {
    schema.examples = [schema.example];
    delete schema.example;
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === 'date') delete schema.pattern;
  if (schema.format === 'date-time' || schema.format === 'email') delete schema.pattern;
};

const withGlossary = (properties: Json): void => {
  for (const [name, property] of Object.entries(properties) as [string, Json][]) {
    const known = glossary[name];
    if (known === undefined) continue;
    property.description ??= known.description;
    const isFree = property.$ref === undefined && property.const === undefined && property.enum === undefined;
    if ('example' in known && isFree) property.examples ??= [known.example];
  }
};

const rewrite = (value: unknown): void => {
  if (Array.isArray(value)) for (const item of value) rewrite(item);
  if (!isObject(value)) return;
  if (typeof value.$ref === 'string') value.$ref = value.$ref.replace('#/$defs/', '#/components/schemas/');
  if (isObject(value.properties)) withGlossary(value.properties);
  for (const part of Object.values(value)) rewrite(part);
};

/** A zod shape as the reference shows it; shapes with a name of their own are put among `schemas`. */
export const schemaOf = (shape: z.ZodMiniType, io: 'input' | 'output', schemas: Schemas): Json => {
  const made = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema as Json),
  }) as Json;
  const { $schema, $defs = {}, ...schema } = made;
  rewrite($defs);
  rewrite(schema);
  for (const [name, definition] of Object.entries($defs as Schemas)) {
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two shapes are named ${name}.`);
    schemas[name] = definition;
  }
  return schema;
};
