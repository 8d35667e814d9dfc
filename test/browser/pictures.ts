// Makes the pictures of docs/screens.md and of the README, of the demo clinic at nine in the morning.
//   npm run pictures

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { holdSeat, seatsOf } from './konsol/coming/waiting.ts';
import { dayOf, enter, todayOf } from './konsol/steps.ts';
import { openLook, sizes } from './layar/looks.ts';
import { openAs } from './pasien/steps.ts';
import { startByScript } from './servers.ts';
import { launch } from './support/browser.ts';
import { bookFor, clinicDate, deskDoes, freeSlots, settings } from './support/clinic.ts';
import { call, demo, newPatient, tokenOf } from './support/people.ts';
import { openPage, phone, type Stage } from './support/stage.ts';

const folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
const screen = { width: 1280, height: 720 };
const consolePages = 'dokter layanan jadwal tutup orang klinik kunci webhook audit statistik'.split(' ');

/** WebP, which Chromium writes and Playwright does not: a third of the bytes of a PNG. */
const keep = async (page: Page, name: string): Promise<void> => {
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(400);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  await devtools.detach();
  writeFileSync(`${folder}/${name}.webp`, Buffer.from(data, 'base64'));
};

const open = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  // The queues are asked again and again, so that their network is never idle.
  await page.waitForTimeout(1_200);
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
};

/** Three people at one time of today, of whom the first is with the doctor: the last one, and where to book. */
const queueOfThree = async (url: string) => {
  const date = await todayOf(url);
  const { body } = await call(url, 'GET', `/v1/slots?date=${date}`);
  const slot = body.data.find(({ remaining }: { remaining: number }) => remaining >= 3);
  assert.ok(slot !== undefined, 'The demo clinic has no slot for three.');
  const people = [await newPatient(url), await newPatient(url), await newPatient(url)] as const;
  const place = { doctor: slot.doctor_id, session: slot.session_id, name: '', sessionName: '' };
  const ids: string[] = [];
  for (const { token } of people) ids.push((await bookFor(url, token, place, slot)).id);
  for (const id of ids) await deskDoes(url, id, 'approve', 'check-in');
  await deskDoes(url, ids[0] ?? '', 'call');
  return { person: people[2], place };
};

const ofPatients = async (stage: Stage): Promise<void> => {
  const { person, place } = await queueOfThree(stage.url);
  const slot = (await freeSlots(stage.url, place, await todayOf(stage.url)))[0];
  assert.ok(slot !== undefined, 'The demo clinic has no slot today.');
  const query = `dokter=${place.doctor}&layanan=${place.session}&tanggal=${slot.schedule_date}&jam=${slot.schedule_time.slice(0, 5)}`;
  const stranger = await openPage(stage, { viewport: phone });
  for (const [name, path] of [
    ['beranda', ''],
    ['dokter', 'dokter'],
    ['waktu', `dokter/${place.doctor}`],
    ['konfirmasi', `konfirmasi?${query}`],
    ['masuk', 'masuk'],
    ['tunggu', `tunggu?dokter=${place.doctor}&layanan=${place.session}`],
  ]) {
    await open(stranger.page, `${stage.url}/pasien/${path}`);
    await keep(stranger.page, `pasien-${name}`);
  }
  await stranger.close();
  const known = await openAs(stage, person);
  await known.page.getByText('di depan Anda').waitFor();
  await keep(known.page, 'pasien-tiket');
  await known.page.emulateMedia({ colorScheme: 'dark' });
  await keep(known.page, 'pasien-tiket-gelap');
  await known.page.emulateMedia({ colorScheme: 'light' });
  for (const path of [
    'riwayat',
    'keluarga',
    'akun',
    'akun/pemberitahuan',
    'akun/kalender',
    'akun/verifikasi',
  ]) {
    await open(known.page, `${stage.url}/pasien/${path}`);
    await keep(known.page, `pasien-${path.replace('/', '-')}`);
  }
  const [seat] = await seatsOf(stage.url, clinicDate(1));
  assert.ok(seat !== undefined, 'The demo clinic has no slot tomorrow.');
  const later = { ...place, doctor: seat.doctor_id, session: seat.session_id };
  const { id } = await bookFor(stage.url, person.token, later, seat);
  await open(known.page, `${stage.url}/pasien/tiket/${id}/jadwal`);
  await keep(known.page, 'pasien-jadwal');
  await known.close();
};

/** Leave of a doctor in a week, and the key of a cash desk: pages that are empty in the demo clinic. */
const fillEmptyPages = async (url: string): Promise<void> => {
  const token = await tokenOf(url, demo.admin);
  const doctor_id = (await dayOf(url))[0]?.doctor_id;
  const leave = { doctor_id, name: 'Cuti tahunan', start_date: clinicDate(7), end_date: clinicDate(9) };
  const key = { name: 'Sistem kasir', scopes: ['bookings:read', 'queue:write'] };
  for (const [path, body] of [
    ['closures', leave],
    ['api-keys', key],
  ] as const) {
    const made = await call(url, 'POST', `/v1/admin/${path}`, { token, body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
  }
};

const ofTheClinic = async (stage: Stage): Promise<void> => {
  await fillEmptyPages(stage.url);
  const stranger = await openPage(stage, { viewport: screen });
  await open(stranger.page, `${stage.url}/konsol/`);
  await keep(stranger.page, 'konsol-masuk');
  await stranger.close();
  const { page, close } = await enter(stage, demo.admin, '/konsol/', { viewport: screen });
  await page.locator('[data-row]').nth(5).waitFor({ state: 'attached' });
  await keep(page, 'konsol-hari');
  const booked = (await dayOf(stage.url)).find(
    ({ status, visit }) => status === 'approved' && visit === null,
  );
  assert.ok(booked !== undefined, 'The demo clinic expects nobody.');
  await holdSeat(stage.url, 1, ['Dewi Kartika', 'Rudi Hartono']);
  for (const [name, path = name] of [
    ['janji', `?janji=${booked.id}`],
    ['antrean'],
    ['persetujuan'],
    ['datang'],
    ['pindah', `pindah/${booked.id}`],
    ['cari', 'pasien?q=Siti'],
    ['catatan-pasien', `pasien/${booked.patient.id}`],
    ['kontrol', `kontrol/${booked.id}`],
    ['rangkaian', `rangkaian/${booked.patient.id}`],
    ['tunggu'],
    ...consolePages.map((page) => [page]),
    ['akun'],
    ['pekan', 'statistik?menurut=weekday_hour'],
  ] as [string, string?][]) {
    await open(page, `${stage.url}/konsol/${path}`);
    await keep(page, `konsol-${name}`);
  }
  await close();
};

const ofTheWaitingRoom = async (stage: Stage): Promise<void> => {
  const { page, close } = await openLook(stage, 'called');
  await page.setViewportSize(sizes['1280']);
  await keep(page, 'layar');
  await page.goto(`${stage.url}/layar/?atur=1`);
  await page.locator('.choice').nth(1).waitFor();
  await keep(page, 'layar-atur');
  await close();
};

// A screen that is no more leaves no picture.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await launch();
const served = await startByScript('start', settings);
try {
  const stage: Stage = { browser, url: served.url, runtime: 'node' };
  await ofPatients(stage);
  await ofTheClinic(stage);
  await ofTheWaitingRoom(stage);
} finally {
  await served.stop();
  await browser.close();
}
