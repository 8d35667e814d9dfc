import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { keepWaiting, refuse } from '../support/answers.ts';
import { assertClean, assertReflowsWhenLarge, assertZooms, failedWith, walk } from '../support/checks.ts';
import { clinicDate, freeSlots, written } from '../support/clinic.ts';
import { assertKeepsMeaning } from '../support/forced-colors.ts';
import { assertAccessibleInAllLooks, looks } from '../support/looks.ts';
import { assertNames } from '../support/names.ts';
import { newPatient } from '../support/people.ts';
import { openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { openAs } from './steps.ts';
import { fullDay, offered, taken, waitFor } from './waiting.ts';

const accept = 'Terima tempat ini';

/** Once a seat is held: the home page, the history and the ticket. */
const withOffer = async (
  stage: Stage,
  look: (page: Page, name: string) => Promise<void>,
  paths: (booking: string) => readonly (readonly [string, string])[] = (booking) => [
    ['', 'tawaran-beranda'],
    ['riwayat', 'tawaran-riwayat'],
    [`tiket/${booking}`, 'tawaran-tiket-id'],
  ],
): Promise<void> => {
  const { person, booking } = await offered(stage);
  const watched = await openAs(stage, person);
  const { page } = watched;
  for (const [path, name] of paths(booking)) {
    await page.goto(`${stage.url}/pasien/${path}`);
    await page.getByRole('button', { name: accept }).waitFor();
    await page.waitForLoadState('networkidle');
    await look(page, name);
  }
  await assertClean(watched, stage.url);
  await watched.close();
};

const playLooks = (stage: Stage): Promise<void> =>
  withOffer(stage, async (page, name) => {
    await assertAccessibleInAllLooks(page, name);
    await assertKeepsMeaning(page, name);
    await assertReflowsWhenLarge(page, name);
    await assertZooms(page, name);
    assert.ok((await walk(page, name)).includes(accept), name);
    const before = page.viewportSize();
    for (const { viewport, colorScheme } of looks) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.evaluate('scrollTo(0, 0)');
      await shoot(stage, page, `layar/${name}-${viewport.width}-${colorScheme}`, true);
    }
    await page.emulateMedia({ colorScheme: null });
    if (before !== null) await page.setViewportSize(before);
  });

const playAnswers = async (stage: Stage): Promise<void> => {
  const { person } = await offered(stage);
  const watched = await openAs(stage, person);
  const { page, context } = watched;
  const button = page.getByRole('button', { name: accept });
  await button.waitFor();
  await page.getByRole('button', { name: 'Tolak' }).click();
  await page.getByRole('dialog').waitFor();
  await assertAccessibleInAllLooks(page, 'the question before an offer is declined');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Berhenti menunggu: / }).click();
  await page.getByRole('dialog').getByText('Tempat yang ditahan untuk Anda juga dilepas.').waitFor();
  await assertAccessibleInAllLooks(page, 'the question before one waits no more');
  await page.keyboard.press('Escape');

  const headers = { 'Retry-After': '90' };
  const letIn = await refuse(page, '**/v1/waitlist/*/accept', 429, 'rate_limited', { headers });
  await button.click();
  await page.getByText(/coba lagi dalam/).waitFor();
  await assertAccessibleInAllLooks(page, 'an answer that was throttled');
  await letIn();
  const prove = await refuse(page, '**/v1/waitlist/*/accept', 409, 'email_unproved');
  await button.click();
  await page.getByRole('link', { name: 'Verifikasi email' }).waitFor();
  await assertAccessibleInAllLooks(page, 'an answer that wants a proof first');
  await prove();

  await context.setOffline(true);
  await page.getByText('Perlu sambungan internet.').first().waitFor();
  await assertAccessibleInAllLooks(page, 'an offer without a connection');
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await context.setOffline(false);
  await assertClean(watched, stage.url, [failedWith(409, 429), /ERR_INTERNET_DISCONNECTED/]);
  await watched.close();
};

