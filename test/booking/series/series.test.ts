import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/tables/bookings.ts';
import { replays } from '../../../src/tables/idempotency.ts';
import { bookingEvents } from '../../../src/tables/webhooks.ts';
import { bookingInput, createClosure } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople } from '../../support/people.ts';
import { createWorld, type Got, type World } from '../../support/world.ts';

type Clinic = Awaited<ReturnType<typeof createClinic>>;

const start = async (settings: Record<string, string> = {}, now?: number) => {
  const world = await createWorld(settings, now);
  return { world, clinic: await createClinic(world) };
};

const inSeries = (clinic: Clinic, fields: Record<string, unknown> = {}) =>
  bookingInput(clinic.practice, { every_days: 7, count: 4, ...fields });

const ask = (
  world: World,
  clinic: Clinic,
  fields: Record<string, unknown> = {},
  token = clinic.patient.token,
  headers: Record<string, string> = {},
) => world.request('/v1/bookings/series', { token, body: inSeries(clinic, fields), headers });

const mondays = ['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14'];
const second = { schedule_date: '2026-11-30' };
const resultsOf = ({ body }: Got) =>
  (body.data ?? body).results.map((one: { result: string }) => one.result).join(' ');
const timesOf = ({ body }: Got) =>
  body.data.results.map((one: { booking: { schedule_time: string } }) => one.booking?.schedule_time ?? null);
const countOf = async (world: World) => (await world.db.select().from(bookings)).length;

describe('a series', () => {
  it('is refused as one booking is: for an unknown doctor or session, and to a colleague who names a patient', async () => {
    const { world, clinic } = await start();
    const unknown = crypto.randomUUID();
    const named = { patient_id: clinic.patient.id };
    const answers = [
      await ask(world, clinic, { doctor_id: unknown }),
      await ask(world, clinic, { session_id: unknown }),
      await ask(world, clinic, named, clinic.otherDoctor.token),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      '422 doctor_not_found',
      '422 session_not_offered',
      '403 forbidden',
    ]);
    expect(await countOf(world)).toBe(0);
  });

  it('is booked at the same time of each date, and each booking names it', async () => {
    const { world, clinic } = await start();
    const made = await ask(world, clinic);
    expect([made.status, resultsOf(made)]).toEqual([200, 'booked booked booked booked']);
    const { id, results } = made.body.data;
    expect(results.map((one: { schedule_date: string }) => one.schedule_date)).toEqual(mondays);
    expect(results[0].booking).toMatchObject({ id, status: 'waiting', schedule_time: '09:00:00' });
    for (const { booking } of results)
      expect(await detail(world, clinic.patient, booking.id)).toMatchObject({
        series_id: id,
        queue_label: 'A-01',
        queue_number: 1,
      });
    const events = await world.db.select().from(bookingEvents);
    expect(events.map(({ payload }) => JSON.parse(payload).series_id)).toEqual([id, id, id, id]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('goes by days of the week, from the first of them on', async () => {
    const { world, clinic } = await start();
    const made = await ask(world, clinic, { weekdays: [2, 5] });
    const dates = made.body.data.results.map((one: { schedule_date: string }) => one.schedule_date);
    expect(dates).toEqual(['2026-11-24', '2026-11-27', '2026-12-01', '2026-12-04']);
  });

  it.each([
    [{ every_days: 0 }, 'every_days'],
    [{ weekdays: [] }, 'weekdays'],
    [{ weekdays: [8] }, 'weekdays.0'],
    [{ count: 27 }, 'count'],
  ])('is refused with %j', async (fields, path) => {
    const { world, clinic } = await start();
    const refused = await ask(world, clinic, fields);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [path]]);
  });

  it('ends with the calendar', async () => {
    const { world, clinic } = await start();
    const last = { schedule_date: '9999-12-31', on_conflict: 'skip' };
    const refused = await ask(world, clinic, last);
    expect(refused.body.results).toMatchObject([{ code: 'slot_unavailable', reason: 'too_far' }]);
  });

  it('keeps the local time where the clock changes', async () => {
    const { world, clinic } = await start(
      { CLINIC_TIME_ZONE: 'Europe/Berlin' },
      Date.parse('2027-03-20T00:00:00Z'),
    );
    const made = await ask(world, clinic, { schedule_date: '2027-03-21', count: 3 });
    expect(timesOf(made)).toEqual(['09:00:00', '09:00:00', '09:00:00']);
    const rows = await world.db.select().from(bookings);
    expect(rows.map(({ startsAt }) => new Date(startsAt).toISOString().slice(11, 16)).sort()).toEqual([
      '07:00',
      '07:00',
      '08:00',
    ]);
  });
});

