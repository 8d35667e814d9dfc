import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openAs } from '../patient/steps.ts';
import { assertClean, assertReflowsWhenLarge, failedWith, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { desk, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { choose, press, type } from './keyboard.ts';
import { enter, rowOf } from './steps.ts';

/** Waits until the field with this label has the focus. */
const untilTyping = (page: Page, label: string): Promise<void> =>
  untilHolds(page, `document.activeElement?.labels?.[0]?.innerText.trim() === ${JSON.stringify(label)}`);

const asked = async ({ url }: Stage, session: string) => {
  const token = await tokenOf(url, demo.admin);
  return (await call(url, 'GET', `/v1/admin/sessions/${session}`, { token })).body.data.questions as {
    type: string;
    label: string;
    required: boolean;
    new_patients_only: boolean;
    options: string[];
  }[];
};

export const questions: readonly Scenario[] = [
  {
    name: 'questions before the visit are written, moved and removed by keyboard alone; the patient answers on the ticket, desk and doctor read it',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 3, 'automatic');
      const console_ = await enter(stage, demo.admin, '/konsol/layanan');
      const { page } = console_;
      await page.getByRole('table').first().waitFor();
      await press(page, `Ubah ${practice.sessionName}`);
      await press(page, 'Tambah pertanyaan');
      await untilTyping(page, 'Pertanyaan');
      await page.keyboard.type('Apakah Anda alergi terhadap obat?');
      // Past the kind of the answer to the box below it.
      for (const key of ['Tab', 'Tab', 'Space']) await page.keyboard.press(key);
      assert.ok(await page.getByLabel('Wajib dijawab').isChecked());
      await press(page, 'Tambah pertanyaan');
      await page.keyboard.type('Dari mana Anda tahu klinik ini?');
      await choose(page, 'Jenis jawaban', 'Pilihan');
      await type(page, 'Pilihan', 'Teman\nInternet');
      await press(page, 'Tambah pertanyaan');
      await page.keyboard.type('Salah ketik');
      await press(page, 'Tambah pertanyaan');
      await page.keyboard.type('Kapan terakhir kali Anda sakit?');
      await choose(page, 'Jenis jawaban', 'Tanggal');
      await press(page, 'Naik: Pertanyaan 4');
      await press(page, 'Hapus: Pertanyaan 4');
      await press(page, 'Naik: Pertanyaan 3');
      await assertAccessibleInAllLooks(page, 'the questions of a session');
      await shoot(stage, page, 'konsol-pertanyaan', true);
      await press(page, 'Simpan');
      await page.getByRole('button', { name: 'Tambah pertanyaan' }).waitFor({ state: 'detached' });
      const kept = await asked(stage, practice.session);
      assert.deepEqual(
        kept.map(({ label, type: kind, required }) => [label, kind, required]),
        [
          ['Apakah Anda alergi terhadap obat?', 'text', true],
          ['Kapan terakhir kali Anda sakit?', 'date', false],
          ['Dari mana Anda tahu klinik ini?', 'choice', false],
        ],
      );
      assert.deepEqual(kept[2]?.options, ['Teman', 'Internet']);

      const person = await newPatient(stage.url);
      const [slot] = await freeSlots(stage.url, practice, clinicDate(1));
      assert.ok(slot !== undefined);
      const { id } = await bookFor(stage.url, person.token, practice, slot);
      const ticket = await openAs(stage, person);
      await ticket.page.getByRole('link', { name: 'Jawab 1 pertanyaan sebelum kunjungan' }).click();
      await ticket.page.getByText('1 pertanyaan wajib belum dijawab').waitFor();
      await ticket.page.getByRole('button', { name: 'Simpan jawaban' }).click();
      // Nothing is lost: the form says at its field what is missing, and goes there.
      await ticket.page.getByText('Wajib dijawab.', { exact: true }).waitFor();
      await untilTyping(ticket.page, 'Apakah Anda alergi terhadap obat?');
      await assertAccessibleInAllLooks(ticket.page, 'a question that is not answered');
      await ticket.page.keyboard.type('<b>Penisilin</b>');
      await ticket.page.getByLabel('Dari mana Anda tahu klinik ini?').selectOption('Internet');
      // A date that is none is not sent as no answer.
      const ill = ticket.page.getByLabel('Kapan terakhir kali Anda sakit?');
      await ill.fill('31/02/2026');
      await ill.press('Enter');
      await ticket.page.getByText('Tanggal ini tidak ada di kalender.').waitFor();
      await untilTyping(ticket.page, 'Kapan terakhir kali Anda sakit? (opsional)');
      const path = `/v1/bookings/${id}/answers`;
      const before = await call(stage.url, 'GET', path, { token: person.token });
      assert.deepEqual(before.body.data.answers, []);
      await ill.fill('28/02/2026');
      await ticket.page.getByRole('button', { name: 'Simpan jawaban' }).click();
      await ticket.page.getByText('Jawaban tersimpan.').first().waitFor();
      await ticket.page.getByText('Semua pertanyaan wajib sudah dijawab.').waitFor();
      await shoot(stage, ticket.page, 'pasien-pertanyaan', true);
      await assertReflowsWhenLarge(ticket.page, 'the questions on the ticket');
      await assertClean(ticket, stage.url);
      await ticket.close();

      const answered = await call(stage.url, 'GET', path, { token: person.token });
      assert.deepEqual(
        answered.body.data.answers.map(({ value }: { value: string }) => value),
        ['<b>Penisilin</b>', '2026-02-28', 'Internet'],
      );
      await page.goto(`${stage.url}/konsol/?tanggal=${slot.schedule_date}`);
      await rowOf(page, { id }).getByRole('button', { name: 'Siti Rahayu' }).click();
      const panel = page.getByRole('complementary');
      await panel.getByText('<b>Penisilin</b>').waitFor();
      await panel.getByText('Apakah Anda alergi terhadap obat?').waitFor();
      await assertAccessibleInAllLooks(page, 'the answers at the desk');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-jawaban');
      await assertClean(console_, stage.url);
      await console_.close();
    },
  },
  {
    name: 'a day shows whose questions are not answered yet, in both languages',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 3, 'automatic');
      const token = await tokenOf(stage.url, demo.admin);
      const body = {
        questions: [
          { id: 'alergi', type: 'yes_no', label: 'Alergi obat?', required: true },
          { id: 'suhu', type: 'number', label: 'Suhu badan?', required: true },
        ],
      };
      await call(stage.url, 'PATCH', `/v1/admin/sessions/${practice.session}`, { token, body });
      const person = await newPatient(stage.url);
      const [slot] = await freeSlots(stage.url, practice, clinicDate(1));
      assert.ok(slot !== undefined);
      const { id } = await bookFor(stage.url, person.token, practice, slot);
      const watched = await enter(stage, demo.staff, `/konsol/?tanggal=${slot.schedule_date}`);
      const { page } = watched;
      await rowOf(page, { id }).getByText('2 pertanyaan belum dijawab').waitFor();
      await rowOf(page, { id }).getByRole('button', { name: 'Siti Rahayu' }).click();
      await page.getByRole('complementary').getByText('2 pertanyaan wajib belum dijawab:').waitFor();
      await assertAccessibleInAllLooks(page, 'a day with questions');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-belum-dijawab');
      await assertClean(watched, stage.url);
      await watched.close();

      const english = await openAs(stage, person, `tiket/${id}`);
      await english.page.evaluate(`localStorage.setItem('bahasa', 'en')`);
      await english.page.reload();
      await english.page.getByRole('heading', { name: 'Questions before the visit' }).waitFor();
      await english.page.getByLabel('Alergi obat?').selectOption('No');
      await english.page.getByLabel('Suhu badan?').fill('tinggi');
      await english.page.getByRole('button', { name: 'Save answers' }).click();
      await english.page.getByText('Must be a number, such as 36.5.').first().waitFor();
      await english.page.getByLabel('Suhu badan?').fill('36,5');
      await english.page.getByRole('button', { name: 'Save answers' }).click();
      await english.page.getByText('All required questions are answered.').waitFor();
      await assertAccessibleInAllLooks(english.page, 'answered questions in English');
      await shoot(stage, english.page, 'pasien-pertanyaan-en', true);
      await english.close();
    },
  },
  {
    name: 'the desk fills in and corrects answers for a patient on the telephone, by keyboard; what the patient answers meanwhile is not written over',
    play: async (stage) => {
      const { url } = stage;
      const practice = await makePractice(url, 3, 'automatic');
      const body = {
        questions: [
          { id: 'alergi', type: 'yes_no', label: 'Alergi obat?', required: true },
          { id: 'suhu', type: 'number', label: 'Suhu badan?', required: true },
          { id: 'sejak', type: 'date', label: 'Sakit sejak kapan?', required: false },
        ],
      };
      const admin = await tokenOf(url, demo.admin);
      await call(url, 'PATCH', `/v1/admin/sessions/${practice.session}`, { token: admin, body });
      const person = await newPatient(url);
      const [slot] = await freeSlots(url, practice, clinicDate(1));
      assert.ok(slot !== undefined);
      const { id } = await bookFor(url, person.token, practice, slot);
      const kept = async () => {
        const { data } = (await call(url, 'GET', `/v1/bookings/${id}/answers`, { token: person.token })).body;
        return data.answers.map(({ value, by }: { value: string; by: string }) => `${value} ${by}`);
      };
      const watched = await enter(stage, demo.staff, `/konsol/?tanggal=${slot.schedule_date}&janji=${id}`);
      const { page } = watched;
      const panel = page.getByRole('complementary');
      await panel.getByText('2 pertanyaan wajib belum dijawab:').waitFor();
      await press(page, 'Isi jawaban');
      await untilTyping(page, 'Alergi obat?');
      await choose(page, 'Alergi obat?', 'Ya');
      await type(page, 'Suhu badan?', 'tinggi');
      await press(page, 'Simpan jawaban');
      await panel.getByText('Harus berupa angka, misalnya 36,5.').first().waitFor();
      await assertAccessibleInAllLooks(page, 'the desk’s form for answers');
      await assertReflowsWhenLarge(page, 'the desk’s form for answers');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-isi-jawaban');
      await page.setViewportSize(phone);
      await shoot(stage, page, 'konsol-isi-jawaban-sempit', true);
      await page.setViewportSize(desk);
      await panel.getByLabel('Suhu badan?').fill('37,5');
      const since = panel.getByLabel('Sakit sejak kapan?');
      await since.fill('31/11/2026');
      await since.press('Enter');
      await panel.getByText('Tanggal ini tidak ada di kalender.').waitFor();
      assert.equal(await panel.getByText('Jawaban tersimpan.').count(), 0);
      await since.fill('');
      // Another change of the booking is no reason to ask again.
      const staff = await tokenOf(url, demo.staff);
      await call(url, 'PATCH', `/v1/bookings/${id}`, { token: staff, body: { staff_notes: 'Menelepon.' } });
      await press(page, 'Simpan jawaban');
      await panel.getByText('Jawaban tersimpan.').waitFor();
      await untilHolds(page, `document.activeElement?.innerText === 'Ubah jawaban'`);
      assert.equal(await panel.getByText('ditulis klinik').count(), 2);
      await panel.getByText('37,5').waitFor();
      assert.deepEqual(await kept(), ['yes clinic', '37.5 clinic']);
      await rowOf(page, { id }).waitFor();
      assert.equal(await rowOf(page, { id }).getByText('belum dijawab').count(), 0);

      await press(page, 'Ubah jawaban');
      await choose(page, 'Alergi obat?', 'Tidak');
      const answers = [
        { id: 'alergi', value: 'yes' },
        { id: 'suhu', value: '39' },
      ];
      const put = await call(url, 'PUT', `/v1/bookings/${id}/answers`, {
        token: person.token,
        body: { answers },
      });
      assert.equal(put.status, 200, JSON.stringify(put.body));
      await press(page, 'Simpan jawaban');
      await panel.getByText('Jawaban ini diubah lebih dulu oleh orang lain.').waitFor();
      assert.equal(await panel.getByLabel('Suhu badan?').inputValue(), '39');
      await assertAccessibleInAllLooks(page, 'answers that somebody else changed');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-jawaban-berubah');
      await press(page, 'Simpan jawaban');
      await panel.getByText('Jawaban tersimpan.').waitFor();
      assert.deepEqual(await kept(), ['no clinic', '39 patient']);

      await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
      await page.reload();
      await press(page, 'Change answers');
      await panel.getByLabel('Alergi obat?').waitFor();
      await assertAccessibleInAllLooks(page, 'the desk’s form for answers in English');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-isi-jawaban-en');
      await press(page, 'Cancel');
      await panel.getByText('written by the clinic').waitFor();
      await assertClean(watched, url, [failedWith(409, 422)]);
      await watched.close();
    },
  },
];
