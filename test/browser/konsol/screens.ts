import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertClean,
  assertReflowsWhenLarge,
  assertStill,
  failedWith,
  untilFocused,
  walk,
} from '../support/checks.ts';
import { demo } from '../support/people.ts';
import { type Scenario, type Stage, shoot } from '../support/stage.ts';
import { dayOf, enter, expectedToday, rowOf, todayOf } from './steps.ts';

const paths = async ({ url }: Stage): Promise<Record<string, string>> => {
  const [booking] = await dayOf(url);
  assert.ok(booking);
  return {
    hari: '/konsol/',
    rincian: `/konsol/?janji=${booking.id}`,
    antrean: '/konsol/antrean',
    persetujuan: '/konsol/persetujuan',
    datang: '/konsol/datang',
    pindah: `/konsol/pindah/${(await expectedToday(url)).id}`,
    cari: '/konsol/pasien?q=Siti',
    pasien: `/konsol/pasien/${booking.patient.id}`,
    dokter: '/konsol/dokter',
    layanan: '/konsol/layanan',
    jadwal: '/konsol/jadwal',
    tutup: '/konsol/tutup',
    orang: '/konsol/orang',
    webhook: '/konsol/webhook',
    audit: '/konsol/audit',
    statistik: '/konsol/statistik',
  };
};

const ready = async (page: Page): Promise<void> => {
  await page.getByRole('navigation').waitFor();
  await page.locator('header h1').waitFor();
  for (let tries = 0; (await page.locator('main [aria-busy="true"]').count()) > 0; tries++) {
    assert.ok(tries < 80, 'it is still loading');
    await page.waitForTimeout(100);
  }
  await page.waitForTimeout(150);
};

const sizes = { lebar: { width: 1280, height: 720 }, sempit: { width: 360, height: 740 } };

