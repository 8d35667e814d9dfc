import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutants } from '../faults/mutations/mutants.ts';

const textOf = (file: string): string =>
  (file === 'drizzle' ? globSync('drizzle/*.sql').sort().slice(0, 1) : [file])
    .map((path) => readFileSync(path, 'utf8'))
    .join('');

describe('the mutants', () => {
  it('take out what stands in the source, once', () => {
    const edits = mutants.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit })));
    expect(edits.length).toBeGreaterThan(30);
    const wrong = edits.filter(({ file, find }) => textOf(file).split(find).length !== 2);
    expect(wrong.map(({ name, file, find }) => `${name}: ${file} ${find}`)).toEqual([]);
  });
});
