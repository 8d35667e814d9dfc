// The cost of the pages on a phone: Lighthouse's scores, the first paint that matters, and the slowest press. npm
// --prefix bench run pages -- [--runs 5] [--scores 3] [--only patient] The built pages of a service on this machine in
// Debian's Chromium. Each time is shown beside that of an empty page of the same server, which separates a slow machine
// from a slow page; each median beside the minimum, which other work disturbs the least. Every figure with a bound
// decides the exit code, and what breaks its bound is named at the end.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { buildWeb } from '../scripts/web.ts';
import { median } from './load.ts';
import { brokenBounds, type Figure } from './page-bounds.ts';
import { type Budget, type BudgetedWalk, pages, rowsOfADay, walksOf } from './page-budgets.ts';
import { fillDay } from './page-day.ts';
import { scoresOf } from './page-scores.ts';
import { type Paint, paintOf, requestsBeforeContent, slowestPress } from './page-timings.ts';
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

const ms = (value: number): string => (Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en'));
/** "1,204 (1,150)": the median, and the least. */
const both = (all: readonly number[]): string => `${ms(median(all))} (${ms(Math.min(...all))})`;

const paintNames = {
  firstMs: 'LCP of a first visit, ms',
  againMs: 'LCP from its worker, ms',
  offlineMs: 'LCP offline, ms',
} as const;
const scoreHeads =
  'page|accessibility|best practices|performance|of at least|blocked ms|at most|shift|lost by'.split('|');
const paintHeads =
  'LCP, slow 4G|requests before content|at most|first visit, ms|at most|empty page, ms|ratio|from its worker, ms|at most|offline, ms|at most'.split(
    '|',
  );

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
const figures: Figure[] = [];
const scored: string[][] = [];
const painted: string[][] = [];
const pressed: string[][] = [];

const score = async (page: Budget): Promise<void> => {
  const scores = await scoresOf(service.url + page.path, port, Number(values.scores));
  const { accessibility, 'best-practices': practices, performance, blockedMs, shift, lost } = scores;
  const of = (name: string, measured: number, bound: Pick<Figure, 'min' | 'max'>) =>
    figures.push({ page: page.name, name, measured, ...bound });
  of('accessibility', accessibility, { min: 100 });
  of('best practices', practices, { min: 100 });
  if (page.performance !== undefined) of('performance', performance, { min: page.performance });
  if (page.blockedMs !== undefined) of('blocked ms', blockedMs, { max: page.blockedMs });
  if (page.shift !== undefined) of('shift', shift, { max: page.shift });
  const costs = [ms(blockedMs), ms(page.blockedMs ?? Number.NaN), shift.toFixed(3)];
  const wanted = page.performance === undefined ? '' : `${page.performance}`;
  scored.push([
    page.name,
    ...[accessibility, practices, performance].map(String),
    wanted,
    ...costs,
    lost.join(' '),
  ]);
};

const paint = async (page: Budget): Promise<void> => {
  const rounds: Paint[] = [];
  const empty: number[] = [];
  for (let run = 0; run < runs; run++) {
    const how = { cpu: page.cpu, hasWorker: false };
    empty.push((await paintOf(browser, `${service.url}/health`, how)).firstMs);
    rounds.push(await paintOf(browser, service.url + page.path, page));
  }
  const all = (key: keyof Paint) => rounds.map((round) => round[key]);
  const requests = await requestsBeforeContent(browser, service.url + page.path);
  figures.push({
    page: page.name,
    name: 'requests before first content',
    measured: requests,
    max: page.requests,
  });
  for (const key of ['firstMs', 'againMs', 'offlineMs'] as const) {
    const max = page[key];
    if (max !== undefined)
      figures.push({ page: page.name, name: paintNames[key], measured: median(all(key)), max });
  }
  const ratio = median(rounds.map(({ firstMs }, at) => firstMs / (empty[at] ?? Number.NaN))).toFixed(2);
  const beside = (key: 'firstMs' | 'againMs' | 'offlineMs'): string[] => [
    page.hasWorker || key === 'firstMs' ? both(all(key)) : '',
    ms(page[key] ?? Number.NaN),
  ];
  painted.push([
    `${page.name}, CPU x ${page.cpu}`,
    ...[`${requests}`, `${page.requests}`],
    ...beside('firstMs'),
    ...[both(empty), ratio],
    ...beside('againMs'),
    ...beside('offlineMs'),
  ]);
};

const press = async ({ maxMs, ...walk }: BudgetedWalk): Promise<void> => {
  const worst: { name: string; ms: number }[] = [];
  for (let run = 0; run < runs; run++) worst.push(await slowestPress(browser, service.url, walk));
  const all = worst.map((one) => one.ms);
  figures.push({ page: walk.name, name: 'slowest press, ms', measured: median(all), max: maxMs });
  pressed.push([walk.name, both(all), String(maxMs), [...new Set(worst.map((one) => one.name))].join(' ')]);
};

try {
  for (const page of pages.filter(isAsked)) await score(page);
  printTable(scoreHeads, scored);
  for (const page of pages.filter(isAsked)) await paint(page);
  process.stdout.write('\n');
  printTable(paintHeads, painted);
  const walks = walksOf(await fillDay(service.url, rowsOfADay)).filter(isAsked);
  for (const walk of walks) await press(walk);
  process.stdout.write('\n');
  printTable(['presses', 'slowest of a walk, ms', 'at most', 'which'], pressed);
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
const broken = brokenBounds(figures);
if (broken.length > 0) process.stdout.write(`\nBroken:\n${broken.join('\n')}\n`);
process.exitCode = broken.length === 0 ? 0 : 1;