describe('a date that cannot be booked', () => {
  const taken = async (settings: Record<string, string> = {}) => {
    const { world, clinic } = await start(settings);
    await book(world, clinic, second, clinic.stranger.token);
    return { world, clinic };
  };

  it('makes `fail` book nothing, and says what stands in the way of each', async () => {
    const { world, clinic } = await taken();
    await createClosure(world, { startDate: '2026-12-14' });
    const refused = await ask(world, clinic);
    expect([refused.status, refused.body.code]).toEqual([409, 'series_conflict']);
    expect(refused.body.results).toMatchObject([
      { result: 'free', code: null },
      { result: 'refused', code: 'slot_full' },
      { result: 'free', booking: null },
      { result: 'refused', code: 'slot_unavailable', reason: 'holiday' },
    ]);
    expect(await countOf(world)).toBe(1);
  });

  it('is left out with `skip`', async () => {
    const { world, clinic } = await taken();
    const made = await ask(world, clinic, { on_conflict: 'skip' });
    expect([made.status, resultsOf(made)]).toEqual([200, 'booked refused booked booked']);
    expect(await countOf(world)).toBe(4);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('gets the nearest slot of the same doctor and day with `nearest`', async () => {
    const { world, clinic } = await taken();
    // The patient is elsewhere at half past nine, so that half past eight is the nearest.
    await book(world, clinic, { ...second, schedule_time: '09:30:00' });
    await createClosure(world, { startDate: '2026-12-07' });
    const made = await ask(world, clinic, { on_conflict: 'nearest' });
    expect(resultsOf(made)).toBe('booked nearest refused booked');
    expect(timesOf(made)).toEqual(['09:00:00', '08:30:00', null, '09:00:00']);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is off the grid on every date: nothing can be left out, so nothing is made', async () => {
    const { world, clinic } = await start();
    const refused = await ask(world, clinic, { schedule_time: '09:10:00', on_conflict: 'skip' });
    expect([refused.status, resultsOf(refused)]).toEqual([409, 'refused refused refused refused']);
    const near = await ask(world, clinic, { schedule_time: '09:10:00', on_conflict: 'nearest' });
    expect(timesOf(near)).toEqual(['09:00:00', '09:00:00', '09:00:00', '09:00:00']);
  });

  it('is one at which the patient is busy', async () => {
    const { world, clinic } = await start();
    await book(world, clinic, second);
    expect((await ask(world, clinic)).body.results[1]).toMatchObject({ code: 'patient_busy' });
  });
});

describe('the limits count each booking of a series', () => {
  const refusedBy = async (settings: Record<string, string>, count: number) => {
    const { world, clinic } = await start(settings);
    await book(world, clinic, { schedule_time: '15:00:00' });
    const enough = await ask(world, clinic, { every_days: 1, count: count - 1 });
    expect(enough.status).toBe(200);
    const more = await ask(world, clinic, { schedule_time: '11:00:00', every_days: 1, count: 2 });
    return { world, clinic, more };
  };

  it('of coming bookings', async () => {
    const { world, clinic, more } = await refusedBy({ MAX_LIVE_BOOKINGS: '5' }, 4);
    expect(more.body.results).toMatchObject([
      { result: 'free' },
      { result: 'refused', code: 'too_many_bookings' },
    ]);
    const skipped = await ask(world, clinic, {
      schedule_time: '11:00:00',
      every_days: 1,
      count: 2,
      on_conflict: 'skip',
    });
    expect(resultsOf(skipped)).toBe('booked refused');
    const byStaff = { schedule_time: '13:00:00', patient_id: clinic.patient.id };
    expect((await ask(world, clinic, byStaff, clinic.staff.token)).status).toBe(200);
  });

  it('of an account whose e-mail is not proved', async () => {
    const { more } = await refusedBy({ MAIL_API_URL: 'https://mail.example', MAX_UNPROVED_BOOKINGS: '3' }, 2);
    expect(more.body.results[1]).toMatchObject({ code: 'email_unproved' });
  });

  it('made in an hour', async () => {
    const { world, clinic } = await start({ RATE_LIMIT: 'on', MAX_LIVE_BOOKINGS: '0' });
    const days = { every_days: 1, count: 26 };
    for (const schedule_time of ['09:00:00', '10:00:00'])
      expect((await ask(world, clinic, { ...days, schedule_time })).status).toBe(200);
    const late = { ...days, schedule_time: '11:00:00' };
    const refused = await ask(world, clinic, late);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3600']);
    expect(resultsOf(await ask(world, clinic, { ...late, on_conflict: 'skip' }))).toMatch(
      /^(booked ){8}(refused ?){18}$/,
    );
  });

  it('and the window holds for each date', async () => {
    const { world, clinic } = await start();
    const far = { schedule_date: '2027-02-15', count: 2 };
    expect((await ask(world, clinic, far)).body.results).toMatchObject([
      { result: 'free' },
      { code: 'slot_unavailable', reason: 'too_far' },
    ]);
    const byStaff = { ...far, patient_id: clinic.patient.id };
    const made = await ask(world, clinic, byStaff, clinic.staff.token);
    expect(made.body.data.results[1].booking.status).toBe('approved');
  });
});

describe('one atomic step', () => {
  it('books 26 dates in two round trips', async () => {
    const { world, clinic } = await start({ MAX_LIVE_BOOKINGS: '0' });
    const seen = beforeRoundTrip(world, 99, async () => {});
    const made = await ask(world, clinic, { every_days: 1, count: 26 });
    expect([made.status, made.body.data.results.length, seen.roundTrips]).toEqual([200, 26, 2]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('books none where one slot is lost between reading and writing', async () => {
    const { world, clinic } = await start();
    beforeRoundTrip(world, 2, () => book(world, clinic, second, clinic.stranger.token));
    const refused = await ask(world, clinic);
    expect([refused.status, resultsOf(refused)]).toEqual([409, 'free refused free free']);
    expect(await countOf(world)).toBe(1);
  });

  it('decides again where the calendar changed between them', async () => {
    const { world, clinic } = await start();
    beforeRoundTrip(world, 2, async () => {
      const body = { name: 'Libur', start_date: '2026-12-07', end_date: '2026-12-07' };
      expect((await world.request('/v1/admin/closures', { token: clinic.admin.token, body })).status).toBe(
        201,
      );
    });
    expect(resultsOf(await ask(world, clinic))).toBe('free free refused free');
  });

  it('gives no seat twice to many at once', async () => {
    const { world, clinic } = await start();
    const people = await createPeople(world, 8);
    const answers = await Promise.all(
      people.map(({ token }, at) =>
        ask(world, clinic, { on_conflict: (['fail', 'skip', 'nearest'] as const)[at % 3] }, token),
      ),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const rows = await world.db.select().from(bookings);
    expect(rows.filter(({ scheduleTime }) => scheduleTime === '09:00:00')).toHaveLength(4);
    // All or none.
    for (const { status, body } of answers.filter((_, at) => at % 3 === 0))
      if (status === 200)
        expect(new Set(body.data.results.map((one: { result: string }) => one.result)).size).toBe(1);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('answers a repeat under its key with the same, and stores no answer to a refusal', async () => {
    const { world, clinic } = await start();
    const keyed = { 'Idempotency-Key': 'rangkaian-1' };
    await book(world, clinic, second, clinic.stranger.token);
    expect((await ask(world, clinic, {}, undefined, keyed)).status).toBe(409);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask(world, clinic, { on_conflict: 'skip' }, undefined, keyed)),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect([await countOf(world), (await world.db.select().from(replays)).length]).toEqual([4, 1]);
  });
});

describe('to cancel a series', () => {
  const cancel = (world: World, id: string, token: string, body: object = {}) =>
    world.request(`/v1/bookings/series/${id}/cancel`, { token, body });

  const booked = async (settings: Record<string, string> = {}) => {
    const { world, clinic } = await start(settings);
    const { body } = await ask(world, clinic);
    const ids: string[] = body.data.results.map((one: { booking: { id: string } }) => one.booking.id);
    return { world, clinic, id: body.data.id as string, ids };
  };

  it('answers alike to a request that is sent twice at once', async () => {
    const { world, clinic } = await start();
    const made = await ask(world, clinic);
    const path = `/v1/bookings/series/${made.body.data.id}/cancel`;
    const sent = { token: clinic.patient.token, body: {}, headers: { 'Idempotency-Key': 'batal-1' } };
    let first: Got | undefined;
    // Before the write the desk approves one of them; before they are read again the twin has canceled them.
    const approve = `/v1/bookings/${made.body.data.results[1].booking.id}/approve`;
    const meanwhile = new Map<number, () => Promise<unknown>>([
      [2, () => world.request(approve, { token: clinic.staff.token, body: {} })],
      [
        3,
        async () => {
          first = await world.request(path, sent);
        },
      ],
    ]);
    const { db } = world;
    let trips = 0;
    const batch = async (statements: Parameters<typeof db.batch>[0]) => {
      trips += 1;
      const other = meanwhile.get(trips);
      world.deps.db = db;
      await other?.();
      world.deps.db = watched;
      return db.batch(statements);
    };
    const watched = new Proxy(db, {
      get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
    });
    world.deps.db = watched;
    const second = await world.request(path, sent);
    expect(second.body).toEqual(first?.body);
    expect(second.body.data).toHaveLength(4);
  });

  it('ends what is still to come in one step, each with its event', async () => {
    const { world, clinic, id, ids } = await booked();
    expect((await act(world, clinic.staff, ids[0] ?? '', 'check-in')).status).toBe(200);
    expect((await act(world, clinic.patient, ids[1] ?? '', 'cancel')).status).toBe(200);
    const seen = beforeRoundTrip(world, 99, async () => {});
    const { status, body } = await cancel(world, id, clinic.staff.token, { reason: 'Sembuh' });
    expect([status, seen.roundTrips]).toEqual([200, 2]);
    expect(body.data).toMatchObject([
      { booking_id: ids[2], result: 'canceled' },
      { booking_id: ids[3], result: 'canceled', schedule_time: '09:00:00' },
    ]);
    expect((await detail(world, clinic.patient, ids[3] ?? '')).cancellation).toMatchObject({
      by: 'staff',
      reason: 'Sembuh',
    });
    expect((await detail(world, clinic.patient, ids[0] ?? '')).status).toBe('approved');
    expect(await findViolations(world.db)).toEqual([]);
    expect((await cancel(world, id, clinic.staff.token)).body.data).toEqual([]);
  });

  it('keeps what is too late for the patient', async () => {
    const { world, clinic, id, ids } = await booked({ CANCEL_LEAD_MINUTES: '120' });
    world.clock.now = Date.parse('2026-11-30T08:00:00+07:00');
    const { body } = await cancel(world, id, clinic.patient.token);
    expect(body.data.map((one: { result: string }) => one.result)).toEqual(['kept', 'canceled', 'canceled']);
    expect((await detail(world, clinic.patient, ids[1] ?? '')).status).toBe('waiting');
  });

  it('decides again where one of them changed meanwhile', async () => {
    const { world, clinic, id, ids } = await booked();
    beforeRoundTrip(world, 2, () => act(world, clinic.staff, ids[2] ?? '', 'approve'));
    expect((await cancel(world, id, clinic.patient.token)).body.data).toHaveLength(4);
    const states = await world.db.select().from(bookings);
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['canceled']));
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is for those who may know of it', async () => {
    const { world, clinic, id } = await booked();
    expect((await cancel(world, id, clinic.stranger.token)).status).toBe(404);
    expect((await cancel(world, world.deps.newId(), clinic.staff.token)).status).toBe(404);
  });
});

describe('a follow-up', () => {
  const again = (world: World, clinic: Clinic, id: string, fields: object = {}, token = clinic.staff.token) =>
    world.request(`/v1/bookings/${id}/follow-up`, {
      token,
      body: { from: '2026-11-30', to: '2026-12-06', ...fields },
    });

  it('is the first slot at which the doctor is free and the patient not busy', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    await book(world, clinic, { ...second, schedule_time: '08:00:00' }, clinic.stranger.token);
    await book(world, clinic, { ...second, schedule_time: '08:30:00' });
    const made = await again(world, clinic, id, { notes: 'Kontrol' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ ...second, schedule_time: '09:00:00', status: 'approved' });
    expect(made.headers.get('Location')).toBe(`/v1/bookings/${made.body.data.id}`);
    const late = await again(world, clinic, id, { earliest_time: '10:10:00', latest_time: '12:00:00' });
    expect(late.body.data.schedule_time).toBe('10:30:00');
    const row = await detail(world, clinic.patient, made.body.data.id);
    expect([row.patient.id, row.notes]).toEqual([clinic.patient.id, 'Kontrol']);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('takes the next slot where another one is faster, and a repeat gets the same', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    beforeRoundTrip(world, 3, () =>
      book(world, clinic, { ...second, schedule_time: '08:00:00' }, clinic.stranger.token),
    );
    const sent = {
      token: clinic.staff.token,
      body: { from: '2026-11-30', to: '2026-11-30' },
      headers: { 'Idempotency-Key': 'kontrol-1' },
    };
    const made = await world.request(`/v1/bookings/${id}/follow-up`, sent);
    expect(made.body.data.schedule_time).toBe('08:30:00');
    const repeated = await world.request(`/v1/bookings/${id}/follow-up`, sent);
    expect([repeated.body, repeated.headers.get('Location')]).toEqual([
      made.body,
      made.headers.get('Location'),
    ]);
  });

  it('offers what is near where no slot is free', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    await createClosure(world, { startDate: '2026-11-30', endDate: '2026-12-06' });
    const refused = await again(world, clinic, id);
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_full']);
    expect(refused.body.alternatives[0]).toMatchObject({ schedule_date: '2026-12-07' });
  });

  it('is the clinic’s, and a doctor’s own', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    expect((await again(world, clinic, id, {}, clinic.patient.token)).status).toBe(403);
    expect((await again(world, clinic, id, {}, clinic.doctor.token)).status).toBe(201);
    const other = { doctor_id: world.deps.newId() };
    expect((await again(world, clinic, id, other, clinic.doctor.token)).status).toBe(403);
    expect((await again(world, clinic, id, other)).body.code).toBe('doctor_not_found');
    expect((await again(world, clinic, id, { session_id: world.deps.newId() })).body.code).toBe(
      'session_not_offered',
    );
    expect((await again(world, clinic, id, { to: '2026-11-29' })).status).toBe(422);
    expect((await again(world, clinic, id, { to: '2027-03-02' })).status).toBe(422);
  });
});
