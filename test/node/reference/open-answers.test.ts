import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { resolveExampleDates } from '../../../src/core/endpoint/example-dates.ts';
import { callsTemplate, eventsTemplate } from '../../../src/interface/reference/document.ts';
import type { Json } from '../../../src/interface/reference/json-schema.ts';
import { withOpenAnswers } from '../../../src/interface/reference/open-answers.ts';

const dated = (template: object) => JSON.parse(resolveExampleDates(JSON.stringify(template), '2026-11-23'));
const calls = dated(withOpenAnswers(callsTemplate()));
const events = dated(withOpenAnswers(eventsTemplate()));

const enumsIn = (part: unknown, found: string[] = []): string[] => {
  if (typeof part !== 'object' || part === null) return found;
  const { enum: words } = part as { enum?: unknown[] };
  if (Array.isArray(words) && words.length > 1) found.push(words.join());
  for (const [name, value] of Object.entries(part))
    if (name !== 'example' && name !== 'examples') enumsIn(value, found);
  return found;
};

const operations = Object.values(calls.paths as Record<string, Record<string, Json>>).flatMap((methods) =>
  Object.values(methods),
);

describe('what strict clients read', () => {
  it('has no closed set of words in an answer or an event but the states of a booking', () => {
    const answers = [operations.map(({ responses }) => responses), calls.components.responses];
    for (const words of enumsIn([answers, events]))
      expect(words.split(',').sort().join()).toBe('approved,canceled,waiting');
    expect(JSON.stringify(calls.components.schemas.BookingChange.properties.by)).toContain(
      'others may be added',
    );
  });

  it('gives an answer one type: that it comes as CSV too is said in words', () => {
    const successes = operations.flatMap(({ responses }) =>
      Object.values(responses as Record<string, { description: string; content?: object }>),
    );
    const types = successes.map(({ content = {} }) => Object.keys(content));
    expect(types.filter((of) => of.length > 1)).toEqual([]);
    const { description } = calls.paths['/v1/admin/statistics'].get.responses['200'];
    expect(description).toContain('With `Accept: text/csv` the same data are answered as text/csv.');
  });

  it('still says of what is sent which words are taken', () => {
    const asked = operations.map(({ parameters, requestBody }) => [parameters, requestBody]);
    expect(enumsIn(asked).length).toBeGreaterThan(10);
  });

  it('takes a failure whose code is added later', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const id = 'https://janji.example/openapi.json';
    ajv.addSchema({ $id: id, ...calls });
    const later = { status: 'error', code: 'added_later', message: 'Maaf.', request_id: 'x', more: 1 };
    const names = Object.keys(calls.components.responses);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const pointer = `#/components/responses/${name.replaceAll('~', '~0')}/content/application~1json/schema`;
      expect(ajv.compile({ $ref: `${id}${pointer}` })(later), name).toBe(true);
    }
  });

  it.each([
    ['calls', calls],
    ['events', events],
  ])('gives every integer a width, and passes the rules of the document: %s', async (name, document) => {
    const integers = JSON.stringify(document).matchAll(/\{[^{}]*"type":"integer"[^{}]*\}/g);
    for (const [schema] of integers) expect(schema).toMatch(/"format":"int(32|64)"/);
    const config = await createConfig({ extends: ['minimal'] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: `${name}.json`, config });
    expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([]);
  });

  it('uses no name that generators take for a constructor, and one meaning a tag', () => {
    const names = [...Object.keys(calls.components.schemas), ...Object.keys(events.components.schemas)];
    expect(names.filter((name) => /^New[A-Z]/.test(name))).toEqual([]);
    const tagged = (document: { tags: { name: string }[] }) => document.tags.map((tag) => tag.name);
    expect(tagged(calls).filter((tag) => tagged(events).includes(tag))).toEqual([]);
    expect(calls.webhooks).toBeUndefined();
  });
});
