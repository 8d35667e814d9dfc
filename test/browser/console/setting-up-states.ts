import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible, assertClean, failedWith } from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { demo } from '../support/people.ts';
import { desk, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { holdSeat } from './coming/waiting.ts';
import { enter, expectedToday } from './steps.ts';

interface Place {
  name: string;
  path: string;
  /** The data that the page reads. */
  reads: string;
  /** Its text for an empty list; none if it shows one record or figures. */
  empty?: string;
  /** The place of rendering, if it is not the page itself, whose age the page does not show. */
  beside?: string;
}

const setUp: readonly Place[] = [
  { name: 'dokter', path: 'dokter', reads: '**/v1/admin/doctors?*', empty: 'Belum ada dokter.' },
  { name: 'layanan', path: 'layanan', reads: '**/v1/admin/sessions?*', empty: 'Belum ada layanan.' },
  { name: 'jadwal', path: 'jadwal', reads: '**/v1/admin/schedules?*' },
  {
    name: 'tutup',
    path: 'tutup',
    reads: '**/v1/admin/closures?*',
    empty: 'Tidak ada cuti atau libur mendatang.',
  },
  { name: 'orang', path: 'orang', reads: '**/v1/admin/people?*', empty: 'Tidak ada orang yang cocok.' },
  { name: 'klinik', path: 'klinik', reads: '**/v1/admin/clinic' },
  { name: 'kunci', path: 'kunci', reads: '**/v1/admin/api-keys?*', empty: 'Belum ada kunci.' },
  { name: 'webhook', path: 'webhook', reads: '**/v1/admin/webhooks?*', empty: 'Belum ada penerima.' },
  {
    name: 'audit',
    path: 'audit',
    reads: '**/v1/admin/security-events?*',
    empty: 'Tidak ada peristiwa yang cocok.',
  },
  { name: 'statistik', path: 'statistik', reads: '**/v1/admin/statistics?*' },
  { name: 'akun', path: 'akun', reads: '**/v1/auth/second-factors' },
];

const ofTheDesk = async ({ url }: Stage): Promise<Place[]> => {
  const booking = await expectedToday(url);
  const { id } = booking.patient;
  const { date, offer } = await holdSeat(url, 6);
  return [
    { name: 'cari', path: 'pasien?q=Siti', reads: '**/v1/patients?*', empty: 'Tidak ada pasien yang cocok.' },
    { name: 'pasien', path: `pasien/${id}`, reads: `**/v1/patients/${id}` },
    { name: 'tunggu', path: 'tunggu', reads: '**/v1/admin/waitlist?*', empty: 'Tidak ada yang menunggu.' },
    { name: 'kontrol', path: `kontrol/${booking.id}`, reads: `**/v1/bookings/${booking.id}` },
    {
      name: 'rangkaian',
      path: `rangkaian/${id}`,
      reads: '**/v1/slots?*',
      empty: 'Tidak ada jam pada tanggal ini. Pilih tanggal lain di atas.',
    },
    {
      name: 'datang',
      path: 'datang',
      reads: '**/v1/slots?*',
      empty: 'Tidak ada jam yang terbuka pada hari ini.',
    },
    {
      name: 'pindah',
      path: `pindah/${booking.id}`,
      reads: '**/v1/slots?*',
      empty: 'Tidak ada jam yang terbuka pada hari ini. Coba hari lain.',
    },
    { name: 'pindah-janji', path: `pindah/${booking.id}`, reads: `**/v1/bookings/${booking.id}` },
    {
      name: 'persetujuan',
      path: 'persetujuan',
      reads: '**/v1/bookings?*',
      empty: 'Tidak ada yang menunggu persetujuan.',
    },
    {
      name: 'antrean',
      path: 'antrean',
      reads: '**/v1/queues?*',
      empty: 'Tidak ada praktik pada hari ini.',
    },
    // Of another day than its list, which would know it already.
    {
      name: 'rincian',
      path: `?tanggal=${date}&janji=${offer.booking_id}`,
      reads: `**/v1/bookings/${offer.booking_id}`,
      beside: 'aside',
    },
  ];
};

const refusal = (status: number, code: string, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  contentType: 'application/json',
  body: JSON.stringify({ status: 'error', code, message, request_id: 'r-1' }),
});

const nothing = {
  contentType: 'application/json',
  body: JSON.stringify({
    status: 'success',
    data: [],
    meta: { next_cursor: null, counts: { waiting: 0 }, sequence: 0 },
  }),
};

const isRead = async (page: Page): Promise<void> => {
  await page.locator('header h1').waitFor();
  await page.locator('#isi table, #isi dl, #isi section, #isi p').first().waitFor();
  await page.locator('#isi [aria-busy="true"]').first().waitFor({ state: 'detached' });
};

/** Makes the page read again, as the way back to its tab does. */
const lookAgain = (page: Page) => page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);

