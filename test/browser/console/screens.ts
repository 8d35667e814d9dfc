import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { refuse } from '../support/answers.ts';
import {
  assertAccessible,
  assertClean,
  assertReflowsWhenLarge,
  assertStill,
  assertZooms,
  walk,
} from '../support/checks.ts';
import { clinicDate } from '../support/clinic.ts';
import { assertKeepsMeaning } from '../support/forced-colors.ts';
import { assertNames } from '../support/names.ts';
import { demo } from '../support/people.ts';
import { openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { holdSeat } from './coming/waiting.ts';
import { dayOf, enter, expectedToday, until } from './steps.ts';

/** A Monday on which nobody has booked, whatever today is. */
const farMonday = (): string => {
  const days = [70, 71, 72, 73, 74, 75, 76].map(clinicDate);
  return days.find((day) => new Date(`${day}T12:00:00Z`).getUTCDay() === 1) ?? clinicDate(70);
};

const paths = async ({ url }: Stage): Promise<Record<string, string>> => {
  // The service writes the demo's day a second after it has started.
  let [booking] = await dayOf(url);
  for (let tries = 0; booking === undefined && tries < 100; tries++) {
    await sleep(100);
    [booking] = await dayOf(url);
  }
  assert.ok(booking);
  // A person independent of the hour: which of the demo's visits are past changes with it.
  const expected = await expectedToday(url);
  const held = await holdSeat(url);
  return {
    hari: '/konsol/',
    rincian: `/konsol/?janji=${booking.id}`,
    antrean: '/konsol/antrean',
    kalender: `/konsol/kalender?tanggal=${farMonday()}`,
    persetujuan: '/konsol/persetujuan',
    datang: '/konsol/datang',
    tawaran: `/konsol/?tanggal=${held.date}&janji=${held.offer.booking_id}`,
    kontrol: `/konsol/kontrol/${expected.id}`,
    rangkaian: `/konsol/rangkaian/${expected.patient.id}`,
    tunggu: '/konsol/tunggu',
    pindah: `/konsol/pindah/${expected.id}`,
    cari: '/konsol/pasien?q=Siti',
    cocok: '/konsol/cocok',
    impor: '/konsol/impor',
    pasien: `/konsol/pasien/${expected.patient.id}`,
    dokter: '/konsol/dokter',
    layanan: '/konsol/layanan',
    jadwal: '/konsol/jadwal',
    tutup: '/konsol/tutup',
    orang: '/konsol/orang',
    klinik: '/konsol/klinik',
    kunci: '/konsol/kunci',
    kios: '/konsol/kios',
    siap: '/konsol/siap',
    akun: '/konsol/akun',
    webhook: '/konsol/webhook',
    audit: '/konsol/audit',
    statistik: '/konsol/statistik',
    ekspor: '/konsol/ekspor',
  };
};

const ready = async (page: Page): Promise<void> => {
  await page.getByRole('navigation').waitFor();
  await page.locator('header h1').waitFor();
  for (let tries = 0; (await page.locator(':is(main, aside) [aria-busy="true"]').count()) > 0; tries++) {
    assert.ok(tries < 80, 'it is still loading');
    await page.waitForTimeout(100);
  }
  await page.waitForTimeout(150);
};

const sizes = { lebar: { width: 1280, height: 720 }, sempit: { width: 360, height: 740 } };

/** The way in, as far as a page goes: login, second step, and the second factor that a clinic asks for. */
export const wayIn = async (
  stage: Stage,
  look: (page: Page, name: string) => Promise<unknown>,
): Promise<void> => {
  const { page, close } = await openPage(stage, { viewport: sizes.lebar });
  await page.goto(`${stage.url}/konsol/`);
  await page.getByLabel('Email').waitFor();
  await look(page, 'masuk');
  const extras = { challenge: 'c', expires_in: 300, kinds: ['totp'] };
  const mend = await refuse(page, '**/v1/auth/session', 401, 'second_factor_required', { extras });
  const send = async (): Promise<void> => {
    await page.getByLabel('Email').fill(demo.staff);
    await page.getByLabel('Kata sandi', { exact: true }).fill(demo.password);
    await page.keyboard.press('Enter');
  };
  await send();
  await page.getByLabel('Kode', { exact: true }).waitFor();
  await look(page, 'langkah-kedua');
  await mend();
  await page.getByRole('button', { name: 'Kembali' }).click();
  await refuse(page, '**/v1/queues?*', 403, 'second_factor_enrolment_required');
  await send();
  await page.getByRole('heading', { name: 'Siapkan verifikasi dua langkah' }).waitFor();
  await page.getByRole('button', { name: 'Pakai aplikasi autentikator' }).waitFor();
  await look(page, 'wajib');
  await close();
};

/** Runs first: it needs the clinic as it was created. */
export const names: readonly Scenario[] = [
  {
    isOfNode: true,
    name: 'the names of every screen are those that are kept',
    play: async (stage) => {
      // The demo fills its day after the start: what it does meanwhile would be told as a line of the day.
      let count = -1;
      await until(
        async () => {
          const before = count;
          count = (await dayOf(stage.url)).length;
          await sleep(1_000);
          return count > 0 && count === before;
        },
        'the demo’s day',
        30_000,
      );
      const { page, close } = await enter(stage, demo.admin, '/konsol/', { viewport: sizes.lebar });
      // Of a kind that nobody has done: reads and logins come in any order.
      const all = { ...(await paths(stage)), audit: '/konsol/audit?jenis=account_deleted' };
      for (const [name, path] of Object.entries(all)) {
        await page.goto(`${stage.url}${path}`);
        await ready(page);
        // How much of the day is folded away depends on the hour.
        for (const past of await page.getByRole('button', { name: 'Tampilkan' }).all()) await past.click();
        await assertNames(page, 'konsol', name);
      }
      await close();
      await wayIn(stage, (page, name) => assertNames(page, 'konsol', name));
    },
  },
];

export const screens: readonly Scenario[] = [
  ...(['light', 'dark'] as const).flatMap((colorScheme) =>
    Object.entries(sizes).map(([size, viewport]) => ({
      // The same files on both runtimes.
      isOfNode: true as const,
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
    isOfNode: true,
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
      await wayIn(stage, async (page, name) => {
        const stops = await walk(page, name);
        assert.ok(stops.length > 1, `${name}: ${stops.length} stops`);
      });
    },
  },
  {
    isOfNode: true,
    name: 'nothing scrolls sideways at 320 px, at 400 %, with text of twice the size, or with wide spacing',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/', { viewport: sizes.lebar });
      for (const [name, path] of Object.entries(await paths(stage))) {
        await watched.page.goto(`${stage.url}${path}`);
        await ready(watched.page);
        await assertReflowsWhenLarge(watched.page, name);
        await assertZooms(watched.page, name);
      }
      await watched.close();
      await wayIn(stage, async (page, name) => {
        await assertReflowsWhenLarge(page, name);
        await assertZooms(page, name);
      });
    },
  },
  {
    isOfNode: true,
    name: 'nothing that is told by colour is lost where people choose the colours',
    play: async (stage) => {
      const { page, close } = await enter(stage, demo.admin, '/konsol/', { viewport: sizes.lebar });
      let pairs = 0;
      for (const [name, path] of Object.entries(await paths(stage))) {
        await page.goto(`${stage.url}${path}`);
        await ready(page);
        const radio = page.locator('main input[type=radio]').first();
        if ((await radio.count()) > 0) await radio.check({ force: true });
        pairs += (await assertKeepsMeaning(page, name)).pairs;
      }
      assert.ok(pairs >= 16, `${pairs}`);
      // The bars of the statistics are drawn: their part is another colour than the whole.
      await page.goto(`${stage.url}/konsol/statistik`);
      await page.emulateMedia({ forcedColors: 'active' });
      await page.locator('td svg').first().waitFor();
      const fills = (await page.evaluate(
        `[...document.querySelector('td svg').querySelectorAll('rect')].map((one) => getComputedStyle(one).fill)`,
      )) as string[];
      assert.equal(new Set(fills).size, 2, fills.join(' '));
      await page.emulateMedia({ forcedColors: null });
      await close();
      await wayIn(stage, assertKeepsMeaning);
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
];
