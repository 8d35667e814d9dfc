import assert from 'node:assert/strict';
import { loseFirstAnswer } from '../support/answers.ts';
import { assertAccessible, assertClean, failedWith } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice, type Practice } from '../support/clinic.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { desk, openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { choose, confirm, press, set, type } from './keyboard.ts';
import { enter, logInOn, todayOf, untilThere } from './steps.ts';

interface Found {
  id: string;
  status: string;
  schedule_date: string;
  cancellation: { reason_code: string } | null;
}

/** A doctor with bookings on one date to come. */
const bookedDay = async ({ url }: Stage, count: number, daysAhead: number) => {
  const practice = await makePractice(url);
  const date = new Date(Date.parse(await todayOf(url)) + daysAhead * 86_400_000).toISOString().slice(0, 10);
  const slots = await freeSlots(url, practice, date);
  const ids: string[] = [];
  for (const slot of slots.slice(4, 4 + count)) {
    const { token } = await newPatient(url);
    ids.push((await bookFor(url, token, practice, slot)).id);
  }
  return { practice, date, ids };
};

const nowOf = async ({ url }: Stage, ids: readonly string[]): Promise<Found[]> => {
  const token = await tokenOf(url, demo.staff);
  return Promise.all(
    ids.map(async (id) => (await call(url, 'GET', `/v1/bookings/${id}`, { token })).body.data as Found),
  );
};

const closuresOf = async ({ url }: Stage, { doctor }: Practice) => {
  const token = await tokenOf(url, demo.admin);
  const path = `/v1/admin/closures?doctor_id=${doctor}&kind=leave`;
  return (await call(url, 'GET', path, { token })).body.data as { name: string; start_date: string }[];
};

