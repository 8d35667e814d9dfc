import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fieldNames, fieldSentences } from '../../src/core/endpoint/field-sentences.ts';

const limitsOf = (rule: string, limit: string): string[] =>
  globSync('src/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(new RegExp(`rule: '${rule}', limit: ${limit}`, 'g'))].map(
      ([, field = '']) => field,
    ),
  );

it('has a name in both languages for every field that a sentence about another one names', () => {
  const named = [...limitsOf('\\w+', "'(\\w+)'"), ...limitsOf('any_of', "'?([^'}]+)")];
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((field) => !(field in fieldNames))).toEqual([]);
});

it('no sentence about a field has a name of the interface in it', () => {
  const texts = Object.values(fieldSentences).flatMap(({ id, en }) => [id, en]);
  expect(texts.filter((text) => /[a-z]_[a-z]/.test(text))).toEqual([]);
});
