import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { say } from '../../../src/core/endpoint/sentences.ts';
import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { sessions } from '../../../src/core/tables/catalog.ts';
import { patientSources } from '../../../src/core/tables/imports.ts';
import { sessionLimitSentences } from '../../../src/modules/booking/record/sentences.ts';
import { bookingInput, createClosure } from '../../support/clinic.ts';
import { act, book, type Clinic, createClinic } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createTaken, personOf } from '../../support/waitlist.ts';
import { createWorld, type World } from '../../support/world.ts';

type Limits = Partial<
  Pick<typeof sessions.$inferSelect, 'maxPerDay' | 'minDaysBetween' | 'openTo' | 'approval'>
>;

const limit = (world: World, limits: Limits) => world.db.update(sessions).set(limits);

const start = async (limits: Limits, settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world, { capacity: 3 });
  await limit(world, limits);
  const ask = (fields: Record<string, unknown>, token = clinic.patient.token, headers = {}) =>
    world.request('/v1/bookings', { token, headers, body: bookingInput(clinic.practice, fields) });
  return { world, clinic, ask };
};

const on = (day: number, time = '09:00:00') => ({ schedule_date: `2026-11-${day}`, schedule_time: time });
const refused = (reason: string) => ({ status: 422, body: { code: 'slot_unavailable', reason } });

const passed = (world: World) =>
  world.db
    .select({
      detail: securityEvents.detail,
      patientId: securityEvents.patientId,
      by: securityEvents.actorId,
    })
    .from(securityEvents)
    .where(eq(securityEvents.type, 'booking_limit_passed'));

