import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertClean,
  assertReflowsWhenLarge,
  assertStaysInPlace,
  assertStill,
  assertZooms,
  walk,
} from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { assertKeepsMeaning } from '../support/forced-colors.ts';
import { type looks, ownLooks } from '../support/looks.ts';
import { assertNames } from '../support/names.ts';
import { newPatient } from '../support/people.ts';
import { openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { confirmPath, openAs } from './steps.ts';

/** Every screen, and the content to wait for before it is checked. */
const open = ['', 'dokter', 'masuk', 'daftar', 'lupa-sandi', 'atur-ulang', 'tidak-ada'];
const own = [
  '',
  'riwayat',
  'keluarga',
  'akun',
  'akun/profil',
  'akun/kata-sandi',
  'akun/perangkat',
  'akun/pemberitahuan',
  'akun/kalender',
  'akun/verifikasi',
  'akun/email',
];

const nameOf = (path: string, { viewport, colorScheme }: (typeof looks)[number]): string =>
  `${path.replaceAll('/', '-') || 'beranda'}-${viewport.width}-${colorScheme}`;

/** Every screen, as a stranger and as somebody with a booking opens it; those that offer times with the query. */
const openEach = async (
  stage: Stage,
  look: (page: Page, name: string) => Promise<void>,
  query = '',
): Promise<void> => {
  const practice = await makePractice(stage.url, 2);
  const person = await newPatient(stage.url);
  const [slot, another] = (await freeSlots(stage.url, practice, clinicDate(2))).slice(10);
  assert.ok(slot !== undefined && another !== undefined);
  const { id } = await bookFor(stage.url, person.token, practice, slot);
  const confirm = confirmPath(practice, another);
  const wait = `tunggu?dokter=${practice.doctor}&layanan=${practice.session}&dari=${another.schedule_date}`;
  const anyTime = `waktu${query || '?'}&layanan=${practice.session}`;
  const ofDoctor = [`dokter/${practice.doctor}${query}`, anyTime, confirm, wait];
  const stranger = await openPage(stage);
  const known = await openAs(stage, person);
  for (const [{ page }, paths] of [
    [stranger, [...open, ...ofDoctor]],
    [known, [...own, ...ofDoctor, `tiket/${id}`, `tiket/${id}/jadwal${query}`]],
  ] as const)
    for (const path of paths) {
      await page.goto(`${stage.url}/pasien/${path}`);
      await page.locator('h1').waitFor();
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      const short =
        path
          .split('?')[0]
          ?.replaceAll(/[0-9a-f-]{36}/g, 'id')
          .replaceAll('/', '-') || 'beranda';
      await look(page, page === known.page ? `saya-${short}` : short);
    }
  await stranger.close();
  await known.close();
};

/** Runs first: it needs the clinic as it was created. */
export const names: readonly Scenario[] = [
  {
    isOfNode: true,
    waits: true,
    name: 'the names of every screen are those that are kept',
    // How much is left of today depends on the hour.
    play: (stage) =>
      openEach(stage, (page, name) => assertNames(page, 'pasien', name), `?tanggal=${clinicDate(2)}`),
  },
];

export const screens: readonly Scenario[] = [
  {
    isOfNode: true,
    name: 'nothing that is shown moves while the rest of a screen comes',
    play: async (stage) => {
      // So many that the filter of the search takes several lines.
      for (let nth = 0; nth < 8; nth++) await makePractice(stage.url, 2);
      const moved: string[] = [];
      await openEach(stage, async (page, name) => {
        // The first page has to stay as it is; elsewhere a line may come above another (0.1 is what web.dev calls good).
        const most = name === 'beranda' ? 0.02 : 0.1;
        await assertStaysInPlace(page, name, most).catch((error: Error) => moved.push(error.message));
      });
      assert.deepEqual(moved, []);
    },
  },
  {
    isOfNode: true,
    name: 'nothing that is told by colour is lost where people choose the colours',
    play: async (stage) => {
      let seen = 0;
      await openEach(stage, async (page, name) => {
        seen += (await assertKeepsMeaning(page, name)).pairs;
      });
      assert.ok(seen >= 6, `${seen} that are told apart`);
    },
  },
  {
    // The same files on both runtimes.
    isOfNode: true,
    name: 'every screen passes axe, narrow and wide, light and dark',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 2);
      const person = await newPatient(stage.url);
      const slots = await freeSlots(stage.url, practice, clinicDate(2));
      const [slot, another] = [slots[10], slots[12]];
      assert.ok(slot !== undefined && another !== undefined);
      const { id } = await bookFor(stage.url, person.token, practice, slot);
      const confirm = confirmPath(practice, another);
      const wait = `tunggu?dokter=${practice.doctor}&layanan=${practice.session}`;
      const anyTime = `waktu?layanan=${practice.session}`;
      const withIds = [`dokter/${practice.doctor}`, confirm, anyTime, `tiket/${id}`, `tiket/${id}/jadwal`];
      for (const look of ownLooks()) {
        const stranger = await openPage(stage, { ...look, reducedMotion: 'reduce' });
        const known = await openAs(stage, person, '', { ...look, reducedMotion: 'reduce' });
        for (const [watched, paths] of [
          [stranger, [...open, withIds[0] ?? '', anyTime, confirm, wait]],
          [known, [...own, ...withIds, wait]],
        ] as const) {
          for (const path of paths) {
            const { page } = watched;
            await page.goto(`${stage.url}/pasien/${path}`);
            await page.locator('h1').waitFor();
            await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
            await page.waitForTimeout(250);
            const short = path.split('?')[0]?.replaceAll(/[0-9a-f-]{36}/g, 'id') ?? '';
            const name = nameOf(`${watched === known ? 'saya-' : ''}${short}`, look);
            await assertAccessible(page, name);
            await assertStill(page, name);
            await shoot(stage, page, `layar/${name}`, true);
          }
          await assertClean(watched, stage.url);
          await watched.close();
        }
      }
    },
  },
  {
    isOfNode: true,
    name: 'every screen reflows at 320 px, at 400 %, with large text and with spaced text',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 2);
      const person = await newPatient(stage.url);
      const [slot, another] = (await freeSlots(stage.url, practice, clinicDate(2))).slice(10);
      assert.ok(slot !== undefined && another !== undefined);
      const { id } = await bookFor(stage.url, person.token, practice, slot);
      const confirm = confirmPath(practice, another);
      const anyTime = `waktu?layanan=${practice.session}`;
      const ofDoctor = [
        'dokter',
        `dokter/${practice.doctor}`,
        anyTime,
        confirm,
        `tunggu?dokter=${practice.doctor}`,
      ];
      const known = await openAs(stage, person);
      const stranger = await openPage(stage);
      for (const [watched, paths] of [
        [known, [...own, ...ofDoctor, `tiket/${id}`, `tiket/${id}/jadwal`]],
        [stranger, ['masuk', 'daftar', 'lupa-sandi', 'atur-ulang', confirm]],
      ] as const) {
        const { page } = watched;
        for (const path of paths) {
          await page.goto(`${stage.url}/pasien/${path}`);
          await page.locator('h1').waitFor();
          await page.waitForLoadState('networkidle');
          await assertReflowsWhenLarge(page, path);
          await assertZooms(page, path);
        }
        await assertClean(watched, stage.url);
        await watched.close();
      }
    },
  },
  {
    isOfNode: true,
    name: 'Tab reaches everything, and every stop is seen, uncovered, ringed and named',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 2);
      const person = await newPatient(stage.url);
      const slot = (await freeSlots(stage.url, practice, clinicDate(2)))[10];
      assert.ok(slot !== undefined);
      const { id } = await bookFor(stage.url, person.token, practice, slot);
      const watched = await openAs(stage, person);
      const { page } = watched;
      const ofDoctor = [`dokter/${practice.doctor}`, `tunggu?dokter=${practice.doctor}`];
      const anyTime = `waktu?layanan=${practice.session}`;
      for (const path of ['', 'dokter', anyTime, ...ofDoctor, `tiket/${id}`, 'akun', 'keluarga']) {
        await page.goto(`${stage.url}/pasien/${path}`);
        await page.locator('h1').waitFor();
        await page.waitForLoadState('networkidle');
        const names = await walk(page, path);
        assert.ok(names.length >= 5, `${path}: ${names.join(', ')}`);
      }
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
