import assert from 'node:assert/strict';
import { holdBack } from '../support/answers.ts';
import { assertClean, failedWith } from '../support/checks.ts';
import { clinicDate, makePractice } from '../support/clinic.ts';
import { call, newPatient } from '../support/people.ts';
import { openPage, type Scenario } from '../support/stage.ts';
import { fillLogin, openAs } from './steps.ts';

/** A zone that has another date than the pages think before the clinic has told its own. */
const zoneOfAnotherDate = (now: Date): string =>
  (now.getUTCHours() + 7) % 24 < 19 ? 'Etc/GMT+12' : 'Etc/GMT-14';

/** What comes later than it usually does. */
export const lateFlows: readonly Scenario[] = [
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
      const link = page.getByRole('link', { name: new RegExp(practice.name) });
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
      // What the page would have asked is asked before this.
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
        if (from !== '') await page.getByRole('link', { name: new RegExp(practice.name) }).click();
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