export const screens: readonly Scenario[] = [
  ...(['light', 'dark'] as const).flatMap((colorScheme) =>
    Object.entries(sizes).map(([size, viewport]) => ({
      name: `every screen can be read by all: ${size}, ${colorScheme}`,
      play: async (stage: Stage) => {
        const look = { viewport, colorScheme, reducedMotion: 'reduce' as const };
        const watched = await enter(stage, demo.admin, '/konsol/', look);
        const { page } = watched;
        for (const [name, path] of Object.entries(await paths(stage))) {
          await page.goto(`${stage.url}${path}`);
          await ready(page);
          await shoot(stage, page, `konsol-${name}-${size}-${colorScheme}`);
          await assertAccessible(page, `${name}, ${size}, ${colorScheme}`);
          await assertStill(page, name);
        }
        await assertClean(watched, stage.url);
        await watched.close();
      },
    })),
  ),
  {
    name: 'every stop of the Tab key is seen, uncovered, ringed and named',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/', { viewport: sizes.lebar });
      for (const [name, path] of Object.entries(await paths(stage))) {
        await watched.page.goto(`${stage.url}${path}`);
        await ready(watched.page);
        // From the top, wherever the page has put the focus.
        await watched.page.evaluate(`document.querySelector('a[href="#isi"]').focus()`);
        const stops = await walk(watched.page, name);
        assert.ok(stops.length > 4, `${name}: ${stops.length} stops`);
      }
      await watched.close();
    },
  },
  {
    name: 'nothing scrolls sideways at 320 px, with text of twice the size, or with wide spacing',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/', { viewport: sizes.lebar });
      for (const [name, path] of Object.entries(await paths(stage))) {
        await watched.page.goto(`${stage.url}${path}`);
        await ready(watched.page);
        await assertReflowsWhenLarge(watched.page, name);
      }
      await watched.close();
    },
  },
  {
    name: 'twelve rows of 44 px stand at 1280 by 720',
    play: async (stage) => {
      for (let nth = 0; nth < 4; nth++) await expectedToday(stage.url);
      const watched = await enter(stage, demo.staff, '/konsol/', { viewport: sizes.lebar });
      const { page } = watched;
      await page.locator('[data-row]').nth(12).waitFor({ state: 'attached' });
      const heights = (await page.evaluate(
        `[...document.querySelectorAll('[data-row]')].map((row) => row.getBoundingClientRect()).filter((box) => box.height > 0 && box.bottom <= innerHeight).map((box) => Math.round(box.height))`,
      )) as number[];
      assert.ok(heights.length >= 12, `${heights.length} rows: ${heights}`);
      assert.ok(
        heights.every((height) => height >= 44 && height <= 46),
        `${heights}`,
      );
      await watched.close();
    },
  },
  {
    name: 'loading, empty, failing, without a connection and asking: each state is drawn',
    play: async (stage) => {
      const watched = await enter(stage, demo.staff, '/konsol/', { viewport: sizes.lebar });
      const { page, context } = watched;
      await page.locator('[data-row]:visible').first().waitFor();

      const booking = await expectedToday(stage.url);
      await rowOf(page, booking).waitFor();
      await rowOf(page, booking).locator('summary').click();
      await rowOf(page, booking).getByRole('button', { name: 'Batalkan janji' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(booking.patient.name).waitFor();
      await untilFocused(page, 'Tidak jadi');
      await assertAccessible(page, 'the question');
      await shoot(stage, page, 'konsol-tanya');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.waitForFunction(
        `/^Lainnya untuk/.test(document.activeElement?.getAttribute('aria-label') ?? '')`,
      );

      await context.setOffline(true);
      await page.getByText(/^Tidak ada sambungan\. Data pukul/).waitFor();
      const held = rowOf(page, booking).getByRole('button', { name: /^Catat hadir/ });
      assert.equal(await held.getAttribute('aria-disabled'), 'true');
      await held.click({ force: true });
      // What has scrolled under the bar is no target there.
      await page.evaluate('scrollTo(0, 0)');
      await assertAccessible(page, 'offline');
      await shoot(stage, page, 'konsol-luring');
      await context.setOffline(false);
      await page.getByText(/^Tidak ada sambungan/).waitFor({ state: 'detached' });

      const far = `${(await todayOf(stage.url)).slice(0, 4)}-01-05`;
      await page.goto(`${stage.url}/konsol/?tanggal=${far}`);
      await page.getByText('Belum ada janji pada hari ini.').waitFor();
      await assertAccessible(page, 'empty');

      await page.route('**/v1/bookings?*', () => {});
      await page.goto(`${stage.url}/konsol/`);
      await page.locator('main [aria-busy="true"]').waitFor();
      await assertAccessible(page, 'loading');
      await shoot(stage, page, 'konsol-memuat');
      await page.unroute('**/v1/bookings?*');

      const body = { status: 'error', code: 'forbidden', message: 'Sedang diperbaiki.', request_id: 'r-1' };
      await page.route('**/v1/queues?*', (route) =>
        route.fulfill({ status: 403, contentType: 'application/json', body: JSON.stringify(body) }),
      );
      await page.goto(`${stage.url}/konsol/antrean`);
      await page.getByText('Sedang diperbaiki.').waitFor();
      await assertAccessible(page, 'failing');
      await shoot(stage, page, 'konsol-gagal');
      await page.unroute('**/v1/queues?*');
      await page.getByRole('button', { name: 'Coba lagi' }).click();
      await page
        .getByRole('button', { name: /^Panggil berikutnya/ })
        .first()
        .waitFor();

      const wait = { ...body, code: 'rate_limited', message: 'Terlalu banyak percobaan.' };
      await page.route('**/check-in', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'Retry-After': '90' },
          contentType: 'application/json',
          body: JSON.stringify(wait),
        }),
      );
      await page.goto(`${stage.url}/konsol/`);
      await rowOf(page, booking)
        .getByRole('button', { name: /^Catat hadir/ })
        .click();
      await page.getByText(/coba lagi dalam \d+ (menit|detik)/).waitFor();
      await page.evaluate('scrollTo(0, 0)');
      await assertAccessible(page, 'throttled');
      await assertClean(watched, stage.url, [failedWith(403, 429), /ERR_INTERNET_DISCONNECTED/]);
      await watched.close();
    },
  },
];
