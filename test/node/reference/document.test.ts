import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/interface/reference/document.ts';

type Json = Record<string, unknown>;

/** Every field and parameter of the document, with its place. */
const fieldsOf = (value: unknown, at: string): [string, Json][] => {
  if (typeof value !== 'object' || value === null) return [];
  const { properties, in: place } = value as Json;
  const own: [string, Json][] =
    typeof place === 'string' ? [[`${at} ${(value as { name?: string }).name ?? ''}`, value as Json]] : [];
  const fields = Object.entries((properties ?? {}) as Record<string, Json>).map(
    ([name, field]): [string, Json] => [`${at}.${name}`, field],
  );
  return [
    ...own,
    ...fields,
    ...Object.entries(value).flatMap(([key, part]) => fieldsOf(part, `${at}/${key}`)),
  ];
};

/** Whether a reader can see the form of such a value: an example, a list of values, or parts that show it. */
const showsItself = (field: Json): boolean => {
  const { $ref, examples, const: only, enum: several, type, schema, items, anyOf, ...rest } = field;
  if ($ref !== undefined || examples !== undefined || only !== undefined || several !== undefined)
    return true;
  if (schema !== undefined) return showsItself(schema as Json);
  if (Array.isArray(anyOf)) return anyOf.some((part) => part.type !== 'null' && showsItself(part));
  if (type === 'array') return showsItself(items as Json);
  return rest.properties !== undefined || rest.additionalProperties !== undefined || type === 'boolean';
};

const hint =
  'give the field a meaning and an `example`: `described` in its contract, or src/interface/reference/glossary.ts';

describe('the OpenAPI document', () => {
  it("passes Redocly's strict rules without a word", async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const source = JSON.stringify(openApiDocument());
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      hint,
    ).toEqual([]);
  });

  it('explains every field and parameter', () => {
    const fields = fieldsOf(openApiDocument(), '');
    expect(fields.length).toBeGreaterThan(100);
    const undescribed = fields.filter(
      ([, { description, $ref }]) => description === undefined && $ref === undefined,
    );
    expect(
      undescribed.map(([at]) => at),
      hint,
    ).toEqual([]);
  });

  it('shows an example of every value that its shape does not explain', () => {
    const bare = fieldsOf(openApiDocument(), '').filter(([, field]) => !showsItself(field));
    expect(
      bare.map(([at]) => at),
      hint,
    ).toEqual([]);
  });

  it('uses no example that its own field would refuse', () => {
    const ajv = new Ajv2020({ strict: false, formats: { password: true } });
    addFormats.default(ajv);
    const id = 'https://janji.example/openapi.json';
    ajv.addSchema({ $id: id, ...openApiDocument() });
    const wrong = fieldsOf(openApiDocument(), '').filter(([, field]) => {
      const { examples, ...schema } = (field.schema ?? field) as Json & { examples?: unknown[] };
      if (JSON.stringify(schema).includes('"$ref"')) return false;
      return examples?.some((example) => !ajv.validate(schema, example));
    });
    expect(wrong.map(([at]) => at)).toEqual([]);
  });
});
