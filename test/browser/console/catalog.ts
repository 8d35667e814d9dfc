import assert from 'node:assert/strict';
import { assertAccessible, assertClean, failedWith } from '../support/checks.ts';
import { makePractice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { type Scenario, type Stage, shoot } from '../support/stage.ts';
import { choose, confirm, press, set, tabTo, type } from './keyboard.ts';
import { enter } from './steps.ts';

let nth = 0;
const unique = (name: string): string => `${name} ${Date.now().toString(36)}${++nth}`;

const listed = async ({ url }: Stage, path: string, token: string) => {
  const { status, body } = await call(url, 'GET', `/v1/${path}?limit=100`, { token });
  assert.equal(status, 200);
  return body.data as { id: string; name: string; active: boolean; [field: string]: unknown }[];
};

export const catalog: readonly Scenario[] = [
  {
    name: 'a doctor is added, changed, retired and taken back by keyboard alone',
    play: async (stage) => {
      const token = await tokenOf(stage.url, demo.admin);
      const watched = await enter(stage, demo.admin, '/konsol/dokter');
      const { page } = watched;
      await page.getByRole('table').first().waitFor();
      const name = unique('Citra Ayu');
      const find = async () => (await listed(stage, 'admin/doctors', token)).find((one) => one.name === name);
      await press(page, 'Tambah dokter');
      await type(page, 'Gelar', 'dr.');
      await type(page, 'Nama', name);
      await type(page, 'Spesialisasi', 'Anak');
      await page.keyboard.press('Enter');
      await page.getByRole('rowheader', { name: `dr. ${name}` }).waitFor();
      const made = await find();
      assert.deepEqual([made?.title, made?.specialty], ['dr.', 'Anak']);

      await press(page, `Ubah dr. ${name}`);
      await type(page, 'Spesialisasi', 'Kulit');
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: new RegExp(`${name}.*Kulit`) }).waitFor();
      assert.equal((await find())?.specialty, 'Kulit');

      await press(page, `Nonaktifkan: dr. ${name}`);
      await confirm(page, 'Nonaktifkan');
      await page.getByRole('row', { name: new RegExp(name) }).waitFor({ state: 'hidden' });
      assert.equal((await find())?.active, false);
      const open = await call(stage.url, 'GET', `/v1/doctors?q=${encodeURIComponent(name)}`);
      assert.equal(open.body.data.length, 0, 'whoever is retired cannot be booked');

      await page.locator('details > summary', { hasText: /^Nonaktif \(/ }).focus();
      await page.keyboard.press('Enter');
      await press(page, `Aktifkan lagi: dr. ${name}`);
      await page.getByRole('button', { name: `Ubah dr. ${name}` }).waitFor();
      assert.equal((await find())?.active, true);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'what is typed beside a list stays when another row, a link or the way back is pressed, and says so, by keyboard',
    isOfNode: true,
    play: async (stage) => {
      const [one, other] = [await makePractice(stage.url), await makePractice(stage.url)];
      const watched = await enter(stage, demo.admin, '/konsol/layanan');
      const { page } = watched;
      await press(page, 'Dokter');
      await page.getByRole('button', { name: `Ubah dr. ${one.name}` }).waitFor();
      await press(page, `Ubah dr. ${one.name}`);
      await type(page, 'Spesialisasi', 'Kulit dan kelamin');
      const stays = async () => {
        const panel = page.getByRole('complementary', { name: `Ubah dr. ${one.name}` });
        await panel.getByText('Isian belum disimpan.').waitFor();
        assert.equal(await panel.getByLabel('Spesialisasi').inputValue(), 'Kulit dan kelamin');
      };
      await press(page, `Ubah dr. ${other.name}`);
      await stays();
      await press(page, 'Tambah dokter');
      await stays();
      await page.evaluate('history.back()');
      await stays();
      // The menu, the walk-in by its key, and the search for a patient.
      await press(page, 'Layanan');
      await stays();
      await page.keyboard.press('Control+b');
      await stays();
      await page.getByRole('searchbox', { name: 'Cari pasien atau kode' }).fill('Sari');
      await page.keyboard.press('Enter');
      await stays();
      assert.match(page.url(), /\/konsol\/dokter$/);
      await shoot(stage, page, 'konsol-dokter-belum-disimpan');
      // Its own button closes it all the same, and then the others open.
      await press(page, 'Tutup');
      await press(page, `Ubah dr. ${other.name}`);
      await page.getByRole('complementary', { name: `Ubah dr. ${other.name}` }).waitFor();
      await page.evaluate('history.back()');
      await page.waitForURL(/\/konsol\/layanan$/);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'what is typed on a page of one form stays when a link or the way back is pressed, and says so; pressed again it leads on',
    isOfNode: true,
    play: async (stage) => {
      const { doctor, name } = await makePractice(stage.url);
      const watched = await enter(stage, demo.admin, '/konsol/layanan');
      const { page } = watched;
      const warning = page.getByText('Isian belum disimpan. Untuk pergi tanpa menyimpan, tekan sekali lagi.');
      for (const [from, link, path, label] of [
        ['Layanan', 'Klinik', '/konsol/klinik', 'Alamat (opsional)'],
        ['Dokter', `Halaman dr. ${name}`, `/konsol/dokter/${doctor}/halaman`, 'Tentang dokter'],
        ['Layanan', 'Datang langsung', '/konsol/datang', 'Keluhan singkat'],
      ] as const) {
        await press(page, from);
        await page.getByRole('link', { name: link }).focus();
        await page.keyboard.press('Enter');
        await page.waitForURL(`**${path}`);
        const field = page.getByLabel(label);
        await field.fill('Jalan Melati 5');
        await press(page, 'Layanan');
        await warning.waitFor();
        // Also where the form is longer than the window.
        const box = await warning.boundingBox();
        const height = page.viewportSize()?.height ?? 0;
        assert.ok(box !== null && box.y >= 0 && box.y + box.height <= height, path);
        assert.equal(await field.inputValue(), 'Jalan Melati 5');
        // Typed again, it is asked again.
        await field.fill('Jalan Melati 7');
        await warning.waitFor({ state: 'detached' });
        await page.evaluate('history.back()');
        await warning.waitFor();
        assert.equal(await field.inputValue(), 'Jalan Melati 7');
        assert.equal(new URL(page.url()).pathname, path);
        await assertAccessibleInAllLooks(page, `konsol, not saved yet: ${label}`);
        await shoot(stage, page, `konsol-belum-disimpan-${label}`);
        await press(page, 'Layanan');
        await page.waitForURL(/\/layanan$/);
      }
      // What is saved, or as it was, asks nothing.
      await page.goto(`${stage.url}/konsol/klinik`);
      const field = page.getByLabel('Alamat (opsional)');
      const before = await field.inputValue();
      await field.fill(`${before}!`);
      await field.fill(before);
      await press(page, 'Layanan');
      await page.waitForURL(/\/layanan$/);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a session is added, changed and retired with the pointer; what is wrong is told at its field',
    play: async (stage) => {
      const token = await tokenOf(stage.url, demo.admin);
      const watched = await enter(stage, demo.admin, '/konsol/layanan');
      const { page } = watched;
      const name = unique('Kontrol');
      const find = async () =>
        (await listed(stage, 'admin/sessions', token)).find((one) => one.name === name);
      await page.getByRole('button', { name: 'Tambah layanan' }).click();
      const field = page.getByLabel('Nama layanan');
      await field.fill('x'.repeat(150));
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.locator('[aria-invalid="true"]').waitFor();
      await assertAccessible(page, 'a field with its error');
      await shoot(stage, page, 'konsol-layanan-galat');
      await field.fill(name);
      await page.getByLabel('Persetujuan').selectOption('automatic');
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.getByRole('rowheader', { name }).waitFor();
      assert.equal((await find())?.approval, 'automatic');
      await page.getByRole('button', { name: `Ubah ${name}` }).click();
      await page.getByLabel('Persetujuan').selectOption('manual');
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.getByRole('row', { name: new RegExp(`${name} Oleh klinik`) }).waitFor();
      await page.getByRole('button', { name: `Nonaktifkan: ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Nonaktifkan' }).click();
      await page.getByRole('button', { name: `Ubah ${name}` }).waitFor({ state: 'hidden' });
      const retired = await find();
      assert.deepEqual([retired?.approval, retired?.active], ['manual', false]);
      await assertClean(watched, stage.url, [failedWith(422)]);
      await watched.close();
    },
  },
  {
    name: 'a week is made and changed by keyboard alone; a clash is told, and what was typed stays',
    play: async (stage) => {
      const token = await tokenOf(stage.url, demo.admin);
      const made = await call(stage.url, 'POST', '/v1/admin/doctors', {
        token,
        body: { name: unique('Dimas'), title: 'dr.', specialty: 'Umum' },
      });
      const { sessionName } = await makePractice(stage.url);
      const doctor = made.body.data.id as string;
      const week = async () =>
        (await call(stage.url, 'GET', `/v1/admin/schedules?doctor_id=${doctor}&limit=100`, { token })).body
          .data as { weekday: number; start_time: string; capacity: number; active: boolean }[];
      const watched = await enter(stage, demo.admin, `/konsol/jadwal?dokter=${doctor}`);
      const { page } = watched;
      await press(page, 'Tambah jadwal: Selasa');
      await choose(page, 'Layanan', sessionName);
      await set(page, 'Mulai', '09:00');
      await set(page, 'Selesai', '11:00');
      await type(page, 'Kursi per slot', '2');
      await page.getByText('4 slot, 8 kursi per minggu', { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      const entry = page.getByRole('button', { name: /09\.00–11\.00/ });
      await entry.waitFor();
      assert.deepEqual(
        (await week()).map(({ weekday, start_time, capacity }) => [weekday, start_time, capacity]),
        [[2, '09:00:00', 2]],
      );

      await press(page, 'Tambah jadwal: Selasa');
      await choose(page, 'Layanan', sessionName);
      await set(page, 'Mulai', '10:00');
      await set(page, 'Selesai', '12:00');
      await tabTo(page, 'Simpan');
      await page.keyboard.press('Enter');
      await page.getByText('Dokter sudah memiliki jadwal lain pada jam tersebut.').first().waitFor();
      assert.equal(await page.getByLabel('Mulai', { exact: true }).getAttribute('aria-invalid'), 'true');
      assert.equal(await page.getByLabel('Selesai', { exact: true }).inputValue(), '12.00');
      await assertAccessible(page, 'a clash of schedules');
      await shoot(stage, page, 'konsol-jadwal-bentrok');
      assert.equal((await week()).length, 1);
      await set(page, 'Mulai', '11:00');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /11\.00–12\.00/ }).waitFor();

      await entry.focus();
      await page.keyboard.press('Enter');
      await type(page, 'Kursi per slot', '3');
      await page.keyboard.press('Enter');
      await entry.filter({ hasText: '3 kursi' }).waitFor();
      await page.getByRole('button', { name: /11\.00–12\.00/ }).focus();
      await page.keyboard.press('Enter');
      await press(page, 'Nonaktifkan');
      await confirm(page, 'Nonaktifkan');
      await page.getByRole('button', { name: /11\.00–12\.00/ }).waitFor({ state: 'hidden' });
      const kept = (await week()).map(({ start_time, capacity, active }) => [start_time, capacity, active]);
      assert.deepEqual(kept.sort(), [
        ['09:00:00', 3, true],
        ['11:00:00', 1, false],
      ]);
      await assertClean(watched, stage.url, [failedWith(409)]);
      await watched.close();
    },
  },
  {
    // The page itself disables it, whatever the service answers.
    isOfNode: true,
    name: 'a schedule that is opened while another one is being saved stays open',
    play: async (stage) => {
      const { doctor } = await makePractice(stage.url);
      const watched = await enter(stage, demo.admin, `/konsol/jadwal?dokter=${doctor}`);
      const { page } = watched;
      const ofDay = (day: string) => page.getByRole('button', { name: new RegExp(`^Ubah jadwal, ${day}`) });
      const seats = page.getByLabel('Kursi per slot');
      await ofDay('Senin').click();
      await seats.fill('5');
      const held = Promise.withResolvers<void>();
      await page.route('**/v1/admin/schedules?*', async (route) => {
        await held.promise;
        await route.continue();
      });
      const reread = page.waitForRequest('**/v1/admin/schedules?*');
      await page.getByRole('button', { name: 'Simpan' }).click();
      await reread;
      await ofDay('Selasa').click();
      held.resolve();
      await ofDay('Senin').filter({ hasText: '5 kursi' }).waitFor();
      await page.waitForLoadState('networkidle');
      assert.equal(await seats.inputValue(), '1');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
