import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutants } from '../faults/mutations/mutants.ts';

const migrations = globSync('drizzle/*.sql')
  .sort()
  .map((path) => readFileSync(path, 'utf8'));

/** Of the migrations the last one that holds the text, since a table may be made again. */
const textOf = (file: string, find: string): string =>
  file === 'drizzle'
    ? (migrations.findLast((text) => text.includes(find)) ?? '')
    : readFileSync(file, 'utf8');

describe('the mutants', () => {
  it('remove text that the source contains once', () => {
    const edits = mutants.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit })));
    expect(edits.length).toBeGreaterThan(30);
    const wrong = edits.filter(({ file, find }) => textOf(file, find).split(find).length !== 2);
    expect(wrong.map(({ name, file, find }) => `${name}: ${file} ${find}`)).toEqual([]);
  });
});
