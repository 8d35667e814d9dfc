import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const text = readFileSync('docs/architecture.md', 'utf8');
const way = [...text.matchAll(/^\| \d+ \| `([^`]+)` \|/gm)].map(([, file = '']) => file);

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, to = '']) =>
    relative('.', join(dirname(file), to)),
  );

describe('the way of a booking in docs/architecture.md', () => {
  it('passes through each file once', () => {
    expect(way.length).toBeGreaterThan(15);
    expect(way.filter((file, at) => !existsSync(file) || way.indexOf(file) !== at)).toEqual([]);
  });

  it('leads from file to file by imports, after the server and the app, which an entry joins', () => {
    const imported = new Set(way.flatMap(importsOf));
    expect(way.slice(2).filter((file) => !imported.has(file))).toEqual([]);
  });
});
