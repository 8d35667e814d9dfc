import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fieldNames } from '../../src/core/endpoint/field-sentences.ts';

it('has a name in both languages for every field that a sentence about another one names', () => {
  const named = globSync('src/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/rule: '\w+', limit: '(\w+)'/g)].map(([, field = '']) => field),
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((field) => !(field in fieldNames))).toEqual([]);
});
