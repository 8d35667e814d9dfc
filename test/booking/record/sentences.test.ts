import { describe, expect, it } from 'vitest';
import { act, book, type Clinic, createClinic } from '../../support/clinic-people.ts';
import { createWorld, mondayMorning } from '../../support/world.ts';

type Who = 'patient' | 'staff';
interface Situation {
  name: string;
  who: Who;
  verb: string;
  /** The clinic's earlier steps, and with `at` the time by then, in minutes after the start. */
  done: readonly (readonly [who: Who, verb: string])[];
  at?: number;
  id: string;
  en: string;
}

const staff = (...verbs: string[]) => verbs.map((verb) => ['staff', verb] as const);
const own = (verb: string) => [['patient', verb] as const];
const startsAt = Date.parse('2026-11-23T02:00:00Z');
const canceled = ['Janji temu ini sudah dibatalkan.', 'This booking has been canceled.'] as const;
const notApproved = [
  'Janji temu ini belum disetujui. Setujui terlebih dahulu.',
  'This booking is not approved yet. Approve it first.',
] as const;
const checkedIn = ['Pasien sudah check-in.', 'The patient is already checked in.'] as const;
const notCheckedIn = ['Pasien belum check-in.', 'The patient has not checked in.'] as const;
const called = ['Pasien sudah dipanggil.', 'The patient was already called.'] as const;
const completed = ['Kunjungan ini sudah selesai.', 'This visit is already completed.'] as const;
const noShow = ['Pasien sudah dicatat tidak hadir.', 'The patient was recorded as not having come.'] as const;
const begun = [
  'Janji temu ini sudah dimulai, sehingga tidak dapat lagi dibatalkan atau dijadwalkan ulang. Silakan hubungi klinik.',
  'This booking has begun and can no longer be canceled or moved. Please contact the clinic.',
] as const;

const situation = (
  name: string,
  who: Who,
  verb: string,
  done: Situation['done'],
  [id, en]: readonly [string, string],
  at?: number,
): Situation => ({ name, who, verb, done, id, en, ...(at !== undefined && { at }) });

const situations: Situation[] = [
  situation('canceled by its patient', 'staff', 'approve', own('cancel'), canceled),
  situation('canceled, to its patient', 'patient', 'reschedule', own('cancel'), canceled),
  situation('canceled by the clinic', 'patient', 'cancel', staff('cancel'), canceled),
  situation('rejected', 'patient', 'cancel', staff('reject'), [
    'Janji temu ini sudah ditolak oleh klinik.',
    'The clinic has rejected this booking.',
  ]),
  situation('approved already', 'staff', 'approve', staff('approve'), [
    'Janji temu ini sudah disetujui.',
    'This booking is already approved.',
  ]),
  situation('approved, and so not rejected', 'staff', 'reject', staff('approve'), [
    'Janji temu ini sudah disetujui dan tidak dapat ditolak lagi. Batalkan janji temu ini jika perlu.',
    'This booking is already approved and can no longer be rejected. Cancel it if need be.',
  ]),
  situation(
    'over, and never approved',
    'staff',
    'approve',
    [],
    ['Waktu untuk menyetujui janji temu ini sudah lewat.', 'The time to approve this booking is over.'],
    30,
  ),
  situation('not approved, call', 'staff', 'call', [], notApproved),
  situation('not approved, complete', 'staff', 'complete', [], notApproved),
  situation('not approved, no-show', 'staff', 'no-show', [], notApproved, 5),
  situation('not checked in, call', 'staff', 'call', staff('approve'), notCheckedIn),
  situation('not checked in, complete', 'staff', 'complete', staff('approve'), notCheckedIn),
  situation('checked in', 'staff', 'check-in', staff('approve', 'check-in'), checkedIn),
  situation('called', 'staff', 'check-in', staff('approve', 'check-in', 'call'), called),
  situation('completed', 'staff', 'call', staff('approve', 'check-in', 'complete'), completed),
  situation(
    'completed, to its patient',
    'patient',
    'cancel',
    staff('approve', 'check-in', 'complete'),
    completed,
  ),
  situation(
    'on another day',
    'staff',
    'check-in',
    staff('approve'),
    [
      'Check-in hanya dapat dilakukan pada hari janji temu, 23 November 2026.',
      'Patients can be checked in on the day of the booking alone, 23 November 2026.',
    ],
    24 * 60,
  ),
  situation('not begun', 'staff', 'no-show', staff('approve'), [
    'Janji temu ini belum dimulai. Ketidakhadiran dapat dicatat mulai 23 November 2026, pukul 09.00.',
    'This booking has not begun. The patient can be recorded as absent from 23 November 2026, 09:00 on.',
  ]),
  situation('begun, to its patient who cancels', 'patient', 'cancel', [], begun, 0),
  situation('begun, to its patient who moves it', 'patient', 'reschedule', [], begun, 0),
];

const toTen = { schedule_date: '2026-11-23', schedule_time: '10:00:00' };
const languages = ['id', 'en'] as const;

const bothSentences = async (
  world: Awaited<ReturnType<typeof createWorld>>,
  clinic: Clinic,
  id: string,
  who: Who,
  verb: string,
) => {
  const answers: string[] = [];
  for (const language of languages) {
    const { status, body } = await act(world, clinic[who], id, verb, toTen, { 'Accept-Language': language });
    expect([status, body.code]).toEqual([409, 'invalid_transition']);
    answers.push(body.message);
  }
  return answers;
};

