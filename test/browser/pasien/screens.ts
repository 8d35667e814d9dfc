import assert from 'node:assert/strict';
import {
  assertAccessible,
  assertClean,
  assertReflowsWhenLarge,
  assertStill,
  walk,
} from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { newPatient } from '../support/people.ts';
import { desk, openPage, phone, type Scenario, shoot } from '../support/stage.ts';
import { openAs } from './steps.ts';

/** Every screen, and what has to be there before it is looked at. */
const open = ['', 'dokter', 'masuk', 'daftar', 'lupa-sandi', 'atur-ulang', 'tidak-ada'];
const own = [
  '',
  'riwayat',
  'keluarga',
  'akun',
  'akun/profil',
  'akun/kata-sandi',
  'akun/perangkat',
  'akun/verifikasi',
  'akun/email',
];

const looks = [
  { viewport: phone, colorScheme: 'light' },
  { viewport: phone, colorScheme: 'dark' },
  { viewport: desk, colorScheme: 'light' },
  { viewport: desk, colorScheme: 'dark' },
] as const;

const nameOf = (path: string, { viewport, colorScheme }: (typeof looks)[number]): string =>
  `${path.replaceAll('/', '-') || 'beranda'}-${viewport.width}-${colorScheme}`;

export const screens: readonly Scenario[] = [
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
      const confirm = `konfirmasi?dokter=${practice.doctor}&layanan=${practice.session}&tanggal=${another.schedule_date}&jam=${another.schedule_time.slice(0, 5)}`;
      const withIds = [`dokter/${practice.doctor}`, confirm, `tiket/${id}`, `tiket/${id}/jadwal`];
      for (const look of looks) {
        const stranger = await openPage(stage, { ...look, reducedMotion: 'reduce' });
        const known = await openAs(stage, person, '', { ...look, reducedMotion: 'reduce' });
        for (const [watched, paths] of [
          [stranger, [...open, withIds[0] ?? '', confirm]],
          [known, [...own, ...withIds]],
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
    name: 'every screen reflows at 320 px, with large text and with spaced text',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 2);
      const person = await newPatient(stage.url);
      const slot = (await freeSlots(stage.url, practice, clinicDate(2)))[10];
      assert.ok(slot !== undefined);
      const { id } = await bookFor(stage.url, person.token, practice, slot);
      const { page, close } = await openAs(stage, person);
      for (const path of [
        ...own,
        'dokter',
        `dokter/${practice.doctor}`,
        `tiket/${id}`,
        `tiket/${id}/jadwal`,
      ]) {
        await page.goto(`${stage.url}/pasien/${path}`);
        await page.locator('h1').waitFor();
        await page.waitForLoadState('networkidle');
        await assertReflowsWhenLarge(page, path);
      }
      await close();
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
      const { page, close } = await openAs(stage, person);
      for (const path of ['', 'dokter', `dokter/${practice.doctor}`, `tiket/${id}`, 'akun', 'keluarga']) {
        await page.goto(`${stage.url}/pasien/${path}`);
        await page.locator('h1').waitFor();
        await page.waitForLoadState('networkidle');
        const names = await walk(page, path);
        assert.ok(names.length >= 5, `${path}: ${names.join(', ')}`);
      }
      await close();
    },
  },
];
