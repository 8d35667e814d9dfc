// Makes the pictures of docs/screens.md and of the README, of the demo clinic at nine in the morning.
//   npm run pictures

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { enter, settings, todayOf } from './konsol/steps.ts';
import { openLook, sizes } from './layar/looks.ts';
import { openAs } from './pasien/steps.ts';
import { startByScript } from './servers.ts';
import { bookFor, deskDoes } from './support/clinic.ts';
import { call, demo, newPatient } from './support/people.ts';
import { launch, openPage, phone, type Stage } from './support/stage.ts';

const folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
const screen = { width: 1280, height: 720 };

const keep = async (page: Page, name: string): Promise<void> => {
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/${name}.png` });
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
  const stranger = await openPage(stage, { viewport: phone });
  await stranger.page.goto(`${stage.url}/pasien/dokter`);
  await stranger.page.waitForLoadState('networkidle');
  await keep(stranger.page, 'pasien-dokter');
  await stranger.page.goto(`${stage.url}/pasien/dokter/${place.doctor}`);
  await stranger.page
    .getByRole('heading', { name: /Pagi|Siang|Sore/ })
    .first()
    .waitFor();
  await keep(stranger.page, 'pasien-waktu');
  await stranger.close();
  const known = await openAs(stage, person);
  await known.page.getByText('di depan Anda').waitFor();
  await keep(known.page, 'pasien-tiket');
  await known.page.emulateMedia({ colorScheme: 'dark' });
  await keep(known.page, 'pasien-tiket-gelap');
  await known.close();
};

const ofTheClinic = async (stage: Stage): Promise<void> => {
  const { page, close } = await enter(stage, demo.admin, '/konsol/', { viewport: screen });
  await page.locator('[data-row]').nth(5).waitFor({ state: 'attached' });
  await keep(page, 'konsol-hari');
  for (const name of ['antrean', 'persetujuan', 'datang', 'jadwal', 'statistik']) {
    await page.goto(`${stage.url}/konsol/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(1_500);
    await keep(page, `konsol-${name}`);
  }
  await close();
};

const ofTheWaitingRoom = async (stage: Stage): Promise<void> => {
  const { page, close } = await openLook(stage, 'called');
  await page.setViewportSize(sizes['1280']);
  await keep(page, 'layar');
  await close();
};

mkdirSync(folder, { recursive: true });
const browser = await launch();
const served = await startByScript('start', { RATE_LIMIT: 'off', MIN_NOTICE_MINUTES: '0', ...settings });
try {
  const stage: Stage = { browser, url: served.url, runtime: 'node' };
  await ofPatients(stage);
  await ofTheClinic(stage);
  await ofTheWaitingRoom(stage);
} finally {
  await served.stop();
  await browser.close();
}
