import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const imported =
  /^(?:import|export)\s[^'"]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm;

/** The imports of each file within its folder, including types and those that are loaded later. */
const importsIn = (folder: string): Map<string, string[]> => {
  const files = globSync(`${folder}/**/*.{ts,tsx}`);
  return new Map(
    files.map((file) => {
      const named = [...readFileSync(file, 'utf8').matchAll(imported)].map(([, from, bare, later]) =>
        normalize(join(dirname(file), from ?? bare ?? later ?? '')),
      );
      return [file, named.filter((one) => files.includes(one))];
    }),
  );
};

/** The shortest way from a file back to itself; null where there is none. */
const circleOf = (start: string, next: ReadonlyMap<string, readonly string[]>): string[] | null => {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways)
    for (const file of next.get(way.at(-1) ?? '') ?? []) {
      if (file === start) return [...way, file];
      if (!seen.has(file)) ways.push([...way, file]);
      seen.add(file);
    }
  return null;
};

it.each(['src', 'web'])('no two files of %s import each other, not even by way of others', (folder) => {
  const next = importsIn(folder);
  expect(next.size).toBeGreaterThan(100);
  expect([...next.values()].flat().length).toBeGreaterThan(500);
  const circles = [...next.keys()].map((file) => circleOf(file, next)?.join(' → ')).filter(Boolean);
  expect(circles, 'move what both need into a file of its own').toEqual([]);
});
