// What the pages cost a phone: Lighthouse's scores, the first paint that matters, and the slowest press.
//   npm --prefix bench run pages -- [--runs 5] [--scores 3] [--only patient]
// The built pages of a service on this machine in Debian's Chromium. Beside each time stands that of an empty page of the
// same server, so that a slow machine is told from a slow page; beside each median the least, which other work disturbs
// the least.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { buildWeb } from '../scripts/web.ts';
import { demoAccounts, demoPassword } from '../src/demo.ts';
import { median } from './load.ts';
import { scoresOf } from './page-scores.ts';
import { paintOf, slowestPress, type Walk } from './page-timings.ts';
import { freePort, serveScript } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    scores: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const runs = Number(values.runs);
const isAsked = ({ name }: { name: string }): boolean => name.includes(values.only);

const pages = [
  { name: "patient's page", path: '/pasien/', performance: 95, hasWorker: true, paintMs: 2_000 },
  { name: "console's login", path: '/konsol/', performance: null, hasWorker: false, paintMs: null },
  {
    name: 'screen',
    path: '/layar/?antrean=semua&suara=mati',
    performance: null,
    hasWorker: true,
    paintMs: null,
  },
] as const;

const logIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Email').fill(demoAccounts[1].email);
  await page.getByLabel('Kata sandi', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await page.locator('[data-row]').first().waitFor({ state: 'attached' });
};

const walks: readonly (Walk & { name: string; wantedMs: number })[] = [
  {
    name: "patient's page, CPU x 6: search, doctor, day, time",
    path: '/pasien/dokter',
    cpu: 6,
    isPhone: true,
    wantedMs: 200,
    press: async (page) => {
      await page.getByLabel('Nama dokter atau spesialisasi').pressSequentially('maya', { delay: 80 });
      // The list has answered: what is tapped is not replaced meanwhile.
      await page.getByRole('link', { name: /Sari Wulandari/ }).waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      await page.getByRole('link', { name: /Maya Lestari/ }).tap();
      await page.waitForURL(/\/dokter\/[0-9a-f-]{36}/);
      const days = page.getByRole('button', { name: /kosong$/ });
      await days.nth(2).waitFor();
      for (const nth of [2, 1, 3]) await days.nth(nth).tap();
      await page.locator('a[href*="/konfirmasi"]').first().tap();
      await page.getByLabel('Email').pressSequentially('siti', { delay: 80 });
    },
  },
  {
    name: 'console, CPU x 1: login, filter, search, a booking',
    path: '/konsol/',
    cpu: 1,
    isPhone: false,
    wantedMs: 100,
    press: async (page) => {
      await logIn(page);
      const chips = page.locator('main button[aria-pressed]');
      for (const nth of [0, 1, 0]) await chips.nth(nth).click();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('siti', { delay: 80 });
      await page.locator('[data-row] button:visible').first().click();
    },
  },
];

const ms = (value: number): string => (Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en'));
/** "1,204 (1,150)": the median, and the least. */
const both = (all: readonly number[]): string => `${ms(median(all))} (${ms(Math.min(...all))})`;

await buildWeb();
const folder = mkdtempSync(join(tmpdir(), 'janji-pages-'));
const service = await serveScript('src/node.ts', {
  DEMO: 'on',
  DATABASE_URL: `file:${join(folder, 'janji.db')}`,
  JWT_SECRET: 'a-secret-of-this-bench-and-of-nothing-else-0123456789',
  DATA_KEY: Buffer.alloc(32, 'a key of this bench').toString('base64url'),
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'silent',
});
const port = await freePort();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', `--remote-debugging-port=${port}`],
});
let holds = true;
try {
  const scored: string[][] = [];
  for (const { name, path, performance } of pages.filter(isAsked)) {
    const scores = await scoresOf(service.url + path, port, Number(values.scores));
    const { accessibility, 'best-practices': practices, lost } = scores;
    if (accessibility < 100 || practices < 100 || scores.performance < (performance ?? 0)) holds = false;
    const wanted = performance === null ? '' : `${performance}`;
    const figures = [accessibility, practices, scores.performance].map(String);
    scored.push([name, ...figures, wanted, ms(scores.blockedMs), scores.shift.toFixed(3), lost.join(' ')]);
  }
  printTable(
    [
      'page',
      'accessibility',
      'best practices',
      'performance',
      'of at least',
      'blocked ms',
      'shift',
      'lost by',
    ],
    scored,
  );

  const painted: string[][] = [];
  for (const { name, path, hasWorker, paintMs } of pages.filter(isAsked)) {
    const rounds: { first: number; again: number; empty: number }[] = [];
    for (let run = 0; run < runs; run++) {
      const { firstMs: empty } = await paintOf(browser, `${service.url}/health`, false);
      const { firstMs: first, againMs: again } = await paintOf(browser, service.url + path, hasWorker);
      rounds.push({ first, again, empty });
    }
    const of = (key: 'first' | 'again' | 'empty') => rounds.map((round) => round[key]);
    if (paintMs !== null && median(of('first')) > paintMs) holds = false;
    const ratio = median(rounds.map(({ first, empty }) => first / empty)).toFixed(2);
    const again = hasWorker ? both(of('again')) : '';
    painted.push([name, both(of('first')), ms(paintMs ?? Number.NaN), both(of('empty')), ratio, again]);
  }
  process.stdout.write('\n');
  printTable(
    ['LCP, slow 4G, CPU x 6', 'first visit, ms', 'at most', 'empty page, ms', 'ratio', 'from its worker, ms'],
    painted,
  );

  const pressed: string[][] = [];
  for (const walk of walks.filter(isAsked)) {
    const worst: { name: string; ms: number }[] = [];
    for (let run = 0; run < runs; run++) worst.push(await slowestPress(browser, service.url, walk));
    const all = worst.map((one) => one.ms);
    if (median(all) > walk.wantedMs) holds = false;
    const names = [...new Set(worst.map((one) => one.name))].join(' ');
    pressed.push([walk.name, both(all), String(walk.wantedMs), names]);
  }
  process.stdout.write('\n');
  printTable(['presses', 'slowest of a walk, ms', 'at most', 'which'], pressed);
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = holds ? 0 : 1;