export const closures: readonly Scenario[] = [
  {
    name: 'leave is made by keyboard alone: who lies under it is told before, and moved in one go',
    play: async (stage) => {
      const { practice, date, ids } = await bookedDay(stage, 3, 3);
      const watched = await enter(stage, demo.staff, '/konsol/tutup');
      const { page } = watched;
      const name = `Seminar ${practice.name}`;
      await press(page, 'Tambah cuti atau libur');
      await choose(page, 'Untuk', `dr. ${practice.name}`);
      await type(page, 'Keterangan', name);
      await set(page, 'Dari tanggal', date);
      await page.getByText('3 janji akan terkena:').waitFor();
      await assertAccessible(page, 'leave, before it is saved');
      await shoot(stage, page, 'konsol-tutup-sebelum');
      await press(page, 'Simpan penutupan');
      await page.getByText('3 janji terkena:').waitFor();
      assert.deepEqual(await closuresOf(stage, practice).then((all) => all.map((one) => one.start_date)), [
        date,
      ]);
      await press(page, 'Pindahkan semua');
      await page.getByText('3 dipindahkan.').waitFor();
      await page.getByText('Tidak ada lagi janji yang terkena.').waitFor();
      await assertAccessible(page, 'leave, after its bookings were moved');
      await shoot(stage, page, 'konsol-tutup-dipindahkan');
      for (const one of await nowOf(stage, ids)) {
        assert.notEqual(one.schedule_date, date);
        assert.equal(one.status, 'waiting');
      }
      await press(page, `Hapus: ${name}`);
      await confirm(page, 'Hapus');
      await page.getByRole('button', { name: `Hapus: ${name}` }).waitFor({ state: 'hidden' });
      assert.deepEqual(await closuresOf(stage, practice), []);
      // The pressed element is gone: the title has the focus.
      await untilThere(page, `document.activeElement?.matches('h1')`);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'before leave is saved, what merely overlaps its hours counts too, over many months as well',
    play: async (stage) => {
      const { practice, date } = await bookedDay(stage, 1, 5);
      const watched = await enter(stage, demo.admin, '/konsol/tutup');
      const { page } = watched;
      await page.getByRole('button', { name: 'Tambah cuti atau libur' }).first().click();
      await page.getByLabel('Untuk').selectOption({ label: `dr. ${practice.name}` });
      await page.getByLabel('Dari tanggal').fill(date);
      // The booking is from two to half past two.
      await page.getByLabel('Dari jam').fill('02:15');
      await page.getByLabel('Sampai jam').fill('03:00');
      await page.getByText('1 janji akan terkena:').waitFor();
      await page.getByLabel('Dari jam').fill('02:30');
      await page.getByText('Tidak ada janji yang terkena.').waitFor();
      await page.getByLabel('Dari jam').fill('02:00');
      await page.getByLabel('Sampai tanggal').fill(clinicDate(200));
      await page.getByText('1 janji akan terkena:').waitFor();
      await page.getByLabel('Sampai tanggal').fill(clinicDate(4));
      await page.getByText('Tanggal akhir mendahului tanggal awal.').waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a doctor without a booking closes the own days, and is offered nobody else',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const token = await tokenOf(stage.url, demo.admin);
      const email = `dokter-${Date.now().toString(36)}@klinik.example`;
      const password = 'kopi-susu-pagi-7';
      const body = { name: practice.name, email, password, role: 'doctor', doctor_id: practice.doctor };
      const made = await call(stage.url, 'POST', '/v1/admin/people', { token, body });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const watched = await openPage(stage, { viewport: desk });
      const { page } = watched;
      await page.goto(`${stage.url}/konsol/tutup`);
      await logInOn(page, email, password);
      await page.getByRole('button', { name: 'Tambah cuti atau libur' }).first().click();
      await page.getByLabel('Untuk').getByText(practice.name).waitFor({ state: 'attached' });
      assert.deepEqual(await page.getByLabel('Untuk').locator('option').allInnerTexts(), [
        `dr. ${practice.name}`,
      ]);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'what lies under leave is canceled in one go, after a question, with the pointer',
    play: async (stage) => {
      const { practice, date, ids } = await bookedDay(stage, 2, 4);
      const watched = await enter(stage, demo.admin, '/konsol/tutup');
      const { page } = watched;
      await page.getByRole('button', { name: 'Tambah cuti atau libur' }).first().click();
      await page.getByLabel('Untuk').selectOption({ label: `dr. ${practice.name}` });
      await page.getByLabel('Keterangan').fill(`Cuti ${practice.name}`);
      await page.keyboard.press('Escape');
      await page.getByText('Isian belum disimpan.').waitFor();
      await page.getByLabel('Dari tanggal').fill(date);
      await page.getByRole('button', { name: 'Simpan penutupan' }).click();
      await page.getByRole('button', { name: 'Batalkan semua' }).click();
      const dialog = page.getByRole('dialog', { name: 'Batalkan 2 janji?' });
      await dialog.getByRole('button', { name: 'Batal', exact: true }).click();
      assert.deepEqual(
        (await nowOf(stage, ids)).map(({ status }) => status),
        ['waiting', 'waiting'],
      );
      await page.getByRole('button', { name: 'Batalkan semua' }).click();
      await dialog.getByRole('button', { name: 'Batalkan semua' }).click();
      await page.getByText('2 dibatalkan.').waitFor();
      for (const one of await nowOf(stage, ids)) {
        assert.equal(one.status, 'canceled');
        assert.equal(one.cancellation?.reason_code, 'closure');
      }
      await page.goto(`${stage.url}/konsol/?tanggal=${date}&janji=${ids[0]}`);
      await page.getByRole('complementary').getByText('Karena dokter cuti atau klinik tutup.').waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'leave and a key whose answer was lost: the leave is made once, and the key is told to be in the list',
    play: async (stage) => {
      const { practice, date, ids } = await bookedDay(stage, 2, 5);
      const watched = await enter(stage, demo.admin, '/konsol/tutup');
      const { page } = watched;
      const unreached = page.getByText(/^Layanan tidak dapat dihubungi/);
      await page.getByRole('button', { name: 'Tambah cuti atau libur' }).first().click();
      await page.getByLabel('Untuk').selectOption({ label: `dr. ${practice.name}` });
      await page.getByLabel('Keterangan').fill(`Cuti ${practice.name}`);
      await page.getByLabel('Dari tanggal').fill(date);
      const save = page.getByRole('button', { name: 'Simpan penutupan' });
      await page.getByText('2 janji akan terkena:').waitFor();
      await loseFirstAnswer(page, '**/v1/admin/closures');
      await save.click();
      await unreached.waitFor();
      await save.click();
      await page.getByText('2 janji terkena:').waitFor();
      assert.equal((await closuresOf(stage, practice)).length, 1);

      await loseFirstAnswer(page, '**/resolve');
      await page.getByRole('button', { name: 'Pindahkan semua' }).click();
      await page.getByText('Tidak ada lagi janji yang terkena.').waitFor();
      await page.getByText('2 dari 2 selesai').waitFor();
      assert.equal(await unreached.count(), 0, 'nothing is left to be tried again');
      for (const one of await nowOf(stage, ids)) assert.notEqual(one.schedule_date, date);

      await page.goto(`${stage.url}/konsol/kunci`);
      const name = `Kasir ${practice.name}`;
      await page.getByRole('banner').getByRole('button', { name: 'Buat kunci' }).click();
      const panel = page.getByRole('complementary');
      await panel.getByLabel('Nama').fill(name);
      await panel.getByRole('checkbox').first().check();
      const make = panel.getByRole('button', { name: 'Simpan' });
      await loseFirstAnswer(page, '**/v1/admin/api-keys');
      await make.click();
      await unreached.waitFor();
      await make.click();
      await panel.getByText(/^Permintaan ini sudah dikerjakan/).waitFor();
      await page.getByRole('main').getByText(name).waitFor();
      await assertClean(watched, stage.url, [failedWith(409), /ERR_CONNECTION_RESET/]);
      await watched.close();
    },
  },
  {
    name: 'public holidays of a year are ticked and added in one go, joint leave is chosen, and what stands is shown',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/tutup');
      const { page } = watched;
      await page.getByRole('button', { name: 'Hari libur nasional' }).click();
      const panel = page.getByRole('complementary', { name: 'Hari libur nasional' });
      const year = String(Number(clinicDate(0).slice(0, 4)) + 1);
      await panel.getByLabel('Tahun').selectOption(year);
      const ticked = panel.getByRole('checkbox', { checked: true });
      await panel.getByText('Proklamasi Kemerdekaan').first().waitFor();
      assert.ok((await ticked.count()) > 15);
      assert.equal(await panel.getByRole('checkbox', { name: /Cuti bersama/, checked: true }).count(), 0);
      await page.setViewportSize({ width: 360, height: 740 });
      await shoot(stage, page, 'konsol-hari-libur-360');
      await page.setViewportSize({ width: 1280, height: 800 });
      await shoot(stage, page, 'konsol-hari-libur-1280');
      // One day alone is added: the others of these scenarios book in the weeks to come.
      for (const day of await panel.getByRole('checkbox').all()) await day.uncheck();
      const proclaimed = panel.getByRole('checkbox', { name: /: Proklamasi Kemerdekaan$/ });
      await proclaimed.check();
      await panel.getByRole('button', { name: 'Tambahkan 1 hari' }).click();
      await panel.getByText('1 hari libur ditambahkan.').waitFor();
      await panel
        .getByRole('checkbox', { name: /: Proklamasi Kemerdekaan \(sudah ada\)$/, disabled: true })
        .waitFor();
      await page.getByRole('cell', { name: 'Proklamasi Kemerdekaan', exact: true }).waitFor();
      const token = await tokenOf(stage.url, demo.admin);
      const { body } = await call(stage.url, 'GET', `/v1/admin/closures?kind=holiday&from=${year}-08-17`, {
        token,
      });
      const [made] = body.data;
      assert.equal(made.name, 'Proklamasi Kemerdekaan');
      await call(stage.url, 'DELETE', `/v1/admin/closures/${made.id}`, { token });
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
