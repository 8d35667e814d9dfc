import assert from 'node:assert/strict';
import { loseFirstAnswer } from '../support/answers.ts';
import { assertAccessible, assertClean, assertReflowsWhenLarge } from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { choose, press, type } from './keyboard.ts';
import { enter, untilThere } from './steps.ts';

/** A spreadsheet of Excel, with a column that nobody can know, a row that is wrong, and names that no other run has. */
const tableOf = (mark: string, rows = 2): Buffer => {
  const lines = Array.from(
    { length: rows },
    (_, at) =>
      `${mark}-${at};Siti ${mark} ${at};${at % 28 < 9 ? '0' : ''}${(at % 28) + 1}/01/19${50 + (at % 40)};P;0812-${1000 + at}-77`,
  );
  const wrong = `${mark}-x;Salah ${mark};kemarin;X;12`;
  return Buffer.from(`\ufeff${['Kode;Orang;Tgl Lahir;L/P;No HP', ...lines, wrong].join('\r\n')}\r\n`);
};

const chooseFile = async (page: Awaited<ReturnType<typeof enter>>['page'], buffer: Buffer) =>
  page
    .getByLabel('Berkas CSV atau NDJSON')
    .setInputFiles({ name: 'pasien.csv', mimeType: 'text/csv', buffer });

const found = async ({ url }: Stage, q: string): Promise<{ name: string; birth_date: string }[]> => {
  const token = await tokenOf(url, demo.admin);
  return (await call(url, 'GET', `/v1/patients?limit=100&q=${q}`, { token })).body.data;
};

