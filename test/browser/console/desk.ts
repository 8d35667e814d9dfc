import assert from 'node:assert/strict';
import { assertAccessible, assertClean, failedWith, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { desk, openPage, type Scenario } from '../support/stage.ts';
import { enter } from './steps.ts';

/** The desk's search results, and the messages to the desk. */
export const desks: readonly Scenario[] = [
  {
    name: 'a booking far ahead is found by its code, and a code of letters alone is asked for',
    play: async (stage) => {
      const { url } = stage;
      const practice = await makePractice(url);
      const [slot] = await freeSlots(url, practice, clinicDate(80));
      assert.ok(slot);
      const { token, name } = await newPatient(url);
      const { id } = await bookFor(url, token, practice, slot);
      const staff = { token: await tokenOf(url, demo.staff) };
      const code = (await call(url, 'GET', `/v1/bookings/${id}`, staff)).body.data.booking_code as string;
      const watched = await enter(stage, demo.staff, `/konsol/pasien?q=${code.toLowerCase()}`);
      const { page } = watched;
      await page.getByRole('heading', { name: 'Janji dengan kode ini' }).waitFor();
      await page.getByRole('link', { name: new RegExp(name) }).waitFor();
      const asked = page.waitForRequest(/\/v1\/bookings\?.*q=AZHCDBGB/);
      await page.getByLabel(/^Nama, telepon, email/).fill('AZHCDBGB');
      await page.keyboard.press('Enter');
      await asked;
      await assertClean(watched, url);
      await watched.close();
    },
  },
  {
    name: 'a notice that is taken back is no longer called saved, and the focus is not lost',
    play: async (stage) => {
      const watched = await enter(stage, demo.staff, '/konsol/antrean');
      const { page } = watched;
      await page.locator('summary', { hasText: 'Pemberitahuan keterlambatan' }).first().click();
      await page.getByRole('button', { name: 'Beri tahu pasien' }).click();
      await page.getByText('Pemberitahuan tersimpan.').waitFor();
      const back = page.getByRole('button', { name: 'Cabut pemberitahuan' });
      await back.focus();
      await page.keyboard.press('Enter');
      await back.waitFor({ state: 'detached' });
      assert.equal(await page.getByText('Pemberitahuan tersimpan.').count(), 0);
      await untilHolds(page, `document.activeElement?.closest('main') !== null`);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a patient who came to the console is told so, and can leave',
    play: async (stage) => {
      const { email, password } = await newPatient(stage.url);
      const watched = await openPage(stage, { viewport: desk });
      const { page } = watched;
      await page.goto(`${stage.url}/konsol/`);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Kata sandi', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await page.getByText('Akun Anda adalah akun pasien.').waitFor();
      await assertAccessible(page, 'a patient at the console');
      await page.getByRole('button', { name: 'Keluar' }).click();
      await page.getByLabel('Email').waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a walk-in whose time was taken: each other time is told with its day',
    play: async (stage) => {
      const watched = await enter(stage, demo.staff, '/konsol/datang');
      const { page } = watched;
      await page.locator('#jam input[type=radio]').first().waitFor();
      const date = clinicDate(1);
      await page.route('**/v1/bookings', (route) => {
        const { doctor_id, session_id } = route.request().postDataJSON();
        const one = { doctor_id, session_id, doctor_name: 'dr. Lain', session_name: 'Umum' };
        const alternatives = [{ ...one, schedule_date: date, schedule_time: '10:00:00', remaining: 1 }];
        const json = { status: 'error', code: 'slot_full', message: 'Penuh.', alternatives, request_id: 'r' };
        return route.fulfill({ status: 409, json });
      });
      await page.getByLabel('Nama atau telepon').fill(`Tono Penuh ${Date.now().toString(36)}`);
      await page.getByText('Tidak ditemukan').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('input[type=tel]').fill(`813${Date.now()}`.slice(0, 12));
      await page.getByRole('button', { name: 'Buat & catat hadir' }).click();
      await page.getByRole('button', { name: /^Besok, .* 10\.00, dr\. Lain$/ }).waitFor();
      await assertAccessible(page, 'other times for a walk-in');
      await assertClean(watched, stage.url, [failedWith(409)]);
      await watched.close();
    },
  },
];
