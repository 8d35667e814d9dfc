import assert from 'node:assert/strict';
import { seatsOf } from '../console/coming/waiting.ts';
import { todayOf } from '../console/steps.ts';
import type { Camera } from '../support/camera.ts';
import { bookFor, clinicDate, deskDoes, freeSlots } from '../support/clinic.ts';
import { call, newPatient } from '../support/people.ts';
import { openPage, openWhole, phone, type Stage } from '../support/stage.ts';
import { confirmPath, openAs } from './steps.ts';
import { taken, waitlistOf } from './waiting.ts';

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

type Visited = Awaited<ReturnType<typeof queueOfThree>>;

const asStranger = async (stage: Stage, { picture, look }: Camera, { place }: Visited): Promise<void> => {
  const slot = (await freeSlots(stage.url, place, await todayOf(stage.url)))[0];
  assert.ok(slot !== undefined, 'The demo clinic has no slot today.');
  const { page, close } = await openPage(stage, { viewport: phone });
  // The first visit is written in the phone's own face, the second in the clinic's.
  await openWhole(page, `${stage.url}/pasien/`);
  for (const [name, path] of [
    ['beranda', ''],
    ['dokter', 'dokter'],
    ['waktu', `dokter/${place.doctor}`],
    ['konfirmasi', confirmPath(place, slot)],
    ['masuk', 'masuk'],
    ['daftar', 'daftar'],
    ['lupa-sandi', 'lupa-sandi'],
    ['atur-ulang', 'atur-ulang#token=contoh'],
    ['tunggu', `tunggu?dokter=${place.doctor}&layanan=${place.session}`],
  ]) {
    await openWhole(page, `${stage.url}/pasien/${path}`);
    await picture(page, `pasien-${name}`);
  }
  for (const path of ['tidak-ada', 'riwayat', 'atur-ulang']) {
    await openWhole(page, `${stage.url}/pasien/${path}`);
    await look(page, `pasien-tamu-${path}`);
  }
  await close();
};

const ofAccount = ['', '/profil', '/kata-sandi', '/perangkat', '/email', '/pemberitahuan', '/kalender'];

const asPatient = async (
  stage: Stage,
  { picture, look }: Camera,
  { person, place }: Visited,
): Promise<void> => {
  const { page, close } = await openAs(stage, person);
  await openWhole(page, `${stage.url}/pasien/`);
  await page.getByText('di depan Anda').waitFor();
  await picture(page, 'pasien-tiket');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'pasien-tiket-gelap');
  await page.emulateMedia({ colorScheme: 'light' });
  for (const path of ['riwayat', 'keluarga', ...ofAccount.map((part) => `akun${part}`), 'akun/verifikasi']) {
    await openWhole(page, `${stage.url}/pasien/${path}`);
    await picture(page, `pasien-${path.replace('/', '-')}`);
  }
  const [seat, another] = await seatsOf(stage.url, clinicDate(1));
  assert.ok(seat !== undefined && another !== undefined, 'The demo clinic has no slots tomorrow.');
  const later = { ...place, doctor: seat.doctor_id, session: seat.session_id };
  const { id } = await bookFor(stage.url, person.token, later, seat);
  await openWhole(page, `${stage.url}/pasien/tiket/${id}/jadwal`);
  await picture(page, 'pasien-jadwal');
  await openWhole(page, `${stage.url}/pasien/tiket/${id}`);
  await look(page, 'pasien-tiket-menunggu');
  await openWhole(page, `${stage.url}/pasien/${confirmPath(later, another)}`);
  await look(page, 'pasien-konfirmasi-saya');
  await call(stage.url, 'POST', `/v1/bookings/${id}/cancel`, { token: person.token, body: {} });
  await openWhole(page, `${stage.url}/pasien/tiket/${id}`);
  await look(page, 'pasien-tiket-dibatalkan');
  await openWhole(page, `${stage.url}/pasien/riwayat`);
  await look(page, 'pasien-riwayat-isi');
  await close();
};

/** Somebody for whom a seat of the demo clinic is held until it is answered. */
const asOffered = async (stage: Stage, { picture, look }: Camera): Promise<void> => {
  const { url } = stage;
  const [seat] = await seatsOf(url, clinicDate(2));
  assert.ok(seat !== undefined, 'The demo clinic has no slot the day after tomorrow.');
  const { doctor_id, session_id, schedule_date, schedule_time } = seat;
  const place = { doctor: doctor_id, session: session_id, name: '', sessionName: '' };
  const { giveBack } = await taken(url, place, seat);
  const person = await newPatient(url);
  const hours = { earliest_time: schedule_time, latest_time: schedule_time };
  const body = { session_id, doctor_id, from: schedule_date, to: schedule_date, ...hours };
  const waiting = await call(url, 'POST', '/v1/waitlist', { token: person.token, body });
  assert.equal(waiting.status, 201, JSON.stringify(waiting.body));
  await giveBack();
  const booking = (await waitlistOf(url, person))[0]?.offer?.booking_id;
  assert.ok(booking !== undefined, 'The seat that came free is not offered.');
  const { page, close } = await openAs(stage, person);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await look(page, 'pasien-beranda-tawaran');
  await openWhole(page, `${url}/pasien/tiket/${booking}`);
  await picture(page, 'pasien-tawaran');
  await close();
};

export const picturesOfPatients = async (stage: Stage, camera: Camera): Promise<void> => {
  const visited = await queueOfThree(stage.url);
  await asStranger(stage, camera, visited);
  await asPatient(stage, camera, visited);
  await asOffered(stage, camera);
};
