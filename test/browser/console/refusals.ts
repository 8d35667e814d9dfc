import assert from 'node:assert/strict';
import { refuse } from '../support/answers.ts';
import { assertClean, failedWith, untilHolds } from '../support/checks.ts';
import { clinicDate, makePractice, written } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { openPage, type Scenario, shoot } from '../support/stage.ts';
import { bookSeat, newRecord, seatsOf } from './coming/waiting.ts';
import { press, tabTo } from './keyboard.ts';
import { enter, logInOn } from './steps.ts';

const isOffline = /ERR_INTERNET_DISCONNECTED/;
const waits = { headers: { 'Retry-After': '90' } };

/** Nothing that the service refuses is passed over in silence. */
export const refusals: readonly Scenario[] = [
  {
    name: 'a search of patients that fails says so, on each page that has one, and is tried again by keyboard',
    isOfNode: true,
    play: async (stage) => {
      const known = await newRecord(stage.url);
      const watched = await enter(stage, demo.staff, '/konsol/datang');
      const { page, context } = watched;
      await page.locator('#jam input[type=radio]').first().waitFor();
      const field = page.getByLabel('Nama atau telepon');
      let mend = await refuse(page, '**/v1/patients?*', 429, 'rate_limited', waits);
      await field.fill(known.name);
      await page.keyboard.press('Enter');
      await page.getByText(/coba lagi dalam \d+ (menit|detik)/).waitFor();
      await assertAccessibleInAllLooks(page, 'a search that failed');
      await shoot(stage, page, 'konsol-datang-cari-gagal');
      await mend();
      await press(page, 'Coba lagi');
      await page.getByText('1 pasien ditemukan').waitFor();
      await untilHolds(page, `document.activeElement?.matches('main input[type=search]')`);
      // An answer to an earlier text is not shown for the present one; Enter asks again.
      mend = await refuse(page, '**/v1/patients?*', 403, 'forbidden');
      await field.fill(known.name.slice(0, -1));
      await page.getByText('Sedang diperbaiki.').waitFor();
      await mend();
      await page.keyboard.press('Enter');
      await page.getByText('Pasien terpilih').waitFor();
      await press(page, 'Ganti pasien');
      await context.setOffline(true);
      await page.getByLabel('Nama atau telepon').fill('Wati');
      await page.getByText('Layanan tidak dapat dihubungi').first().waitFor();
      await context.setOffline(false);
      await page.getByText(/ditemukan/).waitFor();

      await page.goto(`${stage.url}/konsol/pasien/${known.id}`);
      await page.locator('summary', { hasText: 'Gabungkan' }).click();
      mend = await refuse(page, '**/v1/patients?*', 403, 'forbidden');
      await page.getByLabel('Gabungkan ke pasien').fill('Tidak Ada Namanya');
      await page.getByText('Sedang diperbaiki.').waitFor();
      await mend();
      await press(page, 'Coba lagi');
      await page.getByText('Tidak ada pasien yang cocok.').waitFor();
      await assertClean(watched, stage.url, [failedWith(403, 429), isOffline]);
      await watched.close();
    },
  },
  {
    name: 'who has not come yet: a refused check-in says why, and who was first',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 2);
      const seat = (await seatsOf(stage.url, clinicDate())).find((one) => one.doctor_id === practice.doctor);
      assert.ok(seat, 'The slot of this half hour is open to the desk.');
      const patient = await newRecord(stage.url);
      const { id } = await bookSeat(stage.url, seat, patient);
      const watched = await enter(stage, demo.staff, `/konsol/antrean?dokter=${practice.doctor}`);
      const { page } = watched;
      const name = `Catat hadir: ${patient.name}`;
      const row = page.getByRole('listitem').filter({ hasText: patient.name });
      await row.getByRole('button', { name }).waitFor();
      const mend = await refuse(page, '**/check-in', 429, 'rate_limited', waits);
      await press(page, name);
      await row.getByText(/coba lagi dalam \d+ (menit|detik)/).waitFor();
      await mend();
      await page.route('**/v1/bookings/changes*', () => {});
      const token = await tokenOf(stage.url, demo.admin);
      const other = await call(stage.url, 'POST', `/v1/bookings/${id}/check-in`, { token, body: {} });
      assert.equal(other.status, 200);
      await press(page, name);
      await row.getByText(/ baru saja mengubah janji ini \(\d\d\.\d\d\)/).waitFor();
      await assertAccessibleInAllLooks(page, 'another desk was first');
      await shoot(stage, page, 'konsol-antrean-didahului');
      await row.getByRole('button', { name: 'Tutup' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Belum hadir').waitFor({ state: 'detached' });
      await assertClean(watched, stage.url, [failedWith(409, 429)]);
      await watched.close();
    },
  },
  {
    name: 'what the service finds wrong is told by the names of the fields, never by those of the interface',
    play: async (stage) => {
      const watched = await enter(stage, demo.staff, '/konsol/datang');
      const { page } = watched;
      const text = `Nanti Lahir ${Date.now().toString(36)}`;
      for (const path of ['datang', 'tunggu']) {
        await page.goto(`${stage.url}/konsol/${path}`);
        if (path === 'tunggu') {
          await page.getByRole('banner').getByRole('button', { name: 'Tambah pasien' }).click();
          await page.locator('form').getByLabel('Layanan', { exact: true }).last().selectOption({ index: 1 });
        } else await page.locator('#jam input[type=radio]').first().waitFor();
        await page.getByLabel('Nama atau telepon').fill(text);
        await page.getByText('Tidak ditemukan').waitFor();
        await page.keyboard.press('Enter');
        const born = page.getByLabel('Tanggal lahir');
        await born.fill(clinicDate(2));
        await born.blur();
        await page.getByText(`Paling akhir ${written(clinicDate())}.`).waitFor();
        // As in a browser that ignores it.
        await page.evaluate(`for (const each of document.forms) each.noValidate = true`);
        await page.locator('form button[type=submit]').last().click();
        const told = page.getByRole('alert');
        await told.getByText(/^Tanggal lahir: /).waitFor();
        assert.doesNotMatch(await told.innerText(), /\w_\w/);
        await born.fill('');
        await born.blur();
        await page.locator('form button[type=submit]').last().click();
        await told.getByText(/^Telepon: Isi salah satu: nomor telepon, tanggal lahir, atau NIK/).waitFor();
        assert.equal(await told.getByRole('listitem').count(), 2, 'the fields that the form has');
        assert.doesNotMatch(await page.locator('main').innerText(), /\w_\w/);
      }
      await assertClean(watched, stage.url, [failedWith(422)]);
      await watched.close();
    },
  },
  {
    name: 'back from the cache of the browser while nobody answers: the console says so, and asks again',
    isOfNode: true,
    play: async (stage) => {
      const watched = await openPage(stage);
      const { page } = watched;
      let asked = 0;
      await page.addInitScript(`{
        const add = window.addEventListener;
        window.listeners = 0;
        window.addEventListener = function (...of) { window.listeners += 1; return add.apply(this, of); };
      }`);
      page.on('request', (request) => {
        if (request.url().endsWith('/v1/auth/session/refresh')) asked += 1;
      });
      // The first start fails too: its retry begins nothing twice.
      let mend = await refuse(page, '**/v1/auth/session/refresh', 503, 'unavailable');
      await page.goto(`${stage.url}/konsol/`);
      await page.getByText('Sedang diperbaiki.').waitFor();
      await mend();
      const before = await page.evaluate('window.listeners');
      await page.getByRole('button', { name: 'Coba lagi' }).click();
      await page.getByLabel('Email').waitFor();
      assert.equal(await page.evaluate('window.listeners'), before, 'a second start adds no listener');
      await logInOn(page, demo.staff);
      await page.locator('[data-row]').first().waitFor({ state: 'attached' });
      const back = `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`;
      mend = await refuse(page, '**/v1/auth/session/refresh', 503, 'unavailable');
      asked = 0;
      await page.evaluate(back);
      await page.getByText('Sedang diperbaiki.').waitFor();
      assert.equal(asked, 1, 'one return is one question');
      assert.equal(await page.locator('[data-row]').count(), 0, 'nothing is shown before the answer');
      await assertAccessibleInAllLooks(page, 'nobody answers');
      await mend();
      await tabTo(page, 'Coba lagi');
      await page.keyboard.press('Enter');
      await page.locator('[data-row]').first().waitFor({ state: 'attached' });
      await assertClean(watched, stage.url, [failedWith(503)]);
      await watched.close();
    },
  },
];