describe('a change that the state does not allow is refused with what is the matter', () => {
  it.each(situations)('$name: $verb', async ({ who, verb, done, at, id: indonesian, en }) => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    for (const [by, before] of done) expect((await act(world, clinic[by], id, before)).status).toBe(200);
    if (at !== undefined) world.clock.now = startsAt + at * 60_000;
    expect(await bothSentences(world, clinic, id, who, verb)).toEqual([indonesian, en]);
  });

  it('names the no-show to the clinic, and what to do to the patient', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'approve');
    world.clock.now = startsAt;
    expect((await act(world, clinic.staff, id, 'no-show')).status).toBe(200);
    expect(await bothSentences(world, clinic, id, 'staff', 'check-in')).toEqual(noShow);
    expect(await bothSentences(world, clinic, id, 'patient', 'cancel')).toEqual([
      'Anda tercatat tidak hadir pada janji temu ini. Silakan hubungi klinik atau buat janji temu baru.',
      'You were recorded as not having come. Please contact the clinic or make a new booking.',
    ]);
  });

  it('names the lead time that the setting asks of patients', async () => {
    const world = await createWorld({ CANCEL_LEAD_MINUTES: '180' });
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    expect(await bothSentences(world, clinic, id, 'patient', 'cancel')).toEqual([
      'Janji temu hanya dapat dibatalkan atau dijadwalkan ulang paling lambat 3 jam sebelumnya. Silakan hubungi klinik.',
      'A booking can be canceled or moved until 3 hours before it starts. Please contact the clinic.',
    ]);
  });
});

describe('a booking that is refused', () => {
  const refusedTo = async (
    world: Awaited<ReturnType<typeof createWorld>>,
    clinic: Clinic,
    who: Who,
    schedule_time: string,
  ) => {
    const body = {
      doctor_id: clinic.practice.doctorId,
      session_id: clinic.practice.sessionId,
      schedule_date: '2026-11-23',
      schedule_time,
      ...(who === 'staff' && { patient_id: clinic.patient.id }),
    };
    const answers = languages.map((language) =>
      world.request('/v1/bookings', {
        token: clinic[who].token,
        body,
        headers: { 'Accept-Language': language },
      }),
    );
    return (await Promise.all(answers)).map((answer) => answer.body.message);
  };

  it('speaks to the patient of an overlap as "Anda", and to the clinic of the patient', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    await book(world, clinic);
    expect(await refusedTo(world, clinic, 'patient', '09:00:00')).toEqual([
      'Anda sudah memiliki janji temu lain pada waktu tersebut. Silakan pilih waktu lain.',
      'You already have another booking at that time. Please choose another time.',
    ]);
    expect(await refusedTo(world, clinic, 'staff', '09:00:00')).toEqual([
      'Pasien sudah memiliki janji temu lain pada waktu tersebut.',
      'The patient already has another booking at that time.',
    ]);
  });

  it.each([1, 2])('names the limit of coming bookings: %i', async (limit) => {
    const world = await createWorld({ MAX_LIVE_BOOKINGS: String(limit) });
    const clinic = await createClinic(world);
    for (const schedule_time of ['09:00:00', '09:30:00'].slice(0, limit))
      await book(world, clinic, { schedule_time });
    expect(await refusedTo(world, clinic, 'patient', '11:00:00')).toEqual([
      `Anda sudah mencapai batas ${limit} janji temu mendatang. Batalkan salah satu atau hubungi klinik.`,
      `You have reached the limit of ${limit} coming booking${limit === 1 ? '' : 's'}. Cancel one or contact the clinic.`,
    ]);
  });

  it.each([
    ['30', '30 menit', '30 minutes'],
    ['60', '60 menit', '60 minutes'],
    ['240', '4 jam', '4 hours'],
  ])('names the notice of %s minutes', async (MIN_NOTICE_MINUTES, indonesian, en) => {
    const world = await createWorld({ MIN_NOTICE_MINUTES }, startsAt - 60_000);
    const clinic = await createClinic(world);
    expect(await refusedTo(world, clinic, 'patient', '09:00:00')).toEqual([
      `Pemesanan untuk jadwal ini sudah ditutup (paling lambat ${indonesian} sebelumnya). Silakan pilih jadwal lain.`,
      `Booking for this slot has closed (${en} before it starts at the latest). Please choose another one.`,
    ]);
  });
});

describe('a booking that was made or moved', () => {
  it('says that it waits for the clinic while it does, and no more once it is approved', async () => {
    const world = await createWorld({}, mondayMorning);
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const waiting = await act(world, clinic.patient, id, 'reschedule', toTen);
    expect(waiting.body.message).toBe(
      'Janji temu berhasil dijadwalkan ulang dan sedang menunggu persetujuan klinik.',
    );
    await act(world, clinic.staff, id, 'approve');
    const toEleven = { ...toTen, schedule_time: '11:00:00' };
    const moved = await act(world, clinic.staff, id, 'reschedule', toEleven, { 'Accept-Language': 'en' });
    expect(moved.body.message).toBe('The booking was moved.');
  });

  it('says the same again when the request is repeated under its key', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const headers = { 'Idempotency-Key': 'pindah-sekali' };
    const first = await act(world, clinic.patient, id, 'reschedule', toTen, headers);
    const again = await act(world, clinic.patient, id, 'reschedule', toTen, headers);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });
});
