// When a page shows what it is about, and how long a press takes to be seen, on a slow phone's line and CPU.

import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Slow 4G, applied: 150 ms a request, 1.6 Mbit/s down, 0.75 up. */
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 1024 * 1024) / 8,
};

const watch = `(() => {
  const seen = (window.seen = { paintedMs: 0, presses: [] });
  new PerformanceObserver((list) => { for (const one of list.getEntries()) seen.paintedMs = one.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => { for (const one of list.getEntries()) if (one.interactionId > 0) seen.presses.push([one.name, one.duration]); })
    .observe({ type: 'event', buffered: true, durationThreshold: 16 });
})()`;

interface Seen {
  paintedMs: number;
  presses: [string, number][];
}

const seenOn = async (page: Page): Promise<Seen> => (await page.evaluate('window.seen')) as Seen;

const slow = async (
  context: BrowserContext,
  page: Page,
  cpu: number,
  isOnSlowLine: boolean,
): Promise<void> => {
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  if (!isOnSlowLine) return;
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', slow4g);
};

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'id-ID' };

/** The last of the largest paints: none has come for a second. */
const paintedMs = async (page: Page, url: string): Promise<number> => {
  await page.goto(url, { waitUntil: 'networkidle' });
  let last = 0;
  for (let tries = 0; tries < 20; tries++) {
    await page.waitForTimeout(1_000);
    const { paintedMs: now } = await seenOn(page);
    if (now > 0 && now === last) return now;
    last = now;
  }
  throw new Error(`${url} is not done within 20 s.`);
};

const asked = (which: string): string =>
  `1 + performance.getEntriesByType('resource').filter((one) => ${which}).length`;
const firstContentMs = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`;

/**
 * How many requests the first content waits for, the page itself among them: its styles, if it shows something without a
 * script; else all that was answered before something was shown.
 */
export const requestsBeforeContent = async (browser: Browser, url: string): Promise<number> => {
  const countIn = async (javaScriptEnabled: boolean): Promise<number | null> => {
    const context = await browser.newContext({ ...phone, javaScriptEnabled });
    try {
      const page = await context.newPage();
      await slow(context, page, 1, true);
      await page.goto(url, { waitUntil: 'networkidle' });
      await page.waitForTimeout(500);
      const shownMs = Number(await page.evaluate(firstContentMs));
      if (shownMs === 0) return null;
      const isWaitedFor = javaScriptEnabled
        ? `one.responseEnd <= ${shownMs}`
        : `one.renderBlockingStatus === 'blocking'`;
      return (await page.evaluate(asked(isWaitedFor))) as number;
    } finally {
      await context.close();
    }
  };
  return (await countIn(false)) ?? (await countIn(true)) ?? Number.NaN;
};

export interface Paint {
  firstMs: number;
  /** From the service worker; NaN where the page has none. */
  againMs: number;
  /** From the service worker without a connection. */
  offlineMs: number;
}

/** The largest contentful paint of a first visit on slow 4G, of the one after it, and of one without a connection. */
export const paintOf = async (
  browser: Browser,
  url: string,
  { cpu, hasWorker }: { cpu: number; hasWorker: boolean },
): Promise<Paint> => {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await slow(context, page, cpu, true);
    const firstMs = await paintedMs(page, url);
    if (!hasWorker) return { firstMs, againMs: Number.NaN, offlineMs: Number.NaN };
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    const againMs = await paintedMs(page, url);
    await context.setOffline(true);
    return { firstMs, againMs, offlineMs: await paintedMs(page, url) };
  } finally {
    await context.close();
  }
};

export interface Walk {
  path: string;
  /** How many times slower than this machine. */
  cpu: number;
  isPhone: boolean;
  press: (page: Page) => Promise<void>;
}

/** The slowest of what a walk presses and types, from the press to the next frame. */
export const slowestPress = async (
  browser: Browser,
  base: string,
  { path, cpu, isPhone, press }: Walk,
): Promise<{ name: string; ms: number }> => {
  const context = await browser.newContext(isPhone ? phone : { viewport: { width: 1280, height: 720 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto(`${base}${path}`, { waitUntil: 'networkidle' });
    await slow(context, page, cpu, false);
    await press(page);
    await page.waitForTimeout(500);
    const { presses } = await seenOn(page);
    const [name, ms] = presses.reduce((worst, one) => (one[1] > worst[1] ? one : worst), ['under 16 ms', 16]);
    return { name, ms };
  } finally {
    await context.close();
  }
};
