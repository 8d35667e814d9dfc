import assert from 'node:assert/strict';
import { keepWaiting, refuse } from '../support/answers.ts';
import { assertClean, failedWith } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { assertKeepsMeaning } from '../support/forced-colors.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { newPatient } from '../support/people.ts';
import { openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { fillLogin, openAs, takeUpUntil } from './steps.ts';

const playReading = async (stage: Stage): Promise<void> => {
  const watched = await openPage(stage);
  const { page } = watched;
  const go = (path: string) => page.goto(`${stage.url}/pasien/${path}`);

  const answer = await keepWaiting(page, '**/v1/doctors?*');
  await go('dokter');
  await page.locator('main [aria-busy="true"] > div').first().waitFor();
  await assertAccessibleInAllLooks(page, 'loading');
  assert.ok((await assertKeepsMeaning(page, 'loading')).painted >= 3);
  await answer();

  const mend = await refuse(page, '**/v1/doctors?*', 403, 'forbidden');
  await go('dokter');
  await page.getByText('Sedang diperbaiki.').waitFor();
  await assertAccessibleInAllLooks(page, 'failing');
  await mend();
  await page.getByRole('button', { name: 'Coba lagi' }).click();
  await page.getByText('dr. Sari Wulandari').waitFor();

  await page.getByLabel('Nama dokter atau spesialisasi').fill('tidak ada yang bernama begini');
  await page.getByText('dr. Sari Wulandari').waitFor({ state: 'detached' });
  await assertAccessibleInAllLooks(page, 'nothing found');

  const headers = { 'Retry-After': '90' };
  const letIn = await refuse(page, '**/v1/doctors?*', 429, 'rate_limited', { headers });
  await go('dokter');
  await page.getByText(/coba lagi dalam/).waitFor();
  await assertAccessibleInAllLooks(page, 'throttled');
  await letIn();

  await go('riwayat');
  await page.getByText('Silakan masuk untuk melihat halaman ini.').waitFor();
  await assertAccessibleInAllLooks(page, 'not allowed');

  await go('masuk');
  await fillLogin(page, { email: 'siapa@klinik.example', password: 'salah-sekali-2026' });
  await page.getByRole('alert').waitFor();
  await assertAccessibleInAllLooks(page, 'a login that failed');
  await assertClean(watched, stage.url, [failedWith(401, 403, 429)]);
  await watched.close();
};

const playTicket = async (stage: Stage): Promise<void> => {
  const practice = await makePractice(stage.url, 2);
  const person = await newPatient(stage.url);
  const watched = await openAs(stage, person, 'riwayat');
  const { page, context } = watched;
  await page.getByText('Belum ada kunjungan.').waitFor();
  await assertAccessibleInAllLooks(page, 'empty');

  const slot = (await freeSlots(stage.url, practice, clinicDate()))[2];
  assert.ok(slot !== undefined);
  const { id } = await bookFor(stage.url, person.token, practice, slot);
  await page.goto(`${stage.url}/pasien/tiket/${id}`);
  await page.getByRole('button', { name: 'Batalkan' }).click();
  await page.getByRole('dialog').waitFor();
  await assertAccessibleInAllLooks(page, 'the question before a cancellation');
  await shoot(stage, page, 'tanya-batal');
  await page.keyboard.press('Escape');

  await context.setOffline(true);
  await page.getByText(/^Tidak ada sambungan/).waitFor();
  await assertAccessibleInAllLooks(page, 'offline');
  await context.setOffline(false);
  await page.getByText(/^Tidak ada sambungan/).waitFor({ state: 'detached' });

  const mend = await refuse(page, `**/v1/bookings/${id}`, 403, 'forbidden');
  await takeUpUntil(page, page.getByText(/^Data pukul .* Sedang mencoba memperbarui/));
  await assertAccessibleInAllLooks(page, 'stale');
  await shoot(stage, page, 'data-lama');
  await mend();

  await page.goto(`${stage.url}/pasien/tiket/${crypto.randomUUID()}`);
  await page.getByText('Data tidak ditemukan.').waitFor();
  await assertAccessibleInAllLooks(page, 'not there');

  const { doctor, session } = practice;
  const hour = slot.schedule_time.slice(0, 5);
  await page.goto(
    `${stage.url}/pasien/konfirmasi?dokter=${doctor}&layanan=${session}&tanggal=${slot.schedule_date}&jam=${hour}`,
  );
  await page.getByRole('button', { name: 'Buat janji' }).click();
  await page.getByRole('link', { name: 'Lihat janji itu' }).waitFor();
  await assertAccessibleInAllLooks(page, 'a booking that stands in the way');
  await assertClean(watched, stage.url, [failedWith(403, 404, 409), /ERR_INTERNET_DISCONNECTED/]);
  await watched.close();
};

const playQuestions = async (stage: Stage): Promise<void> => {
  const person = await newPatient(stage.url);
  const watched = await openAs(stage, person, 'keluarga');
  const { page } = watched;
  await page.getByRole('button', { name: 'Tambah anggota keluarga' }).click();
  await page.getByLabel('Nama lengkap').fill('Kirana Rahayu');
  await page.getByLabel('Tanggal lahir').first().fill('2019-04-23');
  await assertAccessibleInAllLooks(page, 'a form that is open');
  await page.getByRole('button', { name: 'Tambahkan' }).click();
  await page.getByRole('button', { name: 'Hapus dari keluarga: Kirana Rahayu' }).click();
  await page.getByRole('dialog').waitFor();
  await assertAccessibleInAllLooks(page, 'the question before somebody leaves the family');
  await page.keyboard.press('Escape');

  const totp = '**/v1/auth/second-factors/totp';
  const mend = await refuse(page, totp, 403, 'reauthentication_required', { method: 'POST' });
  await page.goto(`${stage.url}/pasien/akun/verifikasi`);
  await page.getByRole('button', { name: 'Pakai aplikasi autentikator' }).click();
  await page.getByRole('dialog').waitFor();
  await assertAccessibleInAllLooks(page, 'the question for the password');
  await mend();
  await page.getByRole('dialog').getByLabel('Kata sandi', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Lanjutkan' }).click();
  await page.getByRole('img', { name: 'Kode QR untuk aplikasi autentikator' }).waitFor();
  await assertClean(watched, stage.url, [failedWith(401, 403)]);
  await watched.close();
};

export const states: readonly Scenario[] = [
  {
    name: 'what is read: loading, empty, failing, throttled, not allowed, in every look',
    play: playReading,
    isOfNode: true,
  },
  {
    name: 'the ticket: empty, asking, offline, stale, not there, in the way, in every look',
    play: playTicket,
    isOfNode: true,
  },
  { name: 'questions and forms, in every look', play: playQuestions, isOfNode: true },
];
