import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { closures, schedules, sessions } from '../../../src/core/tables/catalog.ts';
import { patients } from '../../../src/core/tables/patients.ts';
import { sealNumber } from '../../../src/modules/patients/numbers/numbers.ts';
import { act, book } from '../../support/clinic-people.ts';
import { codesOn, hold } from '../../support/holds.ts';
import { createBpjsClinic, newPatientAt, personAt, takeAt } from '../../support/peers/mobile-jkn.ts';

const minute = 60_000;

it('a whole life: token, status, an unknown patient, registration, a number, what is left, check-in, the call', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('rs');
  const asked = {
    kodepoli: 'ANA',
    kodedokter: 12_346,
    tanggalperiksa: '2026-11-23',
    jampraktek: '08:00 - 10:00',
  };
  expect(await mobile.post('antrean/status', asked)).toMatchObject({
    code: 200,
    message: 'Ok',
    response: {
      namapoli: 'Konsultasi',
      namadokter: 'dr. Sari Wulandari',
      totalantrean: 0,
      sisaantrean: 0,
      antreanpanggil: '',
      kuotajkn: 4,
      sisakuotajkn: 4,
    },
  });
  expect(await mobile.post('antrean/ambil', takeAt())).toMatchObject({
    code: 202,
    message: 'Data pasien ini tidak ditemukan, silahkan Melakukan Registrasi Pasien Baru',
  });
  expect(await world.db.select().from(bookings)).toEqual([]);
  const { code, response } = await mobile.post('pasien/baru', newPatientAt());
  expect([code, response.norm]).toEqual([200, 'RM-000001']);
  const taken = await mobile.post('antrean/ambil', takeAt());
  expect(taken).toMatchObject({
    code: 200,
    response: {
      nomorantrean: 'A-01',
      angkaantrean: 1,
      norm: 'RM-000001',
      namapoli: 'Konsultasi',
      namadokter: 'dr. Sari Wulandari',
      estimasidilayani: Date.parse('2026-11-23T01:00:00Z'),
      kuotajkn: 4,
      sisakuotajkn: 3,
    },
  });
  const { kodebooking } = taken.response;
  expect(await world.db.select().from(bookings)).toMatchObject([
    {
      bookingCode: kodebooking,
      status: 'approved',
      channel: 'mobile_jkn',
      payer: 'jkn',
      visitKind: 'primary_referral',
      referralNumber: '0001R0011000000',
      scheduleTime: '08:00:00',
    },
  ]);
  await mobile.post('pasien/baru', newPatientAt(1));
  const second = await mobile.post('antrean/ambil', takeAt(1));
  expect(second.response).toMatchObject({
    nomorantrean: 'A-02',
    estimasidilayani: Date.parse('2026-11-23T01:30:00Z'),
  });
  expect(await mobile.post('antrean/sisa', { kodebooking: second.response.kodebooking })).toMatchObject({
    response: { nomorantrean: 'A-02', sisaantrean: 2, antreanpanggil: '', waktutunggu: 1_800 },
  });
  world.clock.now += 30 * minute;
  const checkIn = { kodebooking, waktu: world.clock.now };
  expect(await mobile.post('antrean/checkin', checkIn)).toMatchObject({ code: 200, message: 'Ok' });
  const [arrived] = await world.db.select().from(bookings).where(eq(bookings.bookingCode, kodebooking));
  expect(await mobile.post('antrean/checkin', checkIn)).toMatchObject({ code: 200, message: 'Ok' });
  expect(await world.db.select().from(bookings).where(eq(bookings.bookingCode, kodebooking))).toEqual([
    arrived,
  ]);
  expect(await mobile.post('antrean/batal', { kodebooking, keterangan: 'Sakit' })).toMatchObject({
    code: 201,
    message: 'Pasien Sudah Dilayani, Antrean Tidak Dapat Dibatalkan',
  });
  await act(world, clinic.staff, arrived?.id ?? '', 'call');
  expect(await mobile.post('antrean/sisa', { kodebooking: second.response.kodebooking })).toMatchObject({
    response: { sisaantrean: 2, antreanpanggil: 'A-01', waktutunggu: 1_800 },
  });
  expect(await mobile.post('antrean/status', asked)).toMatchObject({
    response: { totalantrean: 2, sisaantrean: 2, antreanpanggil: 'A-01' },
  });
  expect(await mobile.post('antrean/sisa', { kodebooking })).toMatchObject({
    response: { sisaantrean: 1, waktutunggu: 0 },
  });
  // Task 5.
  await act(world, clinic.staff, arrived?.id ?? '', 'complete');
  expect(await mobile.post('antrean/sisa', { kodebooking })).toMatchObject({ response: { sisaantrean: 0 } });
  expect(await mobile.post('antrean/sisa', { kodebooking: second.response.kodebooking })).toMatchObject({
    response: { sisaantrean: 1, antreanpanggil: 'A-01', waktutunggu: 0 },
  });
  expect(await mobile.post('antrean/status', asked)).toMatchObject({
    response: { totalantrean: 2, sisaantrean: 1, antreanpanggil: 'A-01' },
  });
  const cancel = { kodebooking: second.response.kodebooking, keterangan: 'Sakit' };
  expect(await mobile.post('antrean/batal', cancel)).toMatchObject({ code: 200 });
  expect(await mobile.post('antrean/batal', cancel)).toMatchObject({
    code: 201,
    message: 'Antrean Tidak Ditemukan atau Sudah Dibatalkan',
  });
  // Its referral and its day are free again.
  expect(await mobile.post('antrean/ambil', takeAt(1))).toMatchObject({
    code: 200,
    response: { nomorantrean: 'A-03' },
  });
});

