import assert from 'node:assert/strict';
import { holdBack, refuse } from '../support/answers.ts';
import { assertClean, failedWith, untilFocused } from '../support/checks.ts';
import { clinicDate, makePractice, written } from '../support/clinic.ts';
import { call, newPatient } from '../support/people.ts';
import { openPage, type Scenario } from '../support/stage.ts';
import { fillLogin, openAs } from './steps.ts';

/** A zone whose date differs from the one that the pages assume before the clinic's zone is loaded. */
const zoneOfAnotherDate = (now: Date): string =>
  (now.getUTCHours() + 7) % 24 < 19 ? 'Etc/GMT+12' : 'Etc/GMT-14';

/** The parts that arrive later than usual. */
export const lateFlows: readonly Scenario[] = [
  {
    name: 'says that the first answer failed, and goes on by a press and by itself once the service is back',
    play: async (stage) => {
      const watched = await openAs(stage, await newPatient(stage.url));
      const { page } = watched;
      const goesOn = { '': 'Cari dokter', riwayat: 'Belum ada kunjungan.', akun: 'Keluar' };
      for (const [path, text] of Object.entries(goesOn)) {
        const mend = await refuse(page, '**/v1/auth/session/refresh', 503, 'unavailable');
        await page.goto(`${stage.url}/pasien/${path}`);
        await page.getByText('Sedang diperbaiki.').waitFor();
        await mend();
        if (path === 'akun') await page.getByRole('button', { name: 'Coba lagi' }).click();
        await page.getByText(text, { exact: true }).waitFor({ timeout: 15_000 });
      }
      await assertClean(watched, stage.url, [failedWith(503)]);
      await watched.close();
    },
  },
  {
    name: 'keeps what was typed where the browser shows a page again that it had put aside',
    play: async (stage) => {
      const watched = await openAs(stage, await newPatient(stage.url), 'keluarga');
      const { page } = watched;
      await page.getByRole('button', { name: 'Tambah anggota keluarga' }).click();
      const name = page.getByLabel('Nama lengkap');
      await name.fill('Kirana Rahayu');
      const letCome = await holdBack(page, '**/v1/auth/session/refresh');
      const asked = page.waitForRequest('**/v1/auth/session/refresh');
      await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
      await asked;
      assert.equal(await name.isVisible(), false, 'nobody knows yet whose it is');
      letCome();
      await name.waitFor();
      assert.equal(await name.inputValue(), 'Kirana Rahayu');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'stays with the doctor who is pressed while the search still waits for more letters',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const watched = await openPage(stage);
      const { page } = watched;
      await page.clock.install();
      let arrive = (): void => {};
      const held = new Promise<void>((done) => (arrive = done));
      await page.route('**/pasien-PickTime-*.js', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${stage.url}/pasien/dokter`);
      // Whoever is the soonest is named beside "any doctor", too.
      const link = page.locator(`a[href*="/dokter/${practice.doctor}"]`);
      await link.waitFor();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.getByLabel('Nama dokter atau spesialisasi').fill(practice.name);
      await link.click();
      await page.clock.runFor(1_000);
      await page.clock.resume();
      arrive();
      await page.getByRole('heading', { name: /^Jam praktik/ }).waitFor();
      assert.match(page.url(), new RegExp(`/pasien/dokter/${practice.doctor}`));
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'asks nothing for a page that is being left while the next one is on its way',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const watched = await openPage(stage);
      const { page } = watched;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const letCome = await holdBack(page, '**/pasien-Account-*.js');
      const chosen = {
        dokter: practice.doctor,
        layanan: practice.session,
        tanggal: clinicDate(2),
        jam: '09:00',
      };
      await page.goto(`${stage.url}/pasien/konfirmasi?${new URLSearchParams(chosen)}`);
      await page.getByText(practice.name).waitFor();
      await page.getByRole('link', { name: 'Akun' }).click();
      await page.waitForURL(/\/pasien\/akun$/);
      // The page's requests are sent before this.
      await page.evaluate(`fetch('/v1/clinic').then((answer) => answer.text())`);
      assert.deepEqual(
        asked.filter((path) => path === '/v1/doctors/'),
        [],
      );
      letCome();
      await page.getByRole('heading', { name: 'Akun', exact: true }).waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'says that a page did not load, and loads it on the next visit',
    play: async (stage) => {
      const watched = await openPage(stage);
      const { page, context } = watched;
      const go = (name: string) =>
        page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      const failed = page.getByRole('heading', { name: /^Terjadi kesalahan/ });
      await page.goto(`${stage.url}/pasien/`);
      await page.locator('main').waitFor();
      await context.setOffline(true);
      await go('Riwayat');
      await failed.waitFor();
      await go('Beranda');
      await failed.waitFor({ state: 'detached' });
      await context.setOffline(false);
      await go('Riwayat');
      await page.getByRole('heading', { name: 'Riwayat kunjungan', exact: true }).waitFor();
      await assertClean(watched, stage.url, [/ERR_INTERNET_DISCONNECTED/]);
      await watched.close();
    },
  },
  {
    name: 'goes to a date once all of it is typed',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const watched = await openPage(stage);
      const { page } = watched;
      await page.goto(`${stage.url}/pasien/dokter/${practice.doctor}`);
      const field = page.getByLabel('Tanggal lain');
      await field.focus();
      const date = clinicDate(20);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(written(date));
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`tanggal=${date}`), { timeout: 5_000 });
      assert.equal(await field.inputValue(), written(date));
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'books nothing while nobody knows for whom',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const watched = await openAs(stage, await newPatient(stage.url));
      const { page } = watched;
      const mend = await refuse(page, '**/v1/family?*', 403, 'forbidden');
      const query = {
        dokter: practice.doctor,
        layanan: practice.session,
        tanggal: clinicDate(2),
        jam: '09:00',
      };
      await page.goto(`${stage.url}/pasien/konfirmasi?${new URLSearchParams(query)}`);
      await page.getByText('Sedang diperbaiki.').waitFor();
      const book = page.getByRole('button', { name: 'Buat janji', exact: true });
      assert.equal(await book.getAttribute('aria-disabled'), 'true');
      await mend();
      await page.getByRole('button', { name: 'Coba lagi' }).click();
      await page.getByText('Sedang diperbaiki.').waitFor({ state: 'detached' });
      await book.and(page.locator(':not([aria-disabled])')).click();
      await page.waitForURL(/\/pasien\/tiket\//);
      await assertClean(watched, stage.url, [failedWith(403)]);
      await watched.close();
    },
  },
  {
    isOfNode: true,
    name: 'shows the times of a clinic whose zone, with another date, is told last',
    settings: { CLINIC_TIME_ZONE: zoneOfAnotherDate(new Date()) },
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      for (const from of ['', 'search']) {
        const watched = await openPage(stage);
        const { page } = watched;
        let tell = (): void => {};
        const told = new Promise<void>((done) => (tell = done));
        await page.route('**/v1/clinic', async (route) => {
          await told;
          await route.continue();
        });
        await page.goto(`${stage.url}/pasien/dokter${from === '' ? `/${practice.doctor}` : ''}`);
        if (from !== '') await page.locator(`a[href*="/dokter/${practice.doctor}"]`).click();
        await page.getByRole('heading', { name: /^Jam praktik/ }).waitFor();
        tell();
        const heading = page.getByRole('heading', { name: /^Jam praktik .* GMT[+−-]\d+$/ });
        await heading.waitFor();
        const days = page
          .getByRole('region', { name: 'Pilih tanggal' })
          .getByRole('button', { name: / kosong$/ });
        await days.last().click();
        await heading.waitFor();
        await assertClean(watched, stage.url);
        await watched.close();
      }
    },
  },
  {
    name: 'a part of the program that did not come is asked for again, and nothing typed is lost',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, 'keluarga');
      const { page } = watched;
      const lose = async (part: string): Promise<() => Promise<void>> => {
        const address = `**/pasien-${part}-*.js`;
        await page.route(address, (route) => route.abort());
        return () => page.unroute(address);
      };
      const again = page.getByRole('button', { name: 'Coba lagi' });
      const name = page.getByLabel('Nama lengkap');
      await page.getByRole('button', { name: 'Tambah anggota keluarga' }).click();
      await name.fill('Kirana Rahayu');
      await page.getByLabel('Tanggal lahir').first().fill('2019-04-23');
      const letEntry = await lose('Entry');
      await call(stage.url, 'DELETE', '/v1/auth/devices', { token: person.token });
      await page.getByRole('button', { name: 'Tambahkan' }).click();
      await again.waitFor();
      await letEntry();
      await again.click();
      await untilFocused(page, 'Keluarga');
      await fillLogin(page, person);
      await name.waitFor();
      assert.equal(await name.inputValue(), 'Kirana Rahayu');
      for (const [part, path, there] of [
        ['Factors', 'akun/verifikasi', 'Pakai aplikasi autentikator'],
        ['History', 'riwayat', 'Belum ada kunjungan.'],
      ] as const) {
        await page.goto(`${stage.url}/pasien/akun`);
        const letCome = await lose(part);
        await page.locator(`a[href="/pasien/${path}"]`).click();
        await page.getByText('Layanan tidak dapat dihubungi.').waitFor();
        await again.waitFor();
        await letCome();
        await again.click();
        await page.getByText(there).waitFor();
      }
      await assertClean(watched, stage.url, [failedWith(401), /ERR_FAILED/]);
      await watched.close();
    },
  },
];
