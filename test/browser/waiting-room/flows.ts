import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertClean,
  assertReflowsWhenLarge,
  assertZooms,
  walk,
} from '../support/checks.ts';
import { assertKeepsMeaning } from '../support/forced-colors.ts';
import { desk, openPage, phone, type Stage, shoot } from '../support/stage.ts';
import { openDesk, pretend, queueOf } from './clinic.ts';
import { heardBy, listen } from './sound.ts';

const television = { width: 1280, height: 720 };
/** Chromium's own words about a service that does not answer. */
const cut = /ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|FAILED)/;

/** Waits for what a page says of itself; the policy lets no page wait for a text. */
export const until = async (page: Page, holds: string, withinMs = 30_000): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await page.evaluate(holds))) {
    assert.ok(Date.now() < deadline, `not within ${withinMs} ms: ${holds}`);
    await page.waitForTimeout(100);
  }
};

/** The choice of a screen, by keys and by touch, and the start that it leads to. */
export const playSetup = async (stage: Stage): Promise<void> => {
  const watched = await openPage(stage, { viewport: desk, serviceWorkers: 'allow' });
  const { page } = watched;
  await listen(page);
  await page.goto(`${stage.url}/layar/`);
  // The service writes the demo's day a second after it has started, and the choices are read once.
  for (let nth = 0; nth < 30 && (await page.locator('.choice').count()) < 2; nth++) {
    await page.waitForTimeout(1_000);
    await page.reload();
    await page.getByRole('button', { name: 'Mulai' }).waitFor();
  }
  await page.locator('.choice').nth(1).waitFor();
  const names = await walk(page, 'layar, setup');
  assert.ok(names.includes('Mulai') && names.includes('Coba suara'), names.join());
  await assertReflowsWhenLarge(page, 'layar, setup');
  await assertZooms(page, 'layar, setup');
  await assertKeepsMeaning(page, 'layar, setup');
  for (const viewport of [phone, television, { width: 1920, height: 1080 }])
    for (const look of ['gelap', 'terang']) {
      await page.setViewportSize(viewport);
      await page.getByLabel('Tampilan').selectOption(look);
      await assertAccessible(page, `layar, setup ${viewport.width} ${look}`);
      await shoot(stage, page, `layar-setup-${viewport.width}-${look}`, true);
    }
  const all = page.getByLabel('Semua antrean');
  await all.click();
  assert.ok(await all.isChecked(), 'all queues are chosen while no other is');
  await page.locator('.choice input').nth(1).check();
  await page.getByLabel('Huruf antrean lain').fill('um');
  await page.keyboard.press('Tab');
  await page.getByRole('combobox', { name: 'Suara', exact: true }).selectOption('id');
  await page.getByLabel('Volume').selectOption('60');
  await page.getByRole('button', { name: 'Mulai' }).click();
  await page.locator('.screen').waitFor();
  const { search } = new URL(page.url());
  assert.match(search, /^\?antrean=[A-Z]{1,3},UM&suara=id&tema=terang&volume=60$/);
  assert.equal(await page.getByText('Suara belum aktif').count(), 0, 'the press of Mulai unlocks the sound');
  await page.getByRole('button', { name: 'Atur layar' }).focus();
  await page.keyboard.press('Enter');
  // Until the queues are read, all chosen ones are shown among the others.
  await page.locator('.choice').nth(1).waitFor();
  assert.equal(await page.getByLabel('Huruf antrean lain').inputValue(), 'UM');
  await page.getByLabel('Bahasa').selectOption('en');
  await page.getByRole('heading', { name: 'Set up the queue display' }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
  await assertClean(watched, stage.url);
  await watched.close();
};

/** A desk calls, calls again and calls the next: each is said within four seconds, once. */
export const playCalls = async (stage: Stage): Promise<void> => {
  const clinic = await openDesk(stage.url, 'Ruang 3');
  const [first, second] = [await clinic.arrive(), await clinic.arrive()];
  const watched = await openPage(stage, { viewport: television, serviceWorkers: 'allow' });
  const { page } = watched;
  await listen(page);
  await page.goto(`${stage.url}/layar/`);
  await page.getByRole('button', { name: 'Coba suara' }).click();
  // Two times: nomor antrean, B, dua, belas, silakan menuju, ruang, tiga.
  await until(page, 'window.heard.words === 14');
  // This queue alone: in the first half of an hour the demo clinic has called in others a moment ago.
  await page.locator('.choice').filter({ hasText: 'Ruang 3' }).last().getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Mulai' }).click();
  await page.locator('.rows').waitFor();
  await page.waitForLoadState('networkidle');
  const called = await clinic.next();
  assert.equal(called.id, first.id);
  await page.locator(`[data-saying="${called.queue_label} 1"]`).waitFor({ timeout: 4_000 });
  await page.locator('.latest.is-new').waitFor();
  await shoot(stage, page, 'layar-real-call');
  assert.match(await page.locator('.latest').innerText(), /Ruang 3/);
  await clinic.again(called);
  const then = await clinic.next();
  assert.equal(then.id, second.id);
  await page.locator(`[data-saying="${then.queue_label} 1"]`).waitFor({ timeout: 45_000 });
  const { calls, words } = await heardBy(page);
  assert.deepEqual(calls, [`${called.queue_label} 1`, `${called.queue_label} 2`, `${then.queue_label} 1`]);
  // Each call twice, of at least six words.
  assert.ok(words >= 14 + 3 * 12, `${words} words`);
  assert.doesNotMatch(await page.locator('body').innerText(), /Rahasia/, 'no names of patients');
  await assertClean(watched, stage.url);
  await watched.close();
};

/** The network is lost and returns: the bar, the hidden lists, the neutral page, and the calls of the meantime. */
export const playLoss = async (stage: Stage): Promise<void> => {
  const watched = await openPage(stage, { viewport: television });
  const { page } = watched;
  await listen(page);
  await page.clock.install({ time: new Date('2026-12-01T02:41:20Z') });
  const begun = Date.parse('2026-12-01T02:41:20Z');
  const service = await pretend(page, [queueOf(0, begun - 600_000), queueOf(1, null)]);
  await page.goto(`${stage.url}/layar/?antrean=semua&suara=mati`);
  await page.locator('.rows').waitFor();
  service.isCut = true;
  await page.clock.runFor(14_000);
  assert.equal(await page.locator('.cut').count(), 0, 'nothing is said within 15 seconds');
  await page.clock.runFor(6_000);
  await page.getByText('Sambungan terputus sejak 09.41. Dengarkan panggilan petugas.').waitFor();
  assert.equal(await page.locator('.row').count(), 2, 'the lists stand for five minutes');
  await page.clock.fastForward(5 * 60_000);
  await page.clock.runFor(2_000);
  await page.getByText('Panggilan terakhir').waitFor();
  assert.equal(await page.locator('.row').count(), 0, 'then the lists are gone');
  assert.match(await page.locator('.latest').innerText(), /A-07[\s\S]*Dipanggil pukul 09\.31/);
  await page.clock.fastForward(25 * 60_000);
  await page.clock.runFor(2_000);
  await page.getByText('Silakan tanyakan nomor Anda kepada petugas.').waitFor();
  const now = begun + 14_000 + 6_000 + 30 * 60_000 + 4_000;
  service.isCut = false;
  service.queues = [queueOf(0, now - 600_000), queueOf(1, now - 30_000, 12)];
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await page.locator('[data-saying="B-12 1"]').waitFor();
  assert.deepEqual((await heardBy(page)).calls, ['B-12 1']);
  assert.equal(await page.locator('.cut').count(), 0);
  await assertClean(watched, stage.url, [cut, /blocked by Playwright/]);
  await watched.close();
};

/** Without a network a reload brings the page, and its own words instead of the browser's. */
export const playOffline = async (stage: Stage): Promise<void> => {
  const watched = await openPage(stage, { viewport: television, serviceWorkers: 'allow' });
  const { page, context } = watched;
  await page.goto(`${stage.url}/layar/?antrean=semua&suara=id&tema=terang&bahasa=en`);
  await page.evaluate('navigator.serviceWorker.ready');
  await until(page, 'navigator.serviceWorker.controller !== null');
  await context.setOffline(true);
  await page.reload();
  await page.getByText('Connecting…').waitFor();
  assert.equal(await page.evaluate('document.documentElement.dataset.look'), 'terang');
  const wordsCame = `performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.mp3')).length > 40`;
  const faces = `document.fonts.load('1em "Plus Jakarta Sans Variable"').then((found) => found.length)`;
  await until(page, wordsCame);
  assert.equal(await page.evaluate(faces), 1, 'the face is kept as well');
  await page.getByText('Please ask the staff about your number.').waitFor({ timeout: 25_000 });
  await context.setOffline(false);
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await page.locator('.age').waitFor();
  await assertClean(watched, stage.url, [cut]);
  await watched.close();
};
