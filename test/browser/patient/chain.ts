import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertClean, failedWith, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, makePractice } from '../support/clinic.ts';
import { call, newPatient } from '../support/people.ts';
import { openPage, type Scenario, type Stage } from '../support/stage.ts';
import { booked, confirmPath, goTo, openAs, slotOn } from './steps.ts';

/** How somebody works with a page. */
interface Hands {
  press: (page: Page, name: RegExp) => Promise<void>;
  type: (page: Page, label: RegExp, text: string) => Promise<void>;
}

const keyboard: Hands = {
  press: (page, name) => goTo(page, name),
  type: async (page, label, text) => {
    await goTo(page, label, '');
    await page.keyboard.type(text);
  },
};

const pointer: Hands = {
  press: (page, name) =>
    page.getByRole('link', { name }).or(page.getByRole('button', { name })).first().click(),
  // A label ends with a space for text that may follow it.
  type: (page, { source }, text) => page.getByLabel(new RegExp(source.replace('$', ' *$'))).fill(text),
};

const day = /^(Sen|Sel|Rab|Kam|Jum|Sab|Min) .*kosong$/;
const time = /^\d\d\.\d\d$/;

const pickTime = async (page: Page, { press }: Hands): Promise<void> => {
  await page.getByRole('heading', { name: /^Jam praktik/ }).waitFor();
  await press(page, day);
  await untilHolds(page, `/^Jam praktik/.test(document.activeElement?.innerText ?? '')`);
  await press(page, time);
};

/** From nobody to a booking that was made, moved and canceled. */
const playChain = async (stage: Stage, hands: Hands): Promise<void> => {
  const { press, type } = hands;
  const practice = await makePractice(stage.url);
  const watched = await openPage(stage);
  const { page } = watched;
  await page.goto(`${stage.url}/pasien/daftar`);
  await page.getByLabel('Nama lengkap').waitFor();
  await type(page, /^Nama lengkap$/, 'Wulan Hapsari');
  await type(page, /^Nomor ponsel$/, '0812 3456 7890');
  await type(page, /^Email$/, `wulan-${Date.now()}@klinik.example`);
  await type(page, /^Kata sandi$/, 'kopi-susu-pagi-7');
  await type(page, /^Ulangi kata sandi$/, 'kopi-susu-pagi-7');
  await press(page, /^Daftar$/);
  await page.waitForURL(`${stage.url}/pasien/`);
  await page.getByRole('link', { name: 'Cari dokter' }).waitFor();
  await press(page, /^Cari dokter$/);
  await page.getByLabel('Nama dokter atau spesialisasi').waitFor();
  await type(page, /^Nama dokter/, practice.name);
  await page.getByRole('link', { name: new RegExp(practice.name) }).waitFor();
  await press(page, new RegExp(practice.name));
  await pickTime(page, hands);
  await page.getByRole('button', { name: 'Buat janji' }).waitFor();
  await press(page, /^Buat janji$/);
  await page.getByText(booked).waitFor();
  await press(page, /^Ubah jadwal$/);
  await page.getByText('Jadwal sekarang').waitFor();
  await pickTime(page, hands);
  await page.getByText('Jadwal lama dilepas begitu jadwal baru didapat').waitFor();
  await press(page, /^Ya, ubah jadwal$/);
  await page.getByText('Jadwal sudah diubah.').waitFor();
  await press(page, /^Batalkan$/);
  await page.getByRole('dialog').waitFor();
  await press(page, /^Ya, batalkan$/);
  await page.getByText('Janji sudah dibatalkan.').waitFor();
  await page.getByText('Dibatalkan oleh Anda').waitFor();
  await assertClean(watched, stage.url);
  await watched.close();
};

/** Whether the focus is on the time that was chosen instead. */
const isOnTime = `document.activeElement?.tagName === 'P' && /\\d\\d\\.\\d\\d/.test(document.activeElement.innerText)`;

const playConflict = async (stage: Stage): Promise<void> => {
  const practice = await makePractice(stage.url);
  const person = await newPatient(stage.url);
  const slot = await slotOn(stage.url, practice);
  const watched = await openAs(stage, person, confirmPath(practice, slot));
  const { page } = watched;
  const note = page.getByLabel(/Catatan untuk dokter/);
  await note.waitFor();
  await keyboard.type(page, /^Catatan untuk dokter/, 'Batuk tiga hari');
  await bookFor(stage.url, (await newPatient(stage.url)).token, practice, slot);
  await keyboard.press(page, /^Buat janji$/);
  await untilHolds(page, `/baru saja terisi/.test(document.activeElement?.innerText ?? '')`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await untilHolds(page, isOnTime);
  await page.getByText('Jadwal ini baru saja terisi.').waitFor({ state: 'detached' });
  assert.equal(await note.inputValue(), 'Batuk tiga hari');
  await keyboard.press(page, /^Buat janji$/);
  await page.getByText(booked).waitFor();
  await page.getByText('Batuk tiga hari').waitFor();
  await assertClean(watched, stage.url, [failedWith(409)]);
  await watched.close();
};

const playConflictOfMove = async (stage: Stage): Promise<void> => {
  const practice = await makePractice(stage.url);
  const person = await newPatient(stage.url);
  const { id } = await bookFor(stage.url, person.token, practice, await slotOn(stage.url, practice));
  const wished = await slotOn(stage.url, practice, 4);
  const query = new URLSearchParams({ tanggal: wished.schedule_date, jam: wished.schedule_time.slice(0, 5) });
  const watched = await openAs(stage, person, `tiket/${id}/jadwal?${query}`);
  const { page } = watched;
  await page.getByRole('button', { name: 'Ya, ubah jadwal' }).waitFor();
  await bookFor(stage.url, (await newPatient(stage.url)).token, practice, wished);
  await keyboard.press(page, /^Ya, ubah jadwal$/);
  await untilHolds(page, `/baru saja terisi/.test(document.activeElement?.innerText ?? '')`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Jadwal ini baru saja terisi.').waitFor({ state: 'detached' });
  await untilHolds(page, isOnTime);
  await keyboard.press(page, /^Ya, ubah jadwal$/);
  await page.getByText('Jadwal sudah diubah.').waitFor();
  const { body } = await call(stage.url, 'GET', `/v1/bookings/${id}`, { token: person.token });
  assert.equal(body.data.schedule_date, clinicDate(2));
  assert.notEqual(body.data.schedule_time, wished.schedule_time);
  await assertClean(watched, stage.url, [failedWith(409)]);
  await watched.close();
};

export const chainFlows: readonly Scenario[] = [
  {
    name: 'registers, finds, books, moves and cancels, by the keyboard alone',
    play: (stage) => playChain(stage, keyboard),
  },
  {
    name: 'registers, finds, books, moves and cancels, by pointer',
    play: (stage) => playChain(stage, pointer),
  },
  { name: 'takes another time by keyboard where the slot was just taken, the note kept', play: playConflict },
  { name: 'moves to another time where the wished one was just taken', play: playConflictOfMove },
];
