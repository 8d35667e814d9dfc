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

/** Two of the looks for this run: both widths and both colour schemes, paired the one way (0) or the other (1). */
export const takeHalfOfLooks = (which: number): void => {
  looksOfThisRun = looks.filter((_, at) => at % 2 === which);
};

/** The looks of this run: all, unless half of them were taken. */
export const ownLooks = (): readonly (typeof looks)[number][] => looksOfThisRun;

/** Asks axe about a page in the state in which it stands, in every look of this run; the page is left as it was. */
export const assertAccessibleInAllLooks = async (page: Page, where: string): Promise<void> => {
  const before = page.viewportSize();
  for (const { viewport, colorScheme } of looksOfThisRun) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // What has scrolled under a bar is no target there.
    await page.evaluate('scrollTo(0, 0)');
    const look = `${where}, ${viewport.width}, ${colorScheme}`;
    await assertAccessible(page, look);
    await assertStill(page, look);
  }
  if (before !== null) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
};
