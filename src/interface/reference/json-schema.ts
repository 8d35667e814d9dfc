import * as z from 'zod/mini';
import { glossary } from './glossary.ts';
import { ownedExamples } from './owned-examples.ts';

export type Json = { [key: string]: unknown };
export type Schemas = Record<string, Json>;

/** The parts of the document that are defined once and referenced. */
export interface Components {
  schemas: Schemas;
  responses: Schemas;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const maxInt32 = 2 ** 31 - 1;

const isNarrow = ({ maximum }: Json): boolean => typeof maximum === 'number' && maximum <= maxInt32;

/**
 * OpenAPI 3.1 takes `examples`, a list. Fields will be added, so no object is closed. The bounds of a safe integer are
 * enforced on what comes in, and say nothing of what goes out.
 */
const tidy = (schema: Json, io: 'input' | 'output'): void => {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if ('example' in schema) {
    schema.examples = [schema.example];
    delete schema.example;
  }
  if (io === 'output' && schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (io === 'output' && schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // The integer format for languages with several integer types: one that holds every value.
  if (schema.type === 'integer') schema.format = isNarrow(schema) ? 'int32' : 'int64';
  if (schema.format === 'date') delete schema.pattern;
  if (schema.format === 'date-time') delete schema.pattern;
};

const withGlossary = (properties: Json, owner: string): void => {
  for (const [name, property] of Object.entries(properties) as [string, Json][]) {
    const here = ownedExamples[owner];
    if (here !== undefined && Object.hasOwn(here, name)) property.examples = [here[name]];
    const known = glossary[name];
    if (known === undefined) continue;
    property.description ??= known.description;
    const isFree = property.$ref === undefined && property.const === undefined && property.enum === undefined;
    if ('example' in known && isFree) property.examples ??= [known.example];
  }
};

const rewrite = (value: unknown, owner: string): void => {
  if (Array.isArray(value)) for (const item of value) rewrite(item, owner);
  if (!isObject(value)) return;
  if (typeof value.$ref === 'string') value.$ref = value.$ref.replace('#/$defs/', '#/components/schemas/');
  if (isObject(value.properties)) withGlossary(value.properties, owner);
  for (const part of Object.values(value)) rewrite(part, owner);
};

/**
 * A zod shape in the reference; a named shape is put among `schemas`. A shape without a name uses the examples of its
 * owner, the operation.
 */
export const toJsonSchema = (
  shape: z.ZodMiniType,
  io: 'input' | 'output',
  schemas: Schemas,
  owner = '',
): Json => {
  const made = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // zod leaves the default of what it transforms unsaid.
      if (def.type === 'default') jsonSchema.default = def.defaultValue;
      tidy(jsonSchema as Json, io);
    },
  }) as Json;
  const { $schema, $defs = {}, ...schema } = made;
  for (const [name, definition] of Object.entries($defs as Schemas)) rewrite(definition, name);
  rewrite(schema, owner);
  for (const [name, definition] of Object.entries($defs as Schemas)) {
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two shapes are named ${name}.`);
    schemas[name] = definition;
  }
  return schema;
};
