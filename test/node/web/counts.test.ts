import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import desk from '../../../web/console/words/desk/en.ts';
import settings from '../../../web/console/words/settings/en.ts';
import kiosk from '../../../web/kiosk/words/en.ts';

it('counts one thing as one in English', () => {
  expect(desk.people.mergeResult(1, 0)).toBe('1 booking and 0 family relations will move.');
  expect(settings.schedules.week(1, 1)).toBe('1 slot, 1 seat a week in all.');
  expect(kiosk.leaves(1)).toBe('Back to the start in 1 second.');
  expect(kiosk.leaves(2)).toBe('Back to the start in 2 seconds.');
});

/** Every sentence of a part of the words that says a value, with 1 in the place of each. */
const saidOfOne = (words: object, path: string): string[] =>
  Object.entries(words).flatMap(([name, value]) => {
    const at = `${path} ${name}`;
    if (typeof value === 'object' && value !== null) return saidOfOne(value, at);
    if (typeof value !== 'function') return [];
    try {
      return [`${at}: ${value(...Array.from({ length: value.length }, () => 1))}`];
    } catch {
      // It joins a list, and counts nothing.
      return [];
    }
  });

const plural =
  /: .*\b1 (?:(?!is|was|has|goes|as)[a-z-]+ )?(?!(?:is|was|has|goes|stays|holds|this|as)\b)[a-z]+s\b/;

it('says nothing of one thing in the plural, in the English words of any page', async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  const paths = globSync('web/**/words/**/en.ts');
  const said = await Promise.all(
    paths.map(async (path) => saidOfOne((await import(pathToFileURL(path).href)).default, path)),
  );
  vi.unstubAllGlobals();
  expect(said.flat().length).toBeGreaterThan(200);
  expect(said.flat().filter((sentence) => plural.test(sentence))).toEqual([]);
});
