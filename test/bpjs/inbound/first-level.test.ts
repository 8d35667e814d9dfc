import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { doctors, sessions } from '../../../src/core/tables/catalog.ts';
import { act } from '../../support/clinic-people.ts';
import { createBpjsClinic, newPatientAt, personAt } from '../../support/peers/mobile-jkn.ts';

const date = '2026-11-23';
const takeOld = (at = 0) => ({ ...personAt(at), kodepoli: '001', tanggalperiksa: date, keluhan: 'Demam' });
const takeNew = (at = 0) => ({
  ...takeOld(at),
  kodedokter: 12_346,
  jampraktek: '08:00 - 10:00',
  norm: '',
  nohp: '081234567890',
});

it('a whole life in both versions, by card, poli and date', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('fktp');
  expect(await mobile.ask('GET', `antrean/status/001/${date}`)).toMatchObject({
    code: 200,
    response: { namapoli: 'Konsultasi', totalantrean: '0', sisaantrean: '0', antreanpanggil: '' },
  });
  expect(await mobile.post('antrean', takeOld())).toMatchObject({ code: 202 });
  for (const at of [0, 1, 2])
    expect((await mobile.post('peserta', newPatientAt(at))).response.norm).toBe(`RM-00000${at + 1}`);
  expect(await mobile.post('antrean', takeOld())).toMatchObject({
    code: 200,
    response: { nomorantrean: 'A-01', angkaantrean: '1', namapoli: 'Konsultasi', sisaantrean: '1' },
  });
  expect(await mobile.post('v2/antrean', takeNew(1))).toMatchObject({
    response: { nomorantrean: 'A-02', angkaantrean: 2, sisaantrean: 2 },
  });
  // A body of version 2 on the older path.
  expect(await mobile.post('antrean', takeNew(2))).toMatchObject({ response: { angkaantrean: 3 } });
  const rows = await world.db.select().from(bookings).orderBy(bookings.queueNumber);
  expect(rows.map(({ notes, payer, channel }) => [notes, payer, channel])).toEqual(
    [1, 2, 3].map(() => ['Demam', 'jkn', 'mobile_jkn']),
  );
  const left = (at: number) =>
    mobile.ask('GET', `antrean/sisapeserta/${personAt(at).nomorkartu}/001/${date}`);
  expect(await left(2)).toMatchObject({ response: { nomorantrean: 'A-03', sisaantrean: '3' } });
  for (const verb of ['check-in', 'call']) await act(world, clinic.staff, rows[0]?.id ?? '', verb);
  expect(await left(2)).toMatchObject({ response: { sisaantrean: '3', antreanpanggil: 'A-01' } });
  await act(world, clinic.staff, rows[0]?.id ?? '', 'complete');
  expect(await left(2)).toMatchObject({ response: { sisaantrean: '2', antreanpanggil: 'A-01' } });
  expect(await mobile.ask('GET', `v2/antrean/status/001/${date}`)).toMatchObject({
    response: [
      {
        totalantrean: '3',
        sisaantrean: 2,
        antreanpanggil: 'A-01',
        kodedokter: 12_346,
        jampraktek: '08:00-10:00',
      },
    ],
  });
  const cancel = (at: number) => ({ ...personAt(at), kodepoli: '001', tanggalperiksa: date });
  expect(await mobile.ask('PUT', 'antrean/batal', cancel(0))).toMatchObject({
    code: 201,
    message: 'Pasien Sudah Dilayani, Antrean Tidak Dapat Dibatalkan',
  });
  expect(await mobile.ask('PUT', 'antrean/batal', cancel(1))).toMatchObject({ code: 200 });
  expect(await mobile.ask('PUT', 'v2/antrean/batal', { ...cancel(2), keterangan: 'Sembuh' })).toMatchObject({
    code: 200,
  });
  expect(await mobile.ask('PUT', 'antrean/batal', cancel(1))).toMatchObject({
    code: 201,
    message: 'Antrean Tidak Ditemukan atau Sudah Dibatalkan',
  });
  expect(await left(1)).toMatchObject({ code: 201 });
  expect(await left(7)).toMatchObject({ code: 201, message: 'Antrean Tidak Ditemukan' });
  expect(await mobile.post('antrean', { ...takeOld(), nomorkartu: '' })).toMatchObject({
    message: 'Nomor Kartu tidak boleh kosong',
  });
});

it('a poli without a doctor named fills the first free slots of all its doctors, until all are full', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('fktp');
  const { others } = clinic;
  await world.db.update(doctors).set({ bpjsDoctorCode: 99 }).where(eq(doctors.id, others.doctorId));
  await world.db.update(sessions).set({ bpjsFktpCode: '001' }).where(eq(sessions.id, others.sessionId));
  // Eight from 08:00 to 10:00 with two doctors, and twelve more until 16:00 with the other.
  for (let at = 0; at < 21; at++) await mobile.post('peserta', newPatientAt(at));
  const answers = await Promise.all(
    Array.from({ length: 21 }, (_, at) => mobile.post('antrean', takeOld(at))),
  );
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(20);
  const rows = await world.db.select().from(bookings);
  expect(new Set(rows.map((row) => `${row.doctorId} ${row.scheduleTime}`)).size).toBe(20);
  // Of both doctors the first slots are taken alike.
  expect(rows.filter(({ doctorId }) => doctorId === clinic.practice.doctorId)).toHaveLength(4);
  const late = answers.findIndex(({ code }) => code !== 200);
  expect(await mobile.post('v2/antrean', takeNew(late))).toMatchObject({
    code: 201,
    message: 'Kuota antrean pada jadwal ini sudah penuh. Silakan pilih jadwal lain.',
  });
});

it('demands the phone number where the call has one, and shows no doctor whom HFIS does not know', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('fktp');
  const { nohp: _none, ...newPatient } = newPatientAt();
  expect(await mobile.post('peserta', newPatient)).toMatchObject({ code: 200 });
  const blank = { code: 201, message: 'No.HP tidak boleh kosong' };
  for (const path of ['v2/antrean', 'antrean'])
    expect(await mobile.post(path, { ...takeNew(), nohp: '' })).toMatchObject(blank);
  expect(await mobile.post('antrean', takeOld())).toMatchObject({ code: 200 });
  const { others } = clinic;
  await world.db.update(sessions).set({ bpjsFktpCode: '001' }).where(eq(sessions.id, others.sessionId));
  const status = () => mobile.ask('GET', `v2/antrean/status/001/${date}`);
  const { response } = await status();
  expect(response.map(({ kodedokter }: { kodedokter: number }) => kodedokter)).toEqual([12_346]);
  await world.db.update(doctors).set({ bpjsDoctorCode: null });
  expect(await status()).toMatchObject({ code: 201, message: 'Pendaftaran ke Poli Ini Sedang Tutup' });
});

it('a record that has the NIK alone gets the card, by which it is followed from then on', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('fktp');
  const { nik, nomorkartu } = personAt();
  const made = await world.request('/v1/patients', {
    token: clinic.staff.token,
    body: { name: 'Wati', national_id: nik },
  });
  expect(made.status).toBe(201);
  expect(await mobile.post('antrean', takeOld())).toMatchObject({ code: 200 });
  expect(await mobile.ask('GET', `antrean/sisapeserta/${nomorkartu}/001/${date}`)).toMatchObject({
    code: 200,
  });
  expect(await mobile.post('antrean', { ...takeOld(1), nik })).toMatchObject({
    code: 201,
    message: expect.stringContaining('tidak sesuai dengan data pasien'),
  });
});
