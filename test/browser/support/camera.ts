import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { looks } from './looks.ts';

/** Takes pictures of the screens. */
export interface Camera {
  /** Of a screen that the docs show. */
  picture: (page: Page, name: string) => Promise<void>;
  /** Of one that is worth a look before a release, and no picture in the docs. */
  look: (page: Page, name: string) => Promise<void>;
  /** Of the television, which has sizes and themes of its own. */
  television: (page: Page, name: string, isInDocs: boolean) => Promise<void>;
}

const settle = async (page: Page): Promise<void> => {
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(400);
};

/** WebP, which Chromium writes and Playwright does not: a third of the bytes of a PNG. */
const webp = async (page: Page): Promise<Buffer> => {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  await devtools.detach();
  return Buffer.from(data, 'base64');
};

/** One picture of each screen; of one app alone, or of all. */
export const docsCamera = (folder: string, only = ''): Camera => {
  mkdirSync(folder, { recursive: true });
  // A screen that is no more leaves no picture.
  for (const name of readdirSync(folder)) if (name.startsWith(only)) rmSync(join(folder, name));
  const picture = async (page: Page, name: string): Promise<void> => {
    await settle(page);
    writeFileSync(join(folder, `${name}.webp`), await webp(page));
  };
  return {
    picture,
    look: async () => {},
    television: async (page, name, isInDocs) => {
      if (isInDocs) await picture(page, name);
    },
  };
};

const televisions = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 720 },
];

/** Each screen whole, narrow and wide, light and dark. */
export const allLooksCamera = (folder: string): Camera => {
  mkdirSync(folder, { recursive: true });
  const shoot = async (page: Page, name: string): Promise<void> => {
    await settle(page);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  };
  const look = async (page: Page, name: string): Promise<void> => {
    const before = page.viewportSize();
    for (const { viewport, colorScheme } of looks) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await settle(page);
      // A window as high as the page: bars that stick lie over nothing.
      const height = (await page.evaluate('document.documentElement.scrollHeight')) as number;
      await page.setViewportSize({ ...viewport, height: Math.max(viewport.height, height) });
      await page.evaluate('scrollTo(0, 0)');
      await shoot(page, `${name}-${viewport.width}-${colorScheme}`);
    }
    if (before !== null) await page.setViewportSize(before);
    await page.emulateMedia({ colorScheme: null });
  };
  const television = async (page: Page, name: string): Promise<void> => {
    for (const viewport of televisions)
      for (const theme of ['terang', 'gelap']) {
        await page.setViewportSize(viewport);
        await page.evaluate(`document.documentElement.dataset.look = '${theme}'`);
        await shoot(page, `${name}-${viewport.width}-${theme}`);
      }
  };
  return { picture: look, look, television };
};
