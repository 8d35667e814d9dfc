import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { loseFirstAnswer } from '../support/answers.ts';
import { assertClean, failedWith, untilFocused, untilHolds } from '../support/checks.ts';
import { clinicDate, freeSlots, makePractice, settings, written } from '../support/clinic.ts';
import { pressByKeyboard } from '../support/device.ts';
import { call, newPatient } from '../support/people.ts';
import { openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { fillLogin, openAs, takeUp } from './steps.ts';
import { fullDay, offered, taken, waitFor, waitlistOf } from './waiting.ts';

const offer = 'Ada tempat untuk Anda';
const joined = 'Anda sudah masuk daftar tunggu.';
const accepted = 'Tempat ini sekarang janji Anda.';

const playToTheTicket = async (stage: Stage): Promise<void> => {
  const { practice, slot, giveBack } = await fullDay(stage);
  const person = await newPatient(stage.url);
  const watched = await openPage(stage);
  const { page } = watched;
  const { doctor, session } = practice;
  await page.goto(`${stage.url}/pasien/dokter/${doctor}?layanan=${session}&tanggal=${clinicDate(1)}`);
  await page.getByRole('link', { name: /Penuh · Kabari saya$/ }).waitFor();
  await shoot(stage, page, 'waktu-penuh', true);
  await page.getByRole('link', { name: /Penuh · Kabari saya$/ }).click();
  await page.getByRole('heading', { name: 'Kabari saya bila ada tempat' }).waitFor();
  assert.equal(await page.getByLabel('Mulai tanggal').inputValue(), written(slot.schedule_date));
  assert.equal(await page.getByLabel('Sampai tanggal').inputValue(), written(slot.schedule_date));
  await page.getByText('Hanya pada jam tertentu').click();
  await page.getByLabel(/Paling awal pukul/).fill('08:00');
  await shoot(stage, page, 'tunggu-masuk', true);
  await fillLogin(page, person);
  await page.getByRole('button', { name: 'Masuk daftar tunggu' }).click();
  await page.getByText(joined).waitFor();
  await page.getByRole('heading', { name: 'Daftar tunggu' }).waitFor();
  const [entry] = await waitlistOf(stage.url, person);
  assert.deepEqual([entry?.from, entry?.earliest_time], [slot.schedule_date, '08:00:00']);
  await shoot(stage, page, 'tunggu-beranda', true);
  await giveBack();
  await takeUp(page);
  await page.getByRole('heading', { name: offer }).waitFor();
  await page.getByText(/^Ditahan untuk Anda sampai/).waitFor();
  await page.getByText(/sisa (30|29) menit/).waitFor();
  await page.getByRole('button', { name: 'Terima tempat ini' }).click();
  await page.getByText(accepted).waitFor();
  assert.match(page.url(), /\/pasien\/tiket\/[0-9a-f-]{36}$/);
  await page.getByText('Menunggu persetujuan', { exact: true }).waitFor();
  const { body } = await call(stage.url, 'GET', '/v1/bookings/history', { token: person.token });
  assert.equal(body.data.length, 1);
  assert.equal((await waitlistOf(stage.url, person)).length, 0);
  await assertClean(watched, stage.url);
  await watched.close();
};

const playByKeyboard = async (stage: Stage): Promise<void> => {
  const { person, practice } = await offered(stage);
  const watched = await openAs(stage, person);
  const { page } = watched;
  await page.getByRole('heading', { name: offer }).waitFor();
  await pressByKeyboard(page, 'Tolak');
  await untilFocused(page, 'Batal');
  await page.keyboard.press('Escape');
  await untilFocused(page, 'Tolak');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await shoot(stage, page, 'tunggu-tolak');
  await pressByKeyboard(page, 'Ya, tolak');
  await page.getByText('Anda menolak tempat ini.').waitFor();
  await page.getByRole('heading', { name: offer }).waitFor({ state: 'detached' });
  assert.equal((await waitlistOf(stage.url, person))[0]?.offer, null);
  await pressByKeyboard(page, `Berhenti menunggu: ${practice.sessionName} · dr. ${practice.name}`);
  await page.getByRole('dialog').waitFor();
  await pressByKeyboard(page, 'Ya, berhenti');
  await page.getByText('Anda sudah keluar dari daftar tunggu.').waitFor();
  await page.getByRole('heading', { name: 'Daftar tunggu' }).waitFor({ state: 'detached' });
  assert.deepEqual(await waitlistOf(stage.url, person), []);

  const another = await offered(stage);
  const second = await openAs(stage, another.person);
  await second.page.getByRole('heading', { name: offer }).waitFor();
  // The result is shown on the ticket however late that part of the program loads.
  await second.page.route('**/pasien-*.js', async (route) => {
    await sleep(300);
    // One that is asked for ahead may still be on its way when the page is closed.
    await route.continue().catch(() => {});
  });
  await pressByKeyboard(second.page, 'Terima tempat ini');
  await second.page.getByRole('heading', { name: 'Tiket antrean' }).waitFor();
  await second.page.getByText(accepted).waitFor();
  await assertClean(second, stage.url);
  await second.close();
  await assertClean(watched, stage.url);
  await watched.close();
};

// How many tickets the phone keeps for when there is no connection.
const countKept = `new Promise((done) => {
  const opened = indexedDB.open('keyval-store');
  opened.onsuccess = () => {
    const all = opened.result.transaction('keyval').objectStore('keyval').count();
    all.onsuccess = () => done(all.result);
  };
})`;
const ticketsKept = (page: Page): Promise<number> => page.evaluate(countKept);

const playTicket = async (stage: Stage): Promise<void> => {
  const { person, booking } = await offered(stage);
  const watched = await openAs(stage, person, `tiket/${booking}`);
  const { page } = watched;
  await page.getByRole('heading', { name: offer }).waitFor();
  await page.getByText('Nomor antrean Anda dapatkan setelah menerima tempat ini.').waitFor();
  assert.equal(await page.getByText('Nomor antrean Anda:').count(), 0);
  await shoot(stage, page, 'tiket-tawaran', true);
  assert.equal(await ticketsKept(page), 0, 'the phone keeps no ticket of it');
  const keys = await loseFirstAnswer(page, '**/v1/waitlist/*/accept');
  await page.getByRole('button', { name: 'Terima tempat ini' }).click();
  await page.getByText('Sedang memastikan').waitFor();
  await page.getByText(accepted).waitFor();
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  await page.getByText('Nomor antrean Anda:').waitFor();
  await untilFocused(page, 'Tiket antrean');
  await untilHolds(page, `${countKept}.then((kept) => kept === 1)`);
  await assertClean(watched, stage.url, [/ERR_CONNECTION_RESET/]);
  await watched.close();
};

/** The clinic's clock, to the minute that comes after `seconds` from now. */
const soon = (seconds: number): { date: string; time: string } => {
  const instant = Math.ceil((Date.now() + seconds * 1_000) / 60_000) * 60_000;
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: settings.CLINIC_TIME_ZONE,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(instant);
  const [date = '', time = ''] = parts.split(', ');
  return { date, time };
};

/** No offer is held past the start of its slot: one that begins soon lapses soon. */
const playLapse = async (stage: Stage): Promise<void> => {
  const { date, time } = soon(30);
  const practice = await makePractice(stage.url, 1, 'manual', {
    start_time: time,
    end_time: time.replace(/^\d\d:\d\d/, '23:59'),
    slot_minutes: 30,
  });
  const slot = (await freeSlots(stage.url, practice, date)).find((one) => one.schedule_time === time);
  assert.ok(slot !== undefined);
  const { giveBack } = await taken(stage.url, practice, slot);
  const person = await newPatient(stage.url);
  await waitFor(stage.url, person, practice, slot);
  await giveBack();
  const booking = (await waitlistOf(stage.url, person))[0]?.offer?.booking_id ?? '';
  const watched = await openAs(stage, person);
  const { page } = watched;
  await page.getByText(/sisa \d+ (detik|menit)/).waitFor();
  const over = page.getByText('tidak lagi ditahan untuk Anda').first();
  await over.waitFor({ timeout: 120_000 });
  assert.equal(await page.getByRole('alert').count(), 0, 'no error');
  assert.equal(await page.getByRole('button', { name: 'Terima tempat ini' }).count(), 0);
  await shoot(stage, page, 'tunggu-lewat', true);
  await page.goto(`${stage.url}/pasien/tiket/${booking}`);
  await page.getByText('Tempat ini tidak lagi ditahan untuk Anda').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0, 'no error');
  await assertClean(watched, stage.url);
  await watched.close();
};