export const importing: readonly Scenario[] = [
  {
    name: 'patients come from a spreadsheet by keyboard alone: recognized, corrected, checked, imported, and the same file changes nothing',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/pasien');
      const { page } = watched;
      const mark = `Impor${Date.now().toString(36)}`;
      await press(page, 'Impor dari berkas');
      await chooseFile(page, tableOf(mark));
      await page.getByText('Periksa isi setiap kolom').waitFor();
      await page.getByText('Pilih kolom mana yang berisi nama.').waitFor();
      await choose(page, 'Isi kolom Orang', 'Nama');
      await page.getByText('Pilih dahulu urutan tanggal.').waitFor();
      await choose(page, 'Urutan tanggal', 'Hari dahulu (31/12/1950)');
      await type(page, 'Asal data (opsional)', 'sistem-lama').catch(() =>
        type(page, 'Asal data', 'sistem-lama'),
      );
      await assertAccessible(page, 'an import, its columns');
      await shoot(stage, page, 'konsol-impor-kolom', true);
      await press(page, 'Periksa berkas');
      await page.getByText('2 baris menjadi pasien baru').waitFor();
      await page.getByText('1 baris ditolak').waitFor();
      await page.getByText('Bukan tanggal yang bisa dibaca.').waitFor();
      assert.deepEqual(await found(stage, mark), []);
      await untilThere(page, `document.activeElement?.matches('h2')`);
      await assertAccessible(page, 'an import, checked');
      await shoot(stage, page, 'konsol-impor-diperiksa', true);
      await press(page, 'Impor 2 baris');
      await page.getByRole('heading', { name: 'Impor selesai' }).waitFor();
      await page.getByRole('link', { name: 'Ke daftar pasien' }).waitFor();
      await shoot(stage, page, 'konsol-impor-selesai', true);
      assert.deepEqual((await found(stage, mark)).map((one) => one.birth_date).sort(), [
        '1950-01-01',
        '1951-01-02',
      ]);
      const saved = page.waitForEvent('download');
      await press(page, 'Unduh hasil per baris');
      assert.match((await saved).suggestedFilename(), /^impor-.*\.csv$/);
      await press(page, 'Impor berkas lain');
      await chooseFile(page, tableOf(mark));
      await choose(page, 'Isi kolom Orang', 'Nama');
      await choose(page, 'Urutan tanggal', 'Hari dahulu (31/12/1950)');
      await press(page, 'Periksa berkas');
      await page.getByText('2 baris sudah sama').waitFor();
      await page.getByText('Tidak ada baris yang dapat diimpor.').waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'an import whose answer was lost goes on where it stopped, and doubles nobody, on a phone and in the dark',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/impor', {
        viewport: phone,
        colorScheme: 'dark',
      });
      const { page } = watched;
      const mark = `Putus${Date.now().toString(36)}`;
      await chooseFile(page, Buffer.from('sebuah surat'));
      await page.getByText('Baris pertama tidak berisi nama kolom yang dikenal.').waitFor();
      await chooseFile(page, tableOf(mark, 450));
      await page.getByLabel('Isi kolom Orang').selectOption('name');
      await page.getByLabel('Pasien yang mirip').selectOption('make');
      await shoot(stage, page, 'konsol-impor-sempit', true);
      await page.getByRole('button', { name: 'Periksa berkas' }).click();
      await page.getByText('450 baris menjadi pasien baru').waitFor();
      await assertAccessible(page, 'an import on a phone');
      await loseFirstAnswer(page, '**/rows');
      await page.getByRole('button', { name: 'Impor 450 baris' }).click();
      await page.getByText('Belum selesai.').waitFor();
      await shoot(stage, page, 'konsol-impor-putus', true);
      await page.getByRole('button', { name: 'Lanjutkan' }).click();
      await page.getByRole('heading', { name: 'Impor selesai' }).waitFor();
      await page.getByText('450 baris menjadi pasien baru').waitFor();
      assert.equal((await found(stage, mark)).length, 100);
      await assertClean(watched, stage.url, [/ERR_CONNECTION_RESET/]);
      await watched.close();
    },
  },
  {
    name: 'visits of the past come from a spreadsheet for patients who came before, and stand in their history',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/impor');
      const { page } = watched;
      const mark = `Lama${Date.now().toString(36)}`;
      await chooseFile(page, tableOf(mark, 1));
      await page.getByLabel('Isi kolom Orang').selectOption('name');
      await page.getByLabel('Urutan tanggal').selectOption('day_first');
      await page.getByLabel('Pasien yang mirip').selectOption('make');
      await page.getByLabel('Asal data').fill(mark);
      await page.getByRole('button', { name: 'Periksa berkas' }).click();
      await page.getByRole('button', { name: 'Impor 1 baris' }).click();
      await page.getByRole('heading', { name: 'Impor selesai' }).waitFor();
      await page.getByRole('button', { name: 'Impor berkas lain' }).click();
      await choose(page, 'Isi berkas', 'Kunjungan lama');
      const [doctor] = (await call(stage.url, 'GET', '/v1/doctors', {})).body.data;
      const [session] = (await call(stage.url, 'GET', '/v1/sessions', {})).body.data;
      const rows = [
        `1;${mark}-0;${doctor.id};${session.id};13/03/2024 09:30;selesai`,
        `2;${mark}-0;${doctor.id};${session.id};14/03/2024;tidak hadir`,
        `3;siapa;${doctor.id};${session.id};15/03/2024;entah`,
      ];
      const visits = Buffer.from(['No Reg;ID Pasien;Dokter;Poli;Tanggal;Status', ...rows].join('\n'));
      await chooseFile(page, visits);
      await page.getByLabel('Asal data').fill(mark);
      const box = page.getByLabel('Kirim setiap kunjungan ke webhook');
      assert.equal(await box.isChecked(), false, 'no events unless they are asked for');
      await assertAccessibleInAllLooks(page, 'an import of visits, its columns');
      await assertReflowsWhenLarge(page, 'an import of visits, its columns');
      await shoot(stage, page, 'konsol-impor-kunjungan', true);
      await box.press('Space');
      assert.equal(await box.isChecked(), true);
      await press(page, 'Periksa berkas');
      await page.getByText('2 baris menjadi kunjungan lama').waitFor();
      await page.getByText('Tulis selesai, tidak hadir, atau batal.').waitFor();
      await press(page, 'Impor 2 baris');
      await page.getByRole('heading', { name: 'Impor selesai' }).waitFor();
      await shoot(stage, page, 'konsol-impor-kunjungan-selesai', true);
      const token = await tokenOf(stage.url, demo.admin);
      const [patient] = (await call(stage.url, 'GET', `/v1/patients?q=${mark}`, { token })).body.data;
      const { body } = await call(stage.url, 'GET', `/v1/patients/${patient.id}/bookings`, { token });
      assert.deepEqual(
        body.data.map((one: { channel: string; schedule_date: string }) => [one.channel, one.schedule_date]),
        [
          ['imported', '2024-03-14'],
          ['imported', '2024-03-13'],
        ],
      );
      const told = await Promise.all(
        body.data.map(async ({ id }: { id: string }) =>
          (await call(stage.url, 'GET', `/v1/bookings/${id}/events`, { token })).body.data.map(
            ({ type }: { type: string }) => type,
          ),
        ),
      );
      assert.deepEqual(told, [['booking.created'], ['booking.created']]);
      await page.goto(`${stage.url}/konsol/pasien/${patient.id}`);
      await page.getByText('13 Mar 2024').first().waitFor();
      await shoot(stage, page, 'konsol-pasien-kunjungan-lama', true);

      // The same screen on a phone, dark, in English: checked, then imported, which changes nothing.
      await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
      await page.setViewportSize(phone);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(`${stage.url}/konsol/impor`);
      await page.getByLabel('What the file holds').selectOption('visits');
      await page
        .getByLabel('CSV or NDJSON file')
        .setInputFiles({ name: 'kunjungan.csv', mimeType: 'text/csv', buffer: visits });
      await page.getByLabel('Send each visit to the webhooks').waitFor();
      await page.getByLabel('Where the data come from').fill(mark);
      await assertAccessible(page, 'an import of visits, 360, dark, English');
      await shoot(stage, page, 'konsol-impor-kunjungan-360-gelap-en', true);
      await page.getByRole('button', { name: 'Check the file' }).press('Enter');
      await page.getByRole('button', { name: 'Change columns or rules' }).waitFor();
      await assertAccessible(page, 'visits checked, 360, dark, English');
      await assertReflowsWhenLarge(page, 'visits checked, English');
      await shoot(stage, page, 'konsol-impor-kunjungan-diperiksa-360-gelap-en', true);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
