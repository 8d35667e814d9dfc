import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Where a scenario plays: a browser, and a service on one of the runtimes. */
export interface Stage {
  browser: Browser;
  url: string;
  runtime: 'node' | 'workers';
}

export interface Scenario {
  name: string;
  /** Played on Node alone: the tested code is the same on both. */
  isOfNode?: true;
  /** Most of its time it waits for the clock, so it is played at the same time as the others. */
  waits?: true;
  /** It starts its services itself, and gets an address of none. */
  startsOwn?: true;
  /** Settings that it wants beyond those of its app: then it is played on a service of its own. */
  settings?: Readonly<Record<string, string>>;
  play: (stage: Stage) => Promise<void>;
}

export const phone = { width: 360, height: 740 };
export const desk = { width: 1280, height: 800 };

export interface Look {
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  reducedMotion?: 'reduce' | 'no-preference';
  forcedColors?: 'active' | 'none';
  locale?: string;
  timezoneId?: string;
  serviceWorkers?: 'allow' | 'block';
}

/** A page under observation: its console messages, the origins of its requests, and its failures. */
export interface Watched {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  origins: Set<string>;
  close: () => Promise<void>;
}

export const watch = (page: Page): Pick<Watched, 'complaints' | 'origins'> => {
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { complaints, origins };
};

/** A browser profile of its own with one page in it; without a service worker unless one is asked for. */
export const openPage = async ({ browser }: Stage, look: Look = {}): Promise<Watched> => {
  const context = await browser.newContext({
    viewport: phone,
    locale: 'id-ID',
    timezoneId: 'Asia/Jakarta',
    serviceWorkers: 'block',
    ...look,
  });
  const page = await context.newPage();
  return { page, context, ...watch(page), close: () => context.close() };
};

/** Opens an address, and waits until what it reads is shown. */
export const openWhole = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  // The queues are asked again and again, so that their network is never idle.
  await page.waitForTimeout(1_200);
  // Twice: what a part reads begins after the part has come, late on a busy machine.
  for (let nth = 0; nth < 2; nth++) {
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(500);
  }
};

const shots = process.env.BROWSER_SHOTS ?? mkdtempSync(join(tmpdir(), 'janji-pictures-'));

/** Takes a picture for the eyes, named after the runtime and what it shows. */
export const shoot = async (
  { runtime }: Stage,
  page: Page,
  name: string,
  fullPage = false,
): Promise<void> => {
  mkdirSync(join(shots, runtime), { recursive: true });
  await page.screenshot({ path: join(shots, runtime, `${name}.png`), fullPage });
};

export const shotsFolder = (): string => shots;
