import assert from 'node:assert/strict';
import { assertClean, failedWith, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, deskDoes, freeSlots, makePractice } from '../support/clinic.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import type { Scenario } from '../support/stage.ts';
import { choose, confirm, press, set, tabTo, type } from './keyboard.ts';
import { dayOf, enter, expectedToday, rowOf, until } from './steps.ts';

/** The actions that other scenarios do with the pointer, done without it. */
export const hands: readonly Scenario[] = [
  {
    name: 'another time, a correction, a delay, the end of a visit and a service, by keyboard alone',
    play: async (stage) => {
      const { url } = stage;
      const booking = await expectedToday(url);
      const visit = await expectedToday(url);
      await deskDoes(url, visit.id, 'check-in', 'call');
      const token = await tokenOf(url, demo.admin);
      const watched = await enter(stage, demo.admin, `/konsol/pindah/${booking.id}`);
      const { page } = watched;
      const grid = page.getByRole('group', { name: 'Pilih jadwal baru' });
      await grid.waitFor();
      await page.locator('h1').focus();
      for (
        let nth = 0;
        !(await page.evaluate(`document.activeElement?.matches('fieldset [type=radio]')`));
        nth++
      ) {
        assert.ok(nth < 40, 'The Tab key reaches the times.');
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('ArrowRight');
      await grid.locator('input:checked').waitFor();
      await page.getByText(/ → /).waitFor();
      await press(page, 'Pindahkan');
      await page.getByText(/^Janji dipindahkan ke/).waitFor();
      const moved = (await dayOf(url)).find(({ id }) => id === booking.id);
      assert.notEqual(`${moved?.starts_at} ${moved?.doctor_id}`, `${booking.starts_at} ${booking.doctor_id}`);

      await page.keyboard.press('Control+k');
      await page.keyboard.type(booking.patient.name);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: booking.patient.name }).waitFor();
      await press(page, booking.patient.name);
      await page.getByRole('heading', { level: 1, name: booking.patient.name }).waitFor();
      await press(page, 'Perbaiki data');
      await set(page, 'Tanggal lahir', '1990-05-17');
      await type(page, 'Alamat', 'Jalan Anggrek 3');
      await press(page, 'Simpan');
      await page.getByText('Data tersimpan.').waitFor();
      const record = await call(url, 'GET', `/v1/patients/${booking.patient.id}`, { token });
      const { birth_date, address } = record.body.data;
      assert.deepEqual([birth_date, address], ['1990-05-17', 'Jalan Anggrek 3']);

      await page.goto(`${url}/konsol/antrean?dokter=${visit.doctor_id}`);
      await press(page, `Selesai: ${visit.patient.name}`);
      await page
        .getByRole('button', { name: `Selesai: ${visit.patient.name}` })
        .waitFor({ state: 'detached' });
      await untilHolds(page, `document.activeElement?.closest('[data-queue]') !== null`);
      await press(page, 'Pemberitahuan keterlambatan');
      await type(page, 'Terlambat (menit)', '25');
      await type(page, 'Pesan singkat', 'Operasi mendadak');
      await page.keyboard.press('Enter');
      await page.getByText('Pasien diberi tahu: terlambat 25 menit.').first().waitFor();
      const delay = async () => {
        const { body } = await call(url, 'GET', `/v1/queues?doctor_id=${visit.doctor_id}`);
        return body.data[0].notice?.delay_minutes ?? null;
      };
      assert.equal(await delay(), 25);
      await press(page, 'Cabut pemberitahuan');
      await until(async () => (await delay()) === null, 'the notice is taken back');

      await page.goto(`${url}/konsol/layanan`);
      const name = `Vaksin ${Date.now().toString(36)}`;
      await press(page, 'Tambah layanan');
      await type(page, 'Nama layanan', name);
      await choose(page, 'Persetujuan', 'Otomatis');
      await press(page, 'Simpan');
      await page.getByRole('rowheader', { name }).waitFor();
      await press(page, `Nonaktifkan: ${name}`);
      await confirm(page, 'Nonaktifkan');
      await page.getByRole('button', { name: `Ubah ${name}` }).waitFor({ state: 'hidden' });
      const all = await call(url, 'GET', '/v1/admin/sessions?limit=100', { token });
      const made = (all.body.data as { name: string; active: boolean; approval: string }[]).find(
        (one) => one.name === name,
      );
      assert.deepEqual([made?.active, made?.approval], [false, 'automatic']);
      await assertClean(watched, url);
      await watched.close();
    },
  },
  {
    name: 'what lies under leave is canceled in one go, and a desk that was overtaken is told, by keyboard alone',
    play: async (stage) => {
      const { url } = stage;
      const practice = await makePractice(url);
      const date = clinicDate(5);
      const [slot] = await freeSlots(url, practice, date);
      assert.ok(slot);
      const { token: patient } = await newPatient(url);
      const { id } = await bookFor(url, patient, practice, slot);
      const watched = await enter(stage, demo.admin, '/konsol/tutup');
      const { page } = watched;
      await press(page, 'Tambah cuti atau libur');
      await choose(page, 'Untuk', `dr. ${practice.name}`);
      await type(page, 'Keterangan', `Cuti ${practice.name}`);
      await set(page, 'Dari tanggal', date);
      await page.getByText('1 janji akan terkena:').waitFor();
      await press(page, 'Simpan penutupan');
      await page.getByText('1 janji terkena:').waitFor();
      await press(page, 'Batalkan semua');
      await confirm(page, 'Batalkan semua');
      await page.getByText('1 dibatalkan.').waitFor();
      const token = await tokenOf(url, demo.staff);
      const { body } = await call(url, 'GET', `/v1/bookings/${id}`, { token });
      assert.deepEqual([body.data.status, body.data.cancellation.reason_code], ['canceled', 'closure']);

      const booking = await expectedToday(url);
      await page.goto(`${url}/konsol/?q=${encodeURIComponent(booking.patient.name)}`);
      const row = rowOf(page, booking);
      await row.waitFor();
      await page.route('**/v1/bookings/changes*', () => {});
      await deskDoes(url, booking.id, 'check-in');
      await tabTo(page, `Catat hadir: ${booking.patient.name}`);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await type(page, 'Catatan petugas', 'Minta kursi roda');
      await press(page, `Catat hadir: ${booking.patient.name}`);
      await row.getByText(/^Hadir/).waitFor();
      await page
        .getByText(/^Rina .* baru saja mengubah janji ini \(\d\d\.\d\d\)/)
        .first()
        .waitFor();
      assert.equal(await page.getByLabel('Catatan petugas').inputValue(), 'Minta kursi roda');
      await assertClean(watched, url, [failedWith(409)]);
      await watched.close();
    },
  },
];