const playOvertaken = async (stage: Stage): Promise<void> => {
  const { person, booking } = await offered(stage);
  const watched = await openAs(stage, person);
  const { page } = watched;
  const accept = page.getByRole('button', { name: 'Terima tempat ini' });
  await accept.waitFor();
  // Declined on another device, where it is not seen yet.
  await call(stage.url, 'POST', `/v1/bookings/${booking}/cancel`, { token: person.token, body: {} });
  await accept.click();
  await page.getByText('tidak lagi ditahan untuk Anda').first().waitFor();
  assert.equal(await page.getByRole('alert').count(), 0, 'no error');
  await assertClean(watched, stage.url, [failedWith(409)]);
  await watched.close();
};

const playFamily = async (stage: Stage): Promise<void> => {
  const { practice, slot } = await fullDay(stage);
  const person = await newPatient(stage.url);
  const child = { name: 'Kirana Rahayu', relation: 'child', birth_date: '2019-04-23' };
  const { status, body } = await call(stage.url, 'POST', '/v1/family', { token: person.token, body: child });
  assert.equal(status, 201, JSON.stringify(body));
  const path = `tunggu?dokter=${practice.doctor}&layanan=${practice.session}&dari=${slot.schedule_date}`;
  const watched = await openAs(stage, person, path);
  const { page } = watched;
  await page.getByLabel(/^Kirana Rahayu/).check();
  const isAny = page.getByLabel('Dokter lain pun boleh');
  await isAny.check();
  const keys = await loseFirstAnswer(page, /\/v1\/waitlist$/);
  await page.getByRole('button', { name: 'Masuk daftar tunggu' }).click();
  await page.getByText('Memastikan').waitFor();
  // A request in progress stays as it was sent.
  assert.ok(await isAny.isDisabled());
  assert.ok(await page.getByLabel(/^Kirana Rahayu/).isDisabled());
  assert.equal(await page.getByLabel('Sampai tanggal').isEditable(), false);
  await page.getByText('Kirana Rahayu sudah masuk daftar tunggu.').waitFor();
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
  await page.getByText('Untuk Kirana Rahayu', { exact: true }).waitFor();
  await page.getByText(`${practice.sessionName} · dokter mana saja`).waitFor();
  await page.goto(`${stage.url}/pasien/${path}`);
  await page.getByLabel(/^Kirana Rahayu/).check();
  await page.getByLabel('Dokter lain pun boleh').check();
  await page.getByRole('button', { name: 'Masuk daftar tunggu' }).click();
  await page.getByText('Pasien ini sudah ada di daftar tunggu').waitFor();
  await page.getByRole('link', { name: 'Lihat daftar tunggu Anda' }).click();
  await page.getByText('Untuk Kirana Rahayu', { exact: true }).waitFor();
  await page.goto(`${stage.url}/pasien/riwayat`);
  await page.getByText('Untuk Kirana Rahayu', { exact: true }).waitFor();
  const wish = `${practice.sessionName} · dokter mana saja (Kirana Rahayu)`;
  await page.getByRole('button', { name: `Berhenti menunggu: ${wish}` }).click();
  await page.getByRole('dialog').getByText(`bila ada tempat untuk ${wish}.`).waitFor();
  await page.keyboard.press('Escape');
  await assertClean(watched, stage.url, [failedWith(409), /ERR_CONNECTION_RESET/]);
  await watched.close();
};

export const waitlistFlows: readonly Scenario[] = [
  { name: 'waits for a seat of a full day, and accepts it when it is offered', play: playToTheTicket },
  { name: 'declines, stops waiting and accepts by the keyboard alone', play: playByKeyboard },
  { name: 'the ticket of an offer has no number until it is accepted, once', play: playTicket },
  // Its clinic is cached for up to ninety seconds, and only Node serves several: on D1 an offer lapses in
  // test/booking/waitlist.
  { name: 'an offer that lapses is told plainly', play: playLapse, waits: true, isOfNode: true },
  { name: 'an offer that was answered elsewhere is told plainly', play: playOvertaken },
  { name: 'waits for one of the family, with any doctor, and not twice', play: playFamily },
];