it('a repeat gives the same number, from another shift or with the same referral it is refused', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('rs');
  const { doctorId, sessionId } = clinic.practice;
  await world.db.insert(schedules).values({
    id: world.deps.newId(),
    doctorId,
    sessionId,
    weekday: 1,
    startTime: '13:00:00',
    endTime: '15:00:00',
    slotMinutes: 30,
    capacity: 1,
    createdAt: 1,
    updatedAt: 1,
  });
  for (const at of [0, 1]) await mobile.post('pasien/baru', newPatientAt(at));
  const answers = await Promise.all([1, 2, 3, 4].map(() => mobile.post('antrean/ambil', takeAt())));
  expect(new Set(answers.map(({ response }) => response.kodebooking)).size).toBe(1);
  expect(await world.db.select().from(bookings)).toHaveLength(1);
  expect(await mobile.post('antrean/ambil', takeAt(0, { jampraktek: '13:00-15:00' }))).toMatchObject({
    code: 201,
    message: 'Nomor Antrean Hanya Dapat Diambil 1 Kali Pada Tanggal Yang Sama',
  });
  const { nomorreferensi } = takeAt();
  expect(
    await mobile.post('antrean/ambil', takeAt(1, { nomorreferensi, tanggalperiksa: '2026-11-24' })),
  ).toMatchObject({
    code: 201,
    message: 'Anda sudah terdaftar dalam antrian menggunakan nomor referensi yang sama',
  });
});

it('of a hundred at once for the last place of a shift exactly one gets it, and all others the same sentence', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('rs', {}, { RATE_LIMIT: 'off' });
  for (const [at, time] of ['08:00:00', '08:30:00', '09:30:00'].entries())
    await book(
      world,
      clinic,
      { schedule_time: time },
      [clinic.patient, clinic.stranger, clinic.patient][at]?.token,
    );
  const crowd = Array.from({ length: 100 }, (_, at) => at);
  for (const at of crowd) {
    const { nik, nomorkartu } = personAt(at);
    const national = await sealNumber(world.deps, 'national_id', nik);
    const card = await sealNumber(world.deps, 'insurance_number', nomorkartu);
    await world.db.insert(patients).values({
      id: world.deps.newId(),
      name: `Pasien ${at}`,
      phoneNumber: '',
      phoneCountryCode: '',
      staffNotes: '',
      createdAt: 1,
      updatedAt: 1,
      nationalId: national.sealed,
      nationalIdHash: national.hash,
      insuranceNumber: card.sealed,
      insuranceNumberHash: card.hash,
      numbersConfirmedAt: 1,
      numbersConfirmedBy: 'clinic',
    });
  }
  const answers = await Promise.all(crowd.map((at) => mobile.post('antrean/ambil', takeAt(at))));
  expect(answers.filter(({ code }) => code === 200)).toMatchObject([
    { response: { estimasidilayani: Date.parse('2026-11-23T02:00:00Z'), sisakuotajkn: 0 } },
  ]);
  expect(new Set(answers.filter(({ code }) => code !== 200).map(({ message }) => message))).toEqual(
    new Set(['Kuota antrean pada jadwal ini sudah penuh. Silakan pilih jadwal lain.']),
  );
});

it('the same new patient twice in parallel is one record, and numbers that were merely typed find nobody', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('rs');
  const { nik, nomorkartu } = personAt();
  const typed = await world.request('/v1/family', {
    token: clinic.patient.token,
    body: {
      name: 'Anak',
      relation: 'child',
      birth_date: '2019-04-23',
      sex: 'male',
      national_id: nik,
      insurance_number: nomorkartu,
    },
  });
  expect(typed.status).toBe(201);
  expect(await mobile.post('antrean/ambil', takeAt())).toMatchObject({ code: 202 });
  const made = await Promise.all([1, 2, 3].map(() => mobile.post('pasien/baru', newPatientAt())));
  expect(new Set(made.map(({ code, response }) => `${code} ${response.norm}`)).size).toBe(1);
  const found = await world.db.select().from(patients).where(eq(patients.numbersConfirmedBy, 'bpjs'));
  expect(found).toMatchObject([
    { name: 'Budi Hartono 0', birthDate: '1984-02-03', phoneNumber: '81234567890', sex: 'male' },
  ]);
  expect(found[0]?.address).toContain('RT 013 RW 001');
  expect(await mobile.post('antrean/ambil', takeAt())).toMatchObject({ code: 200 });
});