const playReading = async (stage: Stage): Promise<void> => {
  const { practice, slot } = await fullDay(stage);
  const person = await newPatient(stage.url);
  await waitFor(stage.url, person, practice, slot);
  const watched = await openAs(stage, person);
  const { page } = watched;
  await page.getByRole('heading', { name: 'Daftar tunggu' }).waitFor();
  await assertAccessibleInAllLooks(page, 'what is waited for');

  const answer = await keepWaiting(page, '**/v1/waitlist*');
  await page.reload();
  await page.locator('main [aria-busy="true"] > div').first().waitFor();
  await assertAccessibleInAllLooks(page, 'the waitlist, loading');
  await answer();

  const mend = await refuse(page, '**/v1/waitlist*', 403, 'forbidden');
  await page.reload();
  await page.getByText('Sedang diperbaiki.').waitFor();
  await page.getByRole('link', { name: 'Cari dokter' }).waitFor();
  await assertAccessibleInAllLooks(page, 'the waitlist, failing');
  await mend();
  await page.getByRole('button', { name: 'Coba lagi' }).click();
  await page.getByRole('heading', { name: 'Daftar tunggu' }).waitFor();

  const { doctor, session } = practice;
  await page.goto(
    `${stage.url}/pasien/tunggu?dokter=${doctor}&layanan=${session}&dari=${slot.schedule_date}`,
  );
  const far = await refuse(page, '**/v1/waitlist', 409, 'waitlist_full', { method: 'POST' });
  const join = page.getByRole('button', { name: 'Masuk daftar tunggu' });
  await join.click();
  await page.getByRole('link', { name: 'Lihat daftar tunggu Anda' }).waitFor();
  await assertAccessibleInAllLooks(page, 'a waitlist that is full');
  await far();
  await page.getByLabel('Sampai tanggal').fill(clinicDate(200));
  await join.click();
  await page.getByText(/Sampai tanggal: /).waitFor();
  await assertAccessibleInAllLooks(page, 'dates that are too far apart');
  await assertClean(watched, stage.url, [failedWith(403, 409, 422)]);
  await watched.close();
};

/** Where nothing is free: the days that are full, the week that is, and a doctor of the search. */
const playFull = async (stage: Stage): Promise<void> => {
  const { practice, slot } = await fullDay(stage, clinicDate(1));
  for (let ahead = 2; ahead <= 8; ahead++)
    for (const free of await freeSlots(stage.url, practice, clinicDate(ahead)))
      await taken(stage.url, practice, free);
  const { doctor, session } = practice;
  const watched = await openPage(stage);
  const { page } = watched;
  await page.goto(`${stage.url}/pasien/dokter/${doctor}?layanan=${session}&tanggal=${slot.schedule_date}`);
  await page.getByText('Tidak ada jadwal kosong pada tanggal-tanggal ini.').waitFor();
  await assertAccessibleInAllLooks(page, 'a week that is full');
  await assertReflowsWhenLarge(page, 'a week that is full');
  await assertKeepsMeaning(page, 'a week that is full');
  await shoot(stage, page, 'minggu-penuh', true);
  await page.getByRole('link', { name: 'Kabari saya bila ada tempat' }).click();
  await page.getByLabel('Sampai tanggal').waitFor();
  assert.equal(await page.getByLabel('Mulai tanggal').inputValue(), written(slot.schedule_date));
  assert.equal(await page.getByLabel('Sampai tanggal').inputValue(), written(clinicDate(7)));

  await page.route('**/v1/doctors?*', async (route) => {
    const came = await route.fetch();
    const body = await came.json();
    for (const one of body.data) one.next_available = null;
    await route.fulfill({ response: came, json: body });
  });
  await page.goto(`${stage.url}/pasien/dokter?q=${encodeURIComponent(practice.name)}`);
  const link = page.getByRole('link', { name: `Kabari saya bila ada tempat: dr. ${practice.name}` });
  await link.waitFor();
  await assertAccessibleInAllLooks(page, 'a doctor without a free time');
  await shoot(stage, page, 'cari-penuh', true);
  await link.click();
  await page.getByLabel('Layanan').waitFor();
  // A search may still be on its way, which no page waits for any more.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await assertClean(watched, stage.url);
  await watched.close();
};

export const waitlistStates: readonly Scenario[] = [
  {
    isOfNode: true,
    name: 'the names of the screens with an offer are those that are kept',
    play: (stage) => withOffer(stage, (page, name) => assertNames(page, 'pasien', name)),
  },
  {
    isOfNode: true,
    name: 'an offer, in every look, large, by Tab and in colours of one’s own',
    play: playLooks,
  },
  {
    isOfNode: true,
    name: 'the answers to an offer: asking, throttled, in the way, offline',
    play: playAnswers,
  },
  { isOfNode: true, name: 'the waitlist: loading, failing, full, refused, in every look', play: playReading },
  { isOfNode: true, name: 'where nothing is free, one can wait, in every look', play: playFull },
];