const playStates = async (stage: Stage, places: readonly Place[]): Promise<void> => {
  const watched = await enter(stage, demo.admin, '/konsol/akun', { viewport: desk });
  const { page, context } = watched;
  const look = (where: string) => assertAccessibleInAllLooks(page, where);
  for (const { name, path, reads, empty, beside } of places) {
    const go = () => page.goto(`${stage.url}/konsol/${path}`);
    const within = page.locator(beside ?? '#isi');
    const failing = (status: number, code: string, headers: Record<string, string> = {}) =>
      page.route(reads, (route) => route.fulfill(refusal(status, code, 'Sedang diperbaiki.', headers)));
    await page.route(reads, () => {});
    await go();
    await within.locator('[aria-busy="true"] > div').first().waitFor();
    await look(`${name}, loading`);
    await page.unroute(reads);

    if (empty !== undefined) {
      await page.route(reads, (route) => route.fulfill(nothing));
      await go();
      await page.getByText(empty).waitFor();
      await look(`${name}, empty`);
      await shoot(stage, page, `konsol-${name}-kosong`);
      await page.unroute(reads);
    }

    const again = within.getByRole('button', { name: 'Coba lagi' });
    await failing(429, 'rate_limited', { 'Retry-After': '90' });
    await go();
    await page.getByText(/coba lagi dalam \d+ (menit|detik)/).waitFor();
    await page.unroute(reads);
    await failing(403, 'forbidden');
    await again.click();
    await page.getByText('Sedang diperbaiki.').waitFor();
    await look(`${name}, failing`);
    await shoot(stage, page, `konsol-${name}-gagal`);
    await page.unroute(reads);
    await again.click();
    await page.getByText('Sedang diperbaiki.').waitFor({ state: 'detached' });
    if (beside !== undefined) continue;
    await isRead(page);

    await failing(403, 'forbidden');
    await lookAgain(page);
    await page.getByText(/^Data pukul \d\d\.\d\d\. Sedang mencoba memperbarui/).waitFor();
    await look(`${name}, stale`);
    await page.unroute(reads);
    await lookAgain(page);
    await page.getByText(/^Data pukul/).waitFor({ state: 'detached' });

    await context.setOffline(true);
    await page.getByText(/^Tidak ada sambungan\. Data pukul \d\d\.\d\d/).waitFor();
    await look(`${name}, offline`);
    await shoot(stage, page, `konsol-${name}-luring`);
    await context.setOffline(false);
    await page.getByText(/^Tidak ada sambungan/).waitFor({ state: 'detached' });
  }
  await assertClean(watched, stage.url, [failedWith(403, 429), /ERR_INTERNET_DISCONNECTED/]);
  await watched.close();
};

const theStates = 'draws its loading, empty, failing, throttled, stale and offline state, in every look';

export const settingUpStates: readonly Scenario[] = [
  {
    name: `each page of setting up ${theStates}`,
    isOfNode: true,
    play: (stage) => playStates(stage, setUp),
  },
  {
    name: `each page of the desk ${theStates}`,
    isOfNode: true,
    play: async (stage) => playStates(stage, await ofTheDesk(stage)),
  },
  {
    name: 'a failure of the service is told with the number to ask by; without a connection what is typed waits',
    isOfNode: true,
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/dokter');
      const { page, context } = watched;
      await page.getByRole('button', { name: 'Tambah dokter' }).click();
      await page.getByLabel('Nama').fill('Belum Tersimpan');
      await context.setOffline(true);
      const save = page.getByRole('button', { name: 'Simpan' });
      const told = page
        .getByRole('complementary', { name: 'Tambah dokter' })
        .getByText('Perlu sambungan internet.');
      await told.waitFor();
      assert.equal(await save.getAttribute('aria-disabled'), 'true');
      await page.getByLabel('Nama').press('Enter');
      assert.equal(await page.getByLabel('Nama').inputValue(), 'Belum Tersimpan');
      await context.setOffline(false);
      await told.waitFor({ state: 'detached' });
      await page.route('**/v1/admin/doctors', (route) =>
        route.fulfill(refusal(500, 'internal', 'Terjadi kesalahan pada layanan.')),
      );
      await save.click();
      await page.getByText('Terjadi kesalahan pada layanan.').waitFor();
      await page.getByText('Nomor rujukan: r-1').waitFor();
      assert.equal(await page.getByLabel('Nama').inputValue(), 'Belum Tersimpan');
      await assertAccessible(page, 'a form that failed');
      await assertClean(watched, stage.url, [failedWith(500), /ERR_INTERNET_DISCONNECTED/]);
      await watched.close();
    },
  },
  {
    name: 'what a role may not do is not there, and a deep link says why',
    isOfNode: true,
    play: async (stage) => {
      const watched = await enter(stage, demo.staff, '/konsol/dokter');
      const { page } = watched;
      for (const path of ['dokter', 'layanan']) {
        await page.goto(`${stage.url}/konsol/${path}`);
        await page.getByText('Hanya admin yang dapat mengubah bagian ini.').waitFor();
        await page.getByRole('table').waitFor();
        assert.equal(await page.getByRole('button', { name: /^(Tambah|Ubah|Nonaktifkan)/ }).count(), 0);
      }
      for (const path of ['orang', 'klinik', 'kunci', 'webhook', 'audit', 'statistik', 'ekspor']) {
        await page.goto(`${stage.url}/konsol/${path}`);
        await page.getByText('Halaman ini tidak tersedia untuk peran Petugas.').waitFor();
      }
      await assertAccessible(page, 'not allowed');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
