import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { explainSeat } from '../../../src/modules/booking/seats/queries.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { act, createClinic } from '../../support/clinic-people.ts';
import { createPerson } from '../../support/people.ts';
import { planOf, queryOf } from '../../support/plans.ts';
import { createWorld, type World } from '../../support/world.ts';

const mail = { MAIL_API_URL: 'https://mail.example/send' };
const hour = 3_600_000;

/** The nth slot of the practice: sixteen a day from Tuesday on. */
const nth = (at: number) => {
  const minutes = 8 * 60 + (at % 16) * 30;
  const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`;
  return { schedule_date: `2026-11-${24 + Math.floor(at / 16)}`, schedule_time: time };
};

const setUp = async (settings: Record<string, string>) => {
  const world = await createWorld(settings);
  const practice = await createPractice(world);
  const patient = await createPerson(world);
  const staff = await createPerson(world, 'staff');
  const book = (at: number, token = patient.token, more: object = {}, headers = {}) =>
    world.request('/v1/bookings', { token, headers, body: bookingInput(practice, { ...nth(at), ...more }) });
  return { world, practice, patient, staff, book };
};

const rowsOf = (world: World) => world.db.select({ id: bookings.id }).from(bookings);

describe('what an account books and moves in an hour', () => {
  const many = { RATE_LIMIT: 'on', MAX_LIVE_BOOKINGS: '0' };

  it('ends at sixty, with the headers that say when it goes on, and replays do not count', async () => {
    const { world, book } = await setUp(many);
    const keyed = { 'Idempotency-Key': 'satu' };
    const first = await book(0, undefined, {}, keyed);
    for (let at = 0; at < 5; at++) {
      const again = await book(0, undefined, {}, keyed);
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
    }
    world.clock.now += 60_000;
    for (let at = 1; at < 60; at++) expect((await book(at)).status).toBe(201);
    const refused = await book(60);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.body.message).toContain('60 janji temu');
    expect(refused.headers.get('Retry-After')).toBe('3540');
    expect(refused.headers.get('RateLimit-Policy')).toBe('"bookings";q=60;w=3600');
    expect(refused.headers.get('RateLimit')).toBe('"bookings";r=0;t=3540');
    expect((await book(0, undefined, {}, keyed)).headers.get('Idempotency-Replayed')).toBe('true');
    world.clock.now += 3_540_000;
    expect((await book(60)).status).toBe(201);
    expect((await book(61)).status).toBe(429);
    expect(await rowsOf(world)).toHaveLength(61);
  });

  it('counts a move as well, and lets a cancel through', async () => {
    const { world, patient, book } = await setUp(many);
    const id = (await book(0)).body.data.id;
    for (let at = 1; at < 60; at++)
      expect((await act(world, patient, id, 'reschedule', nth(at))).status).toBe(200);
    expect(await act(world, patient, id, 'reschedule', nth(60))).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
    expect((await act(world, patient, id, 'cancel')).status).toBe(200);
    expect((await book(61)).status).toBe(429);
  });

  it('is decided in the write itself: of eighty at once, sixty are made', async () => {
    const { world, book } = await setUp(many);
    const answers = await Promise.all(Array.from({ length: 80 }, (_, at) => book(at)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    expect(await rowsOf(world)).toHaveLength(60);
  });

  it('binds one account and no other, and never the clinic', async () => {
    const { world, patient, staff, book } = await setUp(many);
    for (let at = 0; at < 60; at++) await book(at);
    const other = await createPerson(world);
    expect((await book(60, other.token)).status).toBe(201);
    for (let at = 61; at < 65; at++)
      expect((await book(at, staff.token, { patient_id: patient.id })).status).toBe(201);
    expect((await book(65)).status).toBe(429);
  });

  it('counts only what a doctor books as a patient, not what they book for the own patients', async () => {
    const world = await createWorld(many);
    const clinic = await createClinic(world);
    const { doctor, practice, others } = clinic;
    const own = { token: doctor.token, patient_id: doctor.id };
    for (let at = 0; at < 60; at++) {
      const body = bookingInput(practice, { ...nth(at), patient_id: own.patient_id });
      expect((await world.request('/v1/bookings', { token: own.token, body })).status).toBe(201);
    }
    const elsewhere = { token: doctor.token, body: bookingInput(others, nth(60)) };
    expect((await world.request('/v1/bookings', elsewhere)).status).toBe(201);
  });

  it('is counted by the dates of the account’s own and the events of each', async () => {
    const { db } = await createWorld();
    const names = ['id', 'writeId', 'actorId', 'actorRole', 'actorDoctorId', 'loginId', 'key', 'now'];
    const seat = [
      'patientId',
      'familyAccount',
      'doctorId',
      'sessionId',
      'scheduleDate',
      'startsAt',
      'endsAt',
      'capacity',
      'beyond',
      'ahead',
    ];
    const limits = ['doctorVersion', 'clinicVersion', 'maxComing', 'maxUnproved', 'maxAnHour', 'ahead'];
    const ofSession = ['maxPerDay', 'minDaysBetween', 'openTo', 'approvalAfter', 'waits', 'hold'];
    const values = Object.fromEntries([...names, ...seat, ...limits, ...ofSession].map((name) => [name, 1]));
    const plan = await planOf(db, queryOf(explainSeat(db, values as Parameters<typeof explainSeat>[1])));
    const counted = plan.filter((step) => /\bSEARCH m\b/.test(step));
    expect(counted.length).toBeGreaterThan(0);
    for (const step of counted) expect(step).toContain('INDEX booking_events_version (booking_id=?)');
    expect(plan.filter((step) => /\bSCAN (o|m|bookings)\b/.test(step))).toEqual([]);
  });

  it('is lifted by RATE_LIMIT=off', async () => {
    const { book } = await setUp({ ...many, RATE_LIMIT: 'off' });
    for (let at = 0; at < 62; at++) expect((await book(at)).status).toBe(201);
  });
});

describe('what an account writes into its bookings in an hour', () => {
  const limited = { RATE_LIMIT: 'on' };

  it('ends at sixty notes and answers together, with the headers that say when it goes on; the clinic goes on', async () => {
    const { world, practice, patient, staff, book } = await setUp(limited);
    const admin = await createPerson(world, 'admin');
    const questions = [{ id: 'alergi', type: 'text', label: 'Alergi?' }];
    const path = `/v1/admin/sessions/${practice.sessionId}`;
    await world.request(path, { method: 'PATCH', token: admin.token, body: { questions } });
    const [first, second] = [(await book(0)).body.data.id, (await book(1)).body.data.id];
    const note = (at: number, id = first, token = patient.token) =>
      world.request(`/v1/bookings/${id}`, { method: 'PATCH', token, body: { notes: `Batuk ${at}.` } });
    const answer = (at: number, id = second, token = patient.token) =>
      world.request(`/v1/bookings/${id}/answers`, {
        method: 'PUT',
        token,
        body: { answers: [{ id: 'alergi', value: `Udang ${at}` }] },
      });
    expect((await note(0)).status).toBe(200);
    world.clock.now += 60_000;
    for (let at = 1; at < 60; at++) expect((await (at % 2 === 0 ? note : answer)(at)).status).toBe(200);
    for (const refused of [
      await note(60),
      await answer(60),
      await note(60, second),
      await answer(60, first),
    ]) {
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(refused.body.message).toContain('60 kali');
      expect(refused.headers.get('Retry-After')).toBe('3540');
      expect(refused.headers.get('RateLimit-Policy')).toBe('"changes";q=60;w=3600');
      expect(refused.headers.get('RateLimit')).toBe('"changes";r=0;t=3540');
    }
    // The same answers change nothing, the clinic has no limit, and booking has one of its own.
    expect((await answer(59)).status).toBe(200);
    expect((await note(61, first, staff.token)).status).toBe(200);
    expect((await answer(61, second, staff.token)).status).toBe(200);
    expect((await act(world, patient, first, 'cancel')).status).toBe(200);
    world.clock.now += 3_540_000;
    expect((await note(62, second)).status).toBe(200);
    expect((await note(63, second)).status).toBe(429);
  });

  it('is decided in the write itself, and not limited where limits are off', async () => {
    for (const [settings, most] of [
      [limited, 60],
      [{}, 70],
    ] as const) {
      const { world, patient, book } = await setUp(settings);
      const id = (await book(0)).body.data.id;
      let written = 0;
      for (let turn = 0; turn < 7; turn++) {
        const body = (at: number) => ({ notes: `Batuk ${turn} ${at}.` });
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, at) =>
            world.request(`/v1/bookings/${id}`, { method: 'PATCH', token: patient.token, body: body(at) }),
          ),
        );
        written += answers.filter(({ status }) => status === 200).length;
      }
      expect(written).toBe(most);
    }
  });
});

describe('an account that has not proved its e-mail', () => {
  it('holds two coming bookings where mail can leave, and more once it is proved', async () => {
    const { world, patient, book } = await setUp(mail);
    const first = await book(0);
    expect((await book(1)).status).toBe(201);
    const refused = await book(2);
    expect(refused).toMatchObject({ status: 409, body: { code: 'email_unproved' } });
    expect(refused.body.message).toContain('2 janji temu');
    await act(world, patient, first.body.data.id, 'cancel');
    const second = await book(2);
    expect(second.status).toBe(201);
    expect((await book(3)).status).toBe(409);
    const moved = await act(world, patient, second.body.data.id, 'reschedule', nth(5));
    expect(moved.status).toBe(200);
    await world.db.update(users).set({ emailProvedAt: world.clock.now });
    expect((await book(3)).status).toBe(201);
  });

  it('holds two however many it asks for at once', async () => {
    const { world, book } = await setUp(mail);
    const answers = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((at) => book(at)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(await rowsOf(world)).toHaveLength(2);
  });

  it('is not asked for proof where no mail can leave, or where limits of number are lifted', async () => {
    const without = await setUp({});
    for (let at = 0; at < 4; at++) expect((await without.book(at)).status).toBe(201);
    for (const settings of [{ MAX_LIVE_BOOKINGS: '0' }, { MAX_UNPROVED_BOOKINGS: '0' }]) {
      const lifted = await setUp({ ...mail, ...settings });
      for (let at = 0; at < 4; at++) expect((await lifted.book(at)).status).toBe(201);
    }
  });

  it('holds as many as the clinic says, and as many more as the clinic books for it', async () => {
    const { patient, staff, book } = await setUp({ ...mail, MAX_UNPROVED_BOOKINGS: '3' });
    for (let at = 0; at < 3; at++) expect((await book(at)).status).toBe(201);
    expect((await book(3)).body.code).toBe('email_unproved');
    expect((await book(3, staff.token, { patient_id: patient.id })).status).toBe(201);
  });

  it('counts only coming bookings, not past ones', async () => {
    const { world, book } = await setUp(mail);
    await book(0);
    await book(1);
    world.clock.now += 27 * hour;
    expect((await book(16)).status).toBe(201);
  });
});

describe('the limit of coming bookings', () => {
  it('binds patients, and not the clinic that books for them', async () => {
    const world = await createWorld({ MAX_LIVE_BOOKINGS: '1' });
    const clinic = await createClinic(world);
    const { patient, staff, practice } = clinic;
    const book = (token: string, at: number) =>
      world.request('/v1/bookings', {
        token,
        body: bookingInput(practice, { ...nth(at), patient_id: patient.id }),
      });
    expect((await book(patient.token, 0)).status).toBe(201);
    expect((await book(patient.token, 1)).body.code).toBe('too_many_bookings');
    expect((await book(staff.token, 1)).status).toBe(201);
  });
});