describe('bookings a day of a session', () => {
  it('end at the limit, with a sentence in both languages, and a cancel makes room again', async () => {
    const { world, clinic, ask } = await start({ maxPerDay: 1 });
    const id = await book(world, clinic, on(24));
    const again = await ask(on(24, '10:00:00'));
    expect(again).toMatchObject(refused('day_limit'));
    const said = say(sessionLimitSentences.day_limit, { limit: 1 });
    expect(again.body.message).toBe(said.id);
    const english = await ask(on(24, '10:00:00'), undefined, { 'Accept-Language': 'en' });
    expect(english.body.message).toBe(said.en);
    expect((await ask(on(25))).status).toBe(201);
    await act(world, clinic.patient, id, 'cancel');
    expect((await ask(on(24, '10:00:00'))).status).toBe(201);
  });

  it('are counted for each patient, not for the account', async () => {
    const { world, clinic, ask } = await start({ maxPerDay: 1 });
    const family = await world.request('/v1/family', {
      token: clinic.patient.token,
      body: { name: 'Anak', birth_date: '2019-04-23', relation: 'child' },
    });
    const child = family.body.data.id;
    expect((await ask(on(24))).status).toBe(201);
    expect((await ask({ ...on(24), patient_id: child })).status).toBe(201);
    expect(await ask({ ...on(24, '10:00:00'), patient_id: child })).toMatchObject(refused('day_limit'));
  });

  it('stay one where two requests of a patient come at once', async () => {
    const { world, ask } = await start({ maxPerDay: 1 });
    const answers = await Promise.all([ask(on(24)), ask(on(24, '10:00:00')), ask(on(24, '11:00:00'))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect(await world.db.select().from(bookings)).toHaveLength(1);
  });

  it('are refused by the write itself where another request was faster', async () => {
    const { world, clinic, ask } = await start({ maxPerDay: 1 });
    beforeRoundTrip(world, 2, () => book(world, clinic, on(24, '10:00:00')));
    expect(await ask(on(24))).toMatchObject(refused('day_limit'));
    expect(await world.db.select().from(bookings)).toHaveLength(1);
  });

  it('bind the desk too, which passes them by a flag that the audit names', async () => {
    const { world, clinic, ask } = await start({ maxPerDay: 1 });
    await book(world, clinic, on(24));
    const forThem = { ...on(24, '10:00:00'), patient_id: clinic.patient.id };
    expect(await ask(forThem, clinic.staff.token)).toMatchObject(refused('day_limit'));
    expect(await passed(world)).toEqual([]);
    const made = await ask({ ...forThem, override_limits: true }, clinic.staff.token);
    expect(made.status).toBe(201);
    expect(await passed(world)).toEqual([
      {
        detail: JSON.stringify({ booking_id: made.body.data.id, patient_id: clinic.patient.id }),
        patientId: clinic.patient.id,
        by: clinic.staff.id,
      },
    ]);
    // Where no limit is passed the flag leaves no line.
    const free = { ...on(26), patient_id: clinic.stranger.id, override_limits: true };
    expect((await ask(free, clinic.staff.token)).status).toBe(201);
    expect(await passed(world)).toHaveLength(1);
    const own = await ask({ ...on(25), override_limits: true });
    expect(own).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('hold for moves: within the day it moves freely, to a day with another it does not', async () => {
    const { world, clinic } = await start({ maxPerDay: 1 });
    const id = await book(world, clinic, on(24));
    await book(world, clinic, on(25));
    expect((await act(world, clinic.patient, id, 'reschedule', on(24, '11:00:00'))).status).toBe(200);
    const to = on(25, '11:00:00');
    expect(await act(world, clinic.patient, id, 'reschedule', to)).toMatchObject(refused('day_limit'));
    expect(await act(world, clinic.staff, id, 'reschedule', to)).toMatchObject(refused('day_limit'));
    const asPatient = await act(world, clinic.patient, id, 'reschedule', { ...to, override_limits: true });
    expect(asPatient.status).toBe(403);
    const pass = { ...to, override_limits: true };
    expect((await act(world, clinic.staff, id, 'reschedule', pass)).status).toBe(200);
    expect(await passed(world)).toHaveLength(1);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('are respected when a closure moves bookings: to a day without another booking', async () => {
    const { world, clinic } = await start({ maxPerDay: 1 });
    const id = await book(world, clinic, on(24));
    await book(world, clinic, on(25));
    const { doctorId } = clinic.practice;
    const closure = await createClosure(world, { doctorId, startDate: '2026-11-24' });
    const { body } = await world.request(`/v1/admin/closures/${closure}/resolve`, {
      token: clinic.admin.token,
      body: { action: 'move' },
    });
    expect(body.data).toMatchObject([
      { booking_id: id, result: 'moved', moved_to: { schedule_date: '2026-11-26' } },
    ]);
  });
});

describe('days between two of a session', () => {
  it('apply before and after a booking, and missed or canceled ones do not count', async () => {
    const { world, clinic, ask } = await start({ minDaysBetween: 3 });
    const id = await book(world, clinic, on(26));
    for (const day of [24, 25, 26, 27, 28])
      expect(await ask(on(day, '10:00:00'))).toMatchObject(refused('days_between'));
    const said = say(sessionLimitSentences.days_between, { days: { id: '3 hari', en: '3 days' } });
    expect((await ask(on(27))).body.message).toBe(said.id);
    expect((await ask(on(23))).status).toBe(201);
    expect((await ask(on(29))).status).toBe(201);
    await world.db.update(bookings).set({ noShowAt: 1, status: 'approved' }).where(eq(bookings.id, id));
    expect((await ask(on(26, '12:00:00'))).status).toBe(201);
  });

  it('hold within a series as well', async () => {
    const { world, clinic } = await start({ minDaysBetween: 2 });
    const body = bookingInput(clinic.practice, { ...on(24), every_days: 1, count: 4 });
    const series = (more: object) =>
      world.request('/v1/bookings/series', { token: clinic.patient.token, body: { ...body, ...more } });
    const failed = await series({});
    expect([failed.status, failed.body.code]).toEqual([409, 'series_conflict']);
    const made = await series({ on_conflict: 'nearest' });
    expect(made.body.data.results).toMatchObject([
      { result: 'booked' },
      { result: 'refused', code: 'slot_unavailable', reason: 'days_between' },
      { result: 'booked' },
      { result: 'refused', code: 'slot_unavailable', reason: 'days_between' },
    ]);
    const more = await series({ on_conflict: 'skip', schedule_date: '2026-11-27', count: 2 });
    expect(more.body.results ?? more.body.data.results).toMatchObject([
      { code: 'slot_unavailable', reason: 'days_between' },
      { result: 'booked' },
    ]);
    const token = clinic.staff.token;
    const passes = { ...body, patient_id: clinic.patient.id, override_limits: true };
    const all = await world.request('/v1/bookings/series', {
      token,
      body: { ...passes, schedule_time: '13:00:00' },
    });
    expect(all.status).toBe(200);
    expect(await passed(world)).toHaveLength(4);
  });

  it('are respected by a follow-up', async () => {
    const { world, clinic } = await start({ minDaysBetween: 3 });
    const id = await book(world, clinic, on(24));
    const again = (more: object = {}) =>
      world.request(`/v1/bookings/${id}/follow-up`, {
        token: clinic.staff.token,
        body: { from: '2026-11-25', to: '2026-11-30', ...more },
      });
    expect((await again()).body.data.schedule_date).toBe('2026-11-27');
    expect((await again({ override_limits: true })).body.data.schedule_date).toBe('2026-11-25');
  });

  it('are named by a follow-up between dates at which nothing else stands in the way, so that the clinic may pass them', async () => {
    const { world, clinic } = await start({ minDaysBetween: 5 });
    const only = await book(world, clinic, on(24));
    const within = (more: object = {}) =>
      world.request(`/v1/bookings/${only}/follow-up`, {
        token: clinic.staff.token,
        body: { from: '2026-11-25', to: '2026-11-26', ...more },
      });
    expect(await within()).toMatchObject(refused('days_between'));
    expect((await within({ override_limits: true })).body.data.schedule_date).toBe('2026-11-25');
  });
});

describe('the alternatives to a full slot', () => {
  it('keep the distance too', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { startTime: '09:00:00', endTime: '09:30:00' });
    await limit(world, { minDaysBetween: 2 });
    await book(world, clinic, on(26));
    await book(world, clinic, on(24), clinic.stranger.token);
    const body = bookingInput(clinic.practice, on(24));
    const full = await world.request('/v1/bookings', { token: clinic.patient.token, body });
    expect(full).toMatchObject({ status: 409, body: { code: 'slot_full' } });
    const dates = full.body.alternatives.map((slot: { schedule_date: string }) => slot.schedule_date);
    expect(dates).toEqual(['2026-11-28', '2026-11-29', '2026-11-30']);
  });
});

describe('a session for some patients', () => {
  const came = (world: World, id: string) =>
    world.db.update(bookings).set({ status: 'approved', checkedInAt: 1 }).where(eq(bookings.id, id));

  it('is for new ones, until they have come to a visit', async () => {
    const { world, clinic, ask } = await start({ openTo: 'new' });
    const id = await book(world, clinic, on(24));
    await book(world, clinic, on(25));
    await came(world, id);
    const no = await ask(on(26));
    expect(no).toMatchObject(refused('new_patients_only'));
    expect(no.body.message).toBe(sessionLimitSentences.new_patients_only.id);
    // The other booking moves: whom the session is for was asked when it was made.
    const [, other] = await world.db.select({ id: bookings.id }).from(bookings).orderBy(bookings.startsAt);
    expect((await act(world, clinic.patient, other?.id ?? '', 'reschedule', on(26))).status).toBe(200);
    const followUp = await world.request(`/v1/bookings/${id}/follow-up`, {
      token: clinic.staff.token,
      body: { from: '2026-11-27', to: '2026-11-30' },
    });
    expect(followUp).toMatchObject(refused('new_patients_only'));
  });

  it('is for known ones: who came, or whose record was imported', async () => {
    const { world, clinic, ask } = await start({ openTo: 'all' });
    const id = await book(world, clinic, on(24));
    await limit(world, { openTo: 'known' });
    const no = await ask(on(26));
    expect(no).toMatchObject(refused('known_patients_only'));
    await came(world, id);
    expect((await ask(on(26))).status).toBe(201);
    expect(await ask(on(26), clinic.stranger.token)).toMatchObject(refused('known_patients_only'));
    await world.db
      .insert(patientSources)
      .values({ source: 'lama', externalId: '7', patientId: clinic.stranger.id, createdAt: 1 });
    expect((await ask(on(26), clinic.stranger.token)).status).toBe(201);
  });
});

describe('the waitlist', () => {
  it('offers no seat that the limits keep from the patient, and the next one gets it', async () => {
    const taken = await createTaken();
    const { world, wait, cancel, holder, bookingId, book: take, offersOf, pass, runJob } = taken;
    await limit(world, { maxPerDay: 1 });
    const [limited, free] = [await personOf(world), await personOf(world)];
    expect((await take(limited, { schedule_time: '11:00:00' })).status).toBe(201);
    await wait(limited);
    await wait(free, { latest_time: '09:00:00', earliest_time: '09:00:00' });
    await cancel(holder, bookingId);
    expect(await offersOf(limited)).toEqual([]);
    expect(await offersOf(free)).toHaveLength(1);
    pass(2);
    await runJob();
    expect(await offersOf(limited)).toEqual([]);
  });

  it('accepts none that has become one too many', async () => {
    const { world, wait, cancel, answer, holder, bookingId, book: take, offersOf } = await createTaken();
    const one = await personOf(world);
    const id = await wait(one);
    await cancel(holder, bookingId);
    expect(await offersOf(one)).toHaveLength(1);
    expect((await take(one, { schedule_time: '11:00:00' })).status).toBe(201);
    await limit(world, { maxPerDay: 1 });
    expect(await answer(one, id, 'accept')).toMatchObject(refused('day_limit'));
    await limit(world, { maxPerDay: 2 });
    expect((await answer(one, id, 'accept')).status).toBe(200);
  });
});

describe('visits that were missed', () => {
  const rule = { APPROVAL_AFTER_NO_SHOWS: '2' };
  const dayMs = 86_400_000;

  /** Visits of the patient that were missed, so many days ago. */
  const miss = async (world: World, clinic: Clinic, days: readonly number[]) => {
    for (const ago of days) {
      const id = await book(world, clinic, on(30, `${String(8 + (ago % 8)).padStart(2, '0')}:30:00`));
      const startsAt = world.clock.now - ago * dayMs;
      await world.db
        .update(bookings)
        .set({ status: 'approved', noShowAt: startsAt, startsAt, endsAt: startsAt + 1_800_000 })
        .where(eq(bookings.id, id));
    }
  };

  const listed = async (world: World, clinic: Clinic) =>
    (
      await world.request(
        `/v1/doctors/${clinic.practice.doctorId}/slots?from=2026-11-24&to=2026-11-24&patient_id=${clinic.patient.id}`,
        { token: clinic.patient.token },
      )
    ).body.meta.awaits_approval;

  it('make new bookings wait, as the listing says before, and only those of a year count', async () => {
    const { world, clinic, ask } = await start({ approval: 'automatic' }, rule);
    await miss(world, clinic, [1, 366]);
    expect(await listed(world, clinic)).toBe(false);
    const first = await ask(on(24));
    expect(first.body.data.status).toBe('approved');
    await miss(world, clinic, [364]);
    expect(await listed(world, clinic)).toBe(true);
    const made = await ask(on(25));
    expect(made).toMatchObject({ status: 201, body: { data: { status: 'waiting' } } });
    expect(made.body.message).toContain('persetujuan');
    const moved = await act(world, clinic.patient, first.body.data.id, 'reschedule', on(26));
    expect(moved.body.data.status).toBe('waiting');
    const series = await world.request('/v1/bookings/series', {
      token: clinic.patient.token,
      body: bookingInput(clinic.practice, { ...on(27), count: 2 }),
    });
    expect(
      series.body.data.results.map((one: { booking: { status: string } }) => one.booking.status),
    ).toEqual(['waiting', 'waiting']);
    // The clinic’s own stand at once, and others’ too.
    const desk = await ask({ ...on(28), patient_id: clinic.patient.id }, clinic.staff.token);
    expect(desk.body.data.status).toBe('approved');
    expect((await ask(on(28), clinic.stranger.token)).body.data.status).toBe('approved');
  });

  it('are seen by the write though they are recorded meanwhile', async () => {
    const { world, clinic, ask } = await start({ approval: 'automatic' }, rule);
    await miss(world, clinic, [1]);
    const [id] = await world.db.select({ id: bookings.id }).from(bookings);
    beforeRoundTrip(world, 3, async () => {
      const [row] = await world.db.select().from(bookings);
      if (row === undefined || id === undefined) return;
      await world.db.insert(bookings).values({
        ...row,
        id: world.deps.newId(),
        bookingCode: 'KODELAIN',
        startsAt: row.startsAt - 1,
        seat: 2,
      });
    });
    expect((await ask(on(25))).body.data.status).toBe('waiting');
  });

  it('make an offer of the waitlist wait as well', async () => {
    const taken = await createTaken(rule);
    const { world, wait, cancel, answer, holder, bookingId } = taken;
    await limit(world, { approval: 'automatic' });
    const one = await personOf(world);
    const id = await wait(one);
    const [row] = await world.db.select().from(bookings);
    if (row === undefined) throw new Error('no booking');
    const [a, b] = [world.clock.now - dayMs, world.clock.now - 2 * dayMs];
    for (const startsAt of [a, b])
      await world.db.insert(bookings).values({
        ...row,
        id: world.deps.newId(),
        patientId: one.id,
        bookingCode: `KODE${startsAt}`.slice(-12),
        status: 'approved',
        approvedAt: 1,
        noShowAt: startsAt,
        startsAt,
        endsAt: startsAt + 1,
      });
    await cancel(holder, bookingId);
    const accepted = await answer(one, id, 'accept');
    expect(accepted).toMatchObject({ status: 200, body: { data: { status: 'waiting' } } });
  });
});

describe('a listing for a patient', () => {
  it('closes the slots that the limits close, for whom the caller may ask', async () => {
    const { world, clinic } = await start({ maxPerDay: 1, minDaysBetween: 2 });
    await book(world, clinic, on(24));
    const { doctorId, sessionId } = clinic.practice;
    const one = `/v1/doctors/${doctorId}/slots?from=2026-11-24&to=2026-11-26&include=unavailable`;
    const all = `/v1/slots?from=2026-11-24&to=2026-11-26&include=unavailable&session_id=${sessionId}`;
    const reasons = async (path: string, token?: string) => {
      const { status, body } = await world.request(path, { token });
      if (status !== 200) return [status, body.code];
      const found = body.data.map((slot: { schedule_date: string; reason?: string }) => [
        slot.schedule_date.slice(-2),
        slot.reason ?? 'open',
      ]);
      return [...new Set(found.map((pair: string[]) => pair.join(' ')))];
    };
    const closed = ['24 day_limit', '25 days_between', '26 open'];
    for (const path of [one, all]) {
      const own = `${path}&patient_id=${clinic.patient.id}`;
      expect(await reasons(own, clinic.patient.token)).toEqual(closed);
      expect(await reasons(own, clinic.staff.token)).toEqual(closed);
      expect(await reasons(own, clinic.doctor.token)).toEqual(closed);
      expect(await reasons(path, clinic.patient.token)).toEqual(['24 open', '25 open', '26 open']);
      for (const token of [undefined, clinic.stranger.token, clinic.otherDoctor.token])
        expect(await reasons(own, token)).toEqual([400, 'invalid_query']);
    }
  });
});
