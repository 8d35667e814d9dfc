import assert from 'node:assert/strict';
import { assertAccessible, assertClean, failedWith } from '../support/checks.ts';
import { bookFor, freeSlots, makePractice } from '../support/clinic.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { type Scenario, type Stage, shoot } from '../support/stage.ts';
import { press, tabTo, type } from './keyboard.ts';
import { enter, todayOf, until } from './steps.ts';

let nth = 0;

const newRecord = async ({ url }: Stage, name: string, more: object = {}) => {
  nth += 1;
  const token = await tokenOf(url, demo.staff);
  const { status, body } = await call(url, 'POST', '/v1/patients', {
    token,
    body: { name, phone_number: `8${Date.now()}${nth}`.slice(-12), phone_country_code: '62', ...more },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.data as { id: string; name: string };
};

const recordOf = async ({ url }: Stage, id: string) =>
  (await call(url, 'GET', `/v1/patients/${id}`, { token: await tokenOf(url, demo.staff) })).body.data;

export const records: readonly Scenario[] = [
  {
    name: 'two records of one patient are merged by keyboard alone, after what would happen was told',
    play: async (stage) => {
      const { url } = stage;
      const own = `${Date.now().toString(36)}${++nth}`;
      const kept = await newRecord(stage, `Wulan Sari ${own}`);
      const twice = await newRecord(stage, `Wulan S ${own}`, { birth_date: '1988-04-02' });
      const practice = await makePractice(url);
      const token = await tokenOf(url, demo.staff);
      const date = new Date(Date.parse(await todayOf(url)) + 2 * 86_400_000).toISOString().slice(0, 10);
      const [slot] = await freeSlots(url, practice, date);
      assert.ok(slot);
      const { id } = await bookFor(url, token, practice, slot, { patient_id: twice.id });

      // The record that stays was open before: it is there at once when the merge leads to it.
      const watched = await enter(stage, demo.staff, `/konsol/pasien/${kept.id}`);
      const { page } = watched;
      await page.getByRole('heading', { level: 1, name: kept.name }).waitFor();
      await page.getByRole('searchbox', { name: 'Cari pasien atau kode' }).fill(twice.name);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: twice.name }).click();
      await page.getByRole('heading', { level: 1, name: twice.name }).waitFor();
      await page.getByText('Kode klaim', { exact: true }).click();
      await page.getByRole('button', { name: 'Buat kode' }).click();
      await page.getByText(/^Berlaku sampai/).waitFor();
      await press(page, 'Gabungkan');
      await type(page, 'Gabungkan ke pasien', kept.name);
      const found = page.getByRole('button', { name: new RegExp(`^${kept.name}`) });
      await found.waitFor();
      await tabTo(page, (await found.innerText()).trim().replace(/\s+/g, ' '));
      await page.keyboard.press('Enter');
      await page.getByText('1 janji dan 0 hubungan keluarga akan pindah.').waitFor();
      await page.getByText(/Diambil dari data ini: .*tanggal lahir/).waitFor();
      await assertAccessible(page, 'before a merge');
      await shoot(stage, page, 'konsol-gabung');
      assert.equal((await recordOf(stage, twice.id)).id, twice.id, 'nothing has happened yet');
      await press(page, 'Gabungkan');
      await page.getByRole('dialog').getByText('Tidak dapat diurungkan.').waitFor();
      await press(page, 'Gabungkan sekarang');
      await page.getByRole('heading', { level: 1, name: kept.name }).waitFor();
      assert.equal(await page.getByText(/^Berlaku sampai/).count(), 0, 'the code was of the other record');
      assert.equal(await page.getByText(`${twice.name} →`).count(), 0);
      assert.equal(await page.getByText(`${kept.name} →`).count(), 0, 'what was asked is over');
      const merged = await recordOf(stage, twice.id);
      assert.deepEqual([merged.id, merged.birth_date], [kept.id, '1988-04-02']);
      const { body } = await call(url, 'GET', `/v1/bookings/${id}`, { token });
      assert.equal(body.data.patient.id, kept.id);
      await page.getByRole('link', { name: /^\S+ 00\.00$/ }).waitFor();
      await assertClean(watched, url);
      await watched.close();
    },
  },
  {
    name: 'two accounts of one person are joined by keyboard alone, once the identity card was checked',
    play: async (stage) => {
      const { url } = stage;
      const kept = await newPatient(url);
      const ends = await newPatient(url);
      const watched = await enter(stage, demo.staff, `/konsol/pasien/${ends.id}`);
      const { page } = watched;
      await page.getByRole('heading', { level: 1, name: ends.name }).waitFor();

      // Both have an e-mail of their own here: what is taken over is put into the answer.
      await page.route('**/merge', async (route) => {
        const answer = await route.fetch();
        const json = await answer.json();
        Object.assign(json.data.accounts, { taken: ['login_phone'], login_phone: '+6281234567890' });
        await route.fulfill({ response: answer, json });
      });
      const choose = async (merge: string, into: string, ending: RegExp) => {
        await press(page, merge);
        await type(page, into, kept.email);
        const found = page.getByRole('button', { name: new RegExp(`^${kept.name}`) });
        await found.waitFor();
        await tabTo(page, (await found.innerText()).trim().replace(/\s+/g, ' '));
        await page.keyboard.press('Enter');
        await page.getByText(ending).waitFor();
      };
      await page.evaluate("localStorage.setItem('bahasa', 'en')");
      await page.reload();
      await page.setViewportSize({ width: 360, height: 740 });
      await choose('Merge', 'Merge into the patient', /^The account of this record ends/);
      await page.getByText('One of the records has no date of birth.').waitFor();
      await page.getByText('to log in: the phone +6281234567890.').waitFor();
      await assertAccessible(page, 'before a join, 360, English');
      await shoot(stage, page, 'konsol-gabung-akun-360-en', true);

      await page.evaluate("localStorage.setItem('bahasa', 'id')");
      await page.reload();
      await page.setViewportSize({ width: 1280, height: 900 });
      await choose('Gabungkan', 'Gabungkan ke pasien', /^Akun data ini berakhir/);
      await page.getByText('Tanggal lahir tidak ada pada salah satu data.').waitFor();
      await page.getByText('untuk masuk: nomor telepon +6281234567890.').waitFor();
      await page.unroute('**/merge');
      await press(page, 'Gabungkan');
      assert.equal(await page.getByRole('dialog').count(), 0, 'the card was not checked yet');
      await page.getByText('Periksa dahulu kartu identitasnya.').waitFor();
      await page.getByLabel(/^Orangnya ada di sini/).focus();
      await page.keyboard.press('Space');
      await assertAccessible(page, 'before a join, 1280');
      await shoot(stage, page, 'konsol-gabung-akun');
      await press(page, 'Gabungkan');
      await page
        .getByRole('dialog')
        .getByText(/Tidak dapat diurungkan\.$/)
        .waitFor();
      await press(page, 'Gabungkan sekarang');
      await page.waitForURL(`**/konsol/pasien/${kept.id}`);
      await page.getByRole('heading', { level: 1, name: kept.name }).waitFor();
      assert.equal((await recordOf(stage, ends.id)).id, kept.id);
      const profile = (token: string) => call(url, 'GET', '/v1/auth/profile', { token });
      assert.deepEqual([(await profile(ends.token)).status, (await profile(kept.token)).status], [401, 200]);
      await assertClean(watched, url);
      await watched.close();
    },
  },
  {
    name: 'two consoles on one record: the second is told who and when, and both changes are kept',
    play: async (stage) => {
      const { id, name } = await newRecord(stage, `Yusuf Dua ${Date.now().toString(36)}${++nth}`);
      const first = await enter(stage, demo.staff, `/konsol/pasien/${id}`);
      const second = await enter(stage, demo.admin, `/konsol/pasien/${id}`);
      for (const { page } of [first, second]) await page.getByText('Perbaiki data').click();
      await second.page.getByLabel('Alamat').fill('Jalan Kenanga 7');
      await first.page.getByLabel('Tanggal lahir').fill('1979-11-30');
      await first.page.getByRole('button', { name: 'Simpan' }).click();
      await first.page.getByText('Data tersimpan.').waitFor();
      await second.page.getByRole('button', { name: 'Simpan' }).click();
      await second.page.getByText(/^Rina .* baru saja mengubah data ini \(\d\d\.\d\d\)/).waitFor();
      assert.equal(await second.page.getByLabel('Alamat').inputValue(), 'Jalan Kenanga 7');
      assert.equal(await second.page.getByLabel('Tanggal lahir').inputValue(), '30/11/1979');
      await assertAccessible(second.page, 'another was first');
      await shoot(stage, second.page, 'konsol-pasien-dua-konsol');
      await second.page.getByRole('button', { name: 'Simpan' }).click();
      await second.page.getByText('Data tersimpan.').waitFor();
      // A third desk's change of the box stays, though the second saves something else.
      const token = await tokenOf(stage.url, demo.staff);
      const { version, numbers_confirmed: was } = await recordOf(stage, id);
      const body = { version, numbers_confirmed: !was };
      assert.equal((await call(stage.url, 'PATCH', `/v1/patients/${id}`, { token, body })).status, 200);
      const box = second.page.getByLabel('Nomor sudah diperiksa dengan kartu aslinya');
      await second.page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      await until(async () => (await box.isChecked()) !== was, 'the box is as the other desk left it');
      await second.page.getByLabel('Catatan klinik').fill('Alergi debu');
      await second.page.getByRole('button', { name: 'Simpan' }).click();
      await until(async () => (await recordOf(stage, id)).staff_notes === 'Alergi debu', 'it is saved');
      const kept = await recordOf(stage, id);
      assert.equal(kept.numbers_confirmed, !was);
      assert.deepEqual([kept.name, kept.birth_date, kept.address], [name, '1979-11-30', 'Jalan Kenanga 7']);
      await assertClean(first, stage.url);
      await assertClean(second, stage.url, [failedWith(409)]);
      await first.close();
      await second.close();
    },
  },
  {
    name: 'two admins on one doctor: the second is told who and when, nothing typed is lost, and it is saved then',
    play: async (stage) => {
      const { url } = stage;
      const { name, doctor } = await makePractice(url);
      const token = await tokenOf(url, demo.admin);
      const watched = await enter(stage, demo.admin, '/konsol/dokter');
      const { page } = watched;
      await press(page, `Ubah dr. ${name}`);
      await type(page, 'Spesialisasi', 'Mata');
      const path = `/v1/admin/doctors/${doctor}`;
      const other = await call(url, 'PATCH', path, { token, body: { title: 'Prof.' } });
      assert.equal(other.status, 200);
      await page.keyboard.press('Enter');
      await page.getByText(/baru saja mengubah data ini \(\d\d\.\d\d\)/).waitFor();
      assert.equal(await page.getByLabel('Gelar').inputValue(), 'Prof.');
      assert.equal(await page.getByLabel('Spesialisasi').inputValue(), 'Mata');
      await press(page, 'Simpan');
      await page.getByRole('row', { name: new RegExp(`Prof. ${name} Mata`) }).waitFor();
      const { title, specialty } = (await call(url, 'GET', path, { token })).body.data;
      assert.deepEqual([title, specialty], ['Prof.', 'Mata']);

      await page.getByRole('button', { name: `Nonaktifkan: Prof. ${name}` }).click();
      await page.getByRole('dialog').waitFor();
      await call(url, 'PATCH', path, { token, body: { title: 'dr.' } });
      await page.getByRole('dialog').getByRole('button', { name: 'Nonaktifkan' }).click();
      await page
        .getByRole('dialog')
        .getByText(/baru saja mengubah data ini/)
        .waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Nonaktifkan' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal((await call(url, 'GET', path, { token })).body.data.active, false);
      await assertClean(watched, url, [failedWith(409)]);
      await watched.close();
    },
  },
];
