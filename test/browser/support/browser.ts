import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The one without windows first: it plays the same with less work. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

const quiet = '--disable-gpu --disable-quic --no-first-run --disable-background-networking';
const args = `--no-sandbox ${quiet} --disable-component-update --disable-sync`.split(' ');

/** Starts the browser that CHROMIUM names, or else Debian's. */
export const launch = (): Promise<Browser> => {
  const executablePath = process.env.CHROMIUM ?? installed.find((path) => existsSync(path)) ?? '';
  return chromium.launch({ executablePath, args });
};
