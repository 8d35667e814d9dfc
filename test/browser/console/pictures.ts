import assert from 'node:assert/strict';
import type { Camera } from '../support/camera.ts';
import { clinicDate } from '../support/clinic.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { openPage, openWhole, type Stage } from '../support/stage.ts';
import { holdSeat } from './coming/waiting.ts';
import { wayIn } from './screens.ts';
import { dayOf, enter } from './steps.ts';

const screen = { width: 1280, height: 720 };
const consolePages = 'dokter layanan jadwal tutup orang klinik kunci webhook audit statistik'.split(' ');

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

const asAdmin = async (stage: Stage, { picture, look }: Camera): Promise<void> => {
  const { page, close } = await enter(stage, demo.admin, '/konsol/', { viewport: screen });
  await page.locator('[data-row]').nth(5).waitFor({ state: 'attached' });
  await picture(page, 'konsol-hari');
  const booked = (await dayOf(stage.url)).find(
    ({ status, visit }) => status === 'approved' && visit === null,
  );
  assert.ok(booked !== undefined, 'The demo clinic expects nobody.');
  const held = await holdSeat(stage.url, 1, ['Dewi Kartika', 'Rudi Hartono']);
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
    await openWhole(page, `${stage.url}/konsol/${path}`);
    await picture(page, `konsol-${name}`);
  }
  await openWhole(page, `${stage.url}/konsol/?tanggal=${held.date}&janji=${held.offer.booking_id}`);
  await look(page, 'konsol-tawaran');
  for (const [path, opens] of [
    ['dokter', /^Ubah /],
    ['layanan', /^Ubah /],
    ['tutup', /^Tambah/],
    ['orang', /^(Tambah|Undang)/],
    ['kunci', /^(Tambah|Buat)/],
    ['webhook', /^(Tambah|Buat)/],
  ] as const) {
    await openWhole(page, `${stage.url}/konsol/${path}`);
    await page.getByRole('button', { name: opens }).first().click();
    await look(page, `konsol-${path}-formulir`);
  }
  await openWhole(page, `${stage.url}/konsol/dokter`);
  await page
    .getByRole('button', { name: /^Nonaktifkan: / })
    .first()
    .click();
  await look(page, 'konsol-tanya');
  await close();
};

const asOthers = async (stage: Stage, { picture, look }: Camera): Promise<void> => {
  const doctor = await enter(stage, demo.doctor, '/konsol/', { viewport: screen });
  await doctor.page.locator('[data-row]').first().waitFor({ state: 'attached' });
  await picture(doctor.page, 'konsol-hari-dokter');
  await doctor.close();
  const staff = await enter(stage, demo.staff, '/konsol/audit', { viewport: screen });
  await look(staff.page, 'konsol-tidak-boleh');
  await staff.close();
};

export const picturesOfTheConsole = async (stage: Stage, camera: Camera): Promise<void> => {
  await fillEmptyPages(stage.url);
  const stranger = await openPage(stage, { viewport: screen });
  await openWhole(stranger.page, `${stage.url}/konsol/`);
  await camera.picture(stranger.page, 'konsol-masuk');
  await stranger.close();
  await wayIn(stage, (page, name) => camera.look(page, `konsol-${name}`));
  await asAdmin(stage, camera);
  await asOthers(stage, camera);
};