it('a quota of JKN holds in the shift, beside the seats that it leaves to others', async () => {
  const { mobile } = await createBpjsClinic('rs', { jknQuota: 3 });
  for (const at of [0, 1, 2, 3]) await mobile.post('pasien/baru', newPatientAt(at));
  const codes = [];
  for (const at of [0, 1, 2, 3]) codes.push((await mobile.post('antrean/ambil', takeAt(at))).code);
  expect(codes).toEqual([200, 200, 200, 201]);
  const other = { nomorkartu: '', nomorreferensi: '', jeniskunjungan: 3 };
  expect(await mobile.post('antrean/ambil', takeAt(3, other))).toMatchObject({
    code: 200,
    response: { sisakuotajkn: 0, kuotajkn: 3, sisakuotanonjkn: 0, kuotanonjkn: 1 },
  });
});

it('a move by the clinic is followed by its code, and surgery and pharmacy are empty', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('rs');
  await mobile.post('pasien/baru', newPatientAt());
  const { response } = await mobile.post('antrean/ambil', takeAt());
  const [row] = await world.db.select().from(bookings);
  await act(world, clinic.staff, row?.id ?? '', 'reschedule', {
    schedule_date: '2026-11-24',
    schedule_time: '09:00:00',
  });
  await world.db.update(bookings).set({ exchangeCode: `${response.kodebooking}-2` });
  const moved = { kodebooking: `${response.kodebooking}-2` };
  expect(await mobile.post('antrean/sisa', moved)).toMatchObject({ code: 200 });
  expect(await mobile.post('antrean/checkin', moved)).toMatchObject({ code: 201 });
  const dates = { tanggalawal: '2026-11-01', tanggalakhir: '2026-11-30' };
  expect(await mobile.post('operasi/rs', dates)).toMatchObject({ code: 200, response: { list: [] } });
  expect(await mobile.post('operasi/pasien', { nopeserta: '1' })).toMatchObject({ response: { list: [] } });
  for (const path of ['farmasi/ambil', 'farmasi/status'])
    expect(await mobile.post(path, moved)).toMatchObject({ code: 201, message: 'Antrean Tidak Ditemukan' });
});

it('what a session limits for each patient holds here, too', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('rs');
  await mobile.post('pasien/baru', newPatientAt());
  const limit = (fields: Partial<typeof sessions.$inferInsert>) =>
    world.db.update(sessions).set(fields).where(eq(sessions.id, clinic.practice.sessionId));
  await limit({ openTo: 'known' });
  expect(await mobile.post('antrean/ambil', takeAt())).toMatchObject({
    code: 201,
    message: expect.stringContaining('hanya untuk pasien yang sudah pernah berkunjung'),
  });
  await limit({ openTo: 'all', minDaysBetween: 3 });
  expect(await mobile.post('antrean/ambil', takeAt())).toMatchObject({ code: 200 });
  const next = { tanggalperiksa: '2026-11-24', nomorreferensi: 'LAIN' };
  expect(await mobile.post('antrean/ambil', takeAt(0, next))).toMatchObject({
    code: 201,
    message: expect.stringContaining('harus berjarak paling sedikit 3 hari'),
  });
});

