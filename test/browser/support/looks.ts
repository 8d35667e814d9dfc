import type { Page } from 'playwright-core';
import { assertAccessible, assertStill } from './checks.ts';
import { desk, phone } from './stage.ts';

/** As a page is looked at: on a phone and at a desk, light and dark. */
export const looks = [
  { viewport: phone, colorScheme: 'light' },
  { viewport: phone, colorScheme: 'dark' },
  { viewport: desk, colorScheme: 'dark' },
  { viewport: desk, colorScheme: 'light' },
] as const;

let looksOfThisRun: readonly (typeof looks)[number][] = looks;

/** One of the looks for this run, by its place among them. */
export const takeOneLook = (which: number): void => {
  looksOfThisRun = looks.filter((_, at) => at === which);
};

/** The looks of this run: all, unless one was taken. */
export const ownLooks = (): readonly (typeof looks)[number][] => looksOfThisRun;

/** Runs axe on a page in its present state, in every look of this run; the page is left as it was. */
export const assertAccessibleInAllLooks = async (page: Page, where: string): Promise<void> => {
  const before = page.viewportSize();
  for (const { viewport, colorScheme } of looksOfThisRun) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // A target that has scrolled under a bar is not checked there.
    await page.evaluate('scrollTo(0, 0)');
    const look = `${where}, ${viewport.width}, ${colorScheme}`;
    await assertAccessible(page, look);
    await assertStill(page, look);
  }
  if (before !== null) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
};
