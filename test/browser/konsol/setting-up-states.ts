import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible, assertClean, failedWith } from '../support/checks.ts';
import { demo } from '../support/people.ts';
import { desk, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { dayOf, enter } from './steps.ts';

interface Place {
  name: string;
  path: string;
  /** What the page reads. */
  reads: string;
  /** What it says of an empty list; nothing where it shows one record or figures. */
  empty?: string;
}

const placesOf = async ({ url }: Stage): Promise<Place[]> => {
  const [booking] = await dayOf(url);
  assert.ok(booking);
  const id = booking.patient.id;
  return [
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
    { name: 'webhook', path: 'webhook', reads: '**/v1/admin/webhooks?*', empty: 'Belum ada penerima.' },
    {
      name: 'audit',
      path: 'audit',
      reads: '**/v1/admin/security-events?*',
      empty: 'Tidak ada peristiwa yang cocok.',
    },
    { name: 'statistik', path: 'statistik', reads: '**/v1/admin/statistics?*' },
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
  body: JSON.stringify({ status: 'success', data: [], meta: { next_cursor: null } }),
};

const isRead = async (page: Page): Promise<void> => {
  await page.locator('header h1').waitFor();
  await page.locator('#isi table, #isi dl, #isi section, #isi p').first().waitFor();
  await page.locator('#isi [aria-busy="true"]').first().waitFor({ state: 'detached' });
};

/** Makes the page read again, as the way back to its tab does. */
const lookAgain = (page: Page) => page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);

export const settingUpStates: readonly Scenario[] = [
  {
    name: 'each page of setting up draws its loading, empty, failing, throttled, stale and offline state',
    isOfNode: true,
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/dokter', { viewport: desk });
      const { page, context } = watched;
      for (const { name, path, reads, empty } of await placesOf(stage)) {
        const go = () => page.goto(`${stage.url}/konsol/${path}`);
        await page.route(reads, () => {});
        await go();
        await page.locator('#isi [aria-busy="true"] > div').first().waitFor();
        await assertAccessible(page, `${name}, loading`);
        await page.unroute(reads);

        if (empty !== undefined) {
          await page.route(reads, (route) => route.fulfill(nothing));
          await go();
          await page.getByText(empty).waitFor();
          await assertAccessible(page, `${name}, empty`);
          await shoot(stage, page, `konsol-${name}-kosong`);
          await page.unroute(reads);
        }

        await page.route(reads, (route) =>
          route.fulfill(refusal(429, 'rate_limited', 'Terlalu banyak percobaan.', { 'Retry-After': '90' })),
        );
        await go();
        await page.getByText(/coba lagi dalam \d+ (menit|detik)/).waitFor();
        await page.unroute(reads);
        await page.route(reads, (route) => route.fulfill(refusal(403, 'forbidden', 'Sedang diperbaiki.')));
        await page.getByRole('button', { name: 'Coba lagi' }).click();
        await page.getByText('Sedang diperbaiki.').waitFor();
        await assertAccessible(page, `${name}, failing`);
        await shoot(stage, page, `konsol-${name}-gagal`);
        await page.unroute(reads);
        await page.getByRole('button', { name: 'Coba lagi' }).click();
        await page.getByText('Sedang diperbaiki.').waitFor({ state: 'detached' });
        await isRead(page);

        await page.route(reads, (route) => route.fulfill(refusal(403, 'forbidden', 'Sedang diperbaiki.')));
        await lookAgain(page);
        await page.getByText(/^Data pukul \d\d\.\d\d\. Sedang mencoba memperbarui/).waitFor();
        await assertAccessible(page, `${name}, stale`);
        await page.unroute(reads);
        await lookAgain(page);
        await page.getByText(/^Data pukul/).waitFor({ state: 'detached' });

        await context.setOffline(true);
        await page.getByText(/^Tidak ada sambungan\. Data pukul \d\d\.\d\d/).waitFor();
        await assertAccessible(page, `${name}, offline`);
        await shoot(stage, page, `konsol-${name}-luring`);
        await context.setOffline(false);
        await page.getByText(/^Tidak ada sambungan/).waitFor({ state: 'detached' });
      }
      await assertClean(watched, stage.url, [failedWith(403, 429), /ERR_INTERNET_DISCONNECTED/]);
      await watched.close();
    },
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
      for (const path of ['orang', 'klinik', 'kunci', 'webhook', 'audit', 'statistik']) {
        await page.goto(`${stage.url}/konsol/${path}`);
        await page.getByText('Halaman ini tidak tersedia untuk peran Petugas.').waitFor();
      }
      await assertAccessible(page, 'not allowed');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