describe('the status of a shift', () => {
  const asked = {
    kodepoli: 'ANA',
    kodedokter: 12_346,
    tanggalperiksa: '2026-11-23',
    jampraktek: '08:00-10:00',
  };
  const closed = { code: 201, message: 'Pendaftaran ke Poli Ini Sedang Tutup' };
  type Clinic = Awaited<ReturnType<typeof createBpjsClinic>>;

  const close = ({ world, clinic }: Clinic, hours: { startTime?: string; endTime?: string }) =>
    world.db.insert(closures).values({
      id: world.deps.newId(),
      doctorId: clinic.practice.doctorId,
      name: 'Rapat',
      startDate: '2026-11-23',
      endDate: '2026-11-23',
      createdAt: world.clock.now,
      updatedAt: world.clock.now,
      ...hours,
    });

  it('counts no place in a break, and none that a closure takes', async () => {
    const here = await createBpjsClinic('rs', { breakStart: '09:00:00', breakEnd: '09:30:00' });
    const { mobile } = here;
    expect((await mobile.post('antrean/status', asked)).response).toMatchObject({
      kuotajkn: 3,
      sisakuotajkn: 3,
    });
    await close(here, { startTime: '09:40:00', endTime: '12:00:00' });
    expect((await mobile.post('antrean/status', asked)).response).toMatchObject({
      kuotajkn: 2,
      sisakuotajkn: 2,
    });
  });

  it('shows as left exactly what can be booked now', async () => {
    const here = await createBpjsClinic('rs', {}, { ...codesOn, MIN_NOTICE_MINUTES: '0' });
    const { world, clinic, mobile } = here;
    for (const at of [0, 1, 2, 3]) await mobile.post('pasien/baru', newPatientAt(at));
    const left = async () => (await mobile.post('antrean/status', asked)).response.sisakuotajkn;
    expect((await mobile.post('antrean/ambil', takeAt(0))).code).toBe(200);
    expect(await left()).toBe(3);
    // The hours of a booking that stands are closed afterwards: it takes none of the other places.
    await close(here, { startTime: '08:00:00', endTime: '08:30:00' });
    expect(await left()).toBe(3);
    // Somebody is about to book at 09:00.
    expect((await hold(world, clinic.practice)).status).toBe(201);
    expect(await left()).toBe(2);
    expect((await mobile.post('antrean/ambil', takeAt(1))).response).toMatchObject({
      estimasidilayani: Date.parse('2026-11-23T01:30:00Z'),
      sisakuotajkn: 1,
    });
    expect((await mobile.post('antrean/ambil', takeAt(2))).response).toMatchObject({ sisakuotajkn: 0 });
    expect((await mobile.post('antrean/ambil', takeAt(3))).code).toBe(201);
    // The hold is over, and with it the last place is free until its time is past.
    world.clock.now += 10 * minute;
    expect(await left()).toBe(1);
    world.clock.now = Date.parse('2026-11-23T02:00:00Z');
    expect(await left()).toBe(0);
    expect((await mobile.post('antrean/ambil', takeAt(3))).code).toBe(201);
  });

  it('is closed on a day that the doctor is away, and in a week in which there are no hours', async () => {
    const away = await createBpjsClinic('rs');
    await close(away, {});
    expect(await away.mobile.post('antrean/status', asked)).toMatchObject(closed);
    const { mobile } = await createBpjsClinic('rs', { everyWeeks: 2, validFrom: '2026-11-16' });
    expect(await mobile.post('antrean/status', asked)).toMatchObject(closed);
    const inItsWeek = { ...asked, tanggalperiksa: '2026-11-30' };
    expect(await mobile.post('antrean/status', inItsWeek)).toMatchObject({ code: 200 });
  });
});

it('keeps a phone number whole whose area code begins like the code of the country', async () => {
  const { world, mobile } = await createBpjsClinic('rs');
  await mobile.post('pasien/baru', { ...newPatientAt(), nohp: '0622 123456' });
  const forms = ['+62 812-3456-7890', '62 0812 3456 7890', '0062 812 3456 7890', '+0812 3456 7890'];
  for (const [at, nohp] of forms.entries())
    await mobile.post('pasien/baru', { ...newPatientAt(at + 1), nohp });
  const found = await world.db.select().from(patients).where(eq(patients.numbersConfirmedBy, 'bpjs'));
  expect(found.map((one) => `${one.phoneCountryCode} ${one.phoneNumber}`).sort()).toEqual([
    '62 622123456',
    ...forms.map(() => '62 81234567890'),
  ]);
});

it('estimates the wait by how long the visits of the day took', async () => {
  const { world, clinic, mobile } = await createBpjsClinic('rs', { capacity: 5 });
  const codes: string[] = [];
  for (const at of [0, 1, 2, 3, 4]) {
    await mobile.post('pasien/baru', newPatientAt(at));
    codes.push((await mobile.post('antrean/ambil', takeAt(at))).response.kodebooking);
  }
  world.clock.now = Date.parse('2026-11-23T01:00:00Z');
  await mobile.login();
  for (const code of codes.slice(0, 3)) {
    const [booked] = await world.db.select().from(bookings).where(eq(bookings.bookingCode, code));
    for (const verb of ['check-in', 'call', 'complete']) {
      if (verb === 'complete') world.clock.now += 10 * minute;
      expect((await act(world, clinic.staff, booked?.id ?? '', verb)).status).toBe(200);
    }
  }
  const [, , , fourth, fifth] = codes;
  expect((await mobile.post('antrean/sisa', { kodebooking: fourth })).response).toMatchObject({
    sisaantrean: 1,
    waktutunggu: 0,
  });
  expect((await mobile.post('antrean/sisa', { kodebooking: fifth })).response).toMatchObject({
    sisaantrean: 2,
    waktutunggu: 600,
  });
});
