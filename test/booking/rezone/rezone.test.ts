import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { clinic } from '../../../src/core/tables/catalog.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { isHindered, planRezone } from '../../../src/modules/booking/rezone/rezone.ts';
import { createSchedule, createSession } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople } from '../../support/people.ts';
import { moveTo, restartIn } from '../../support/rezone.ts';
import { always, expectAllIn, fullNight } from '../../support/rezone-night.ts';
import { createWorld } from '../../support/world.ts';

describe('moving the clinic to another time zone', () => {
  it.each(['Asia/Makassar', 'Asia/Kathmandu', 'America/New_York'])(
    'moves a full night from Jakarta to %s and back, where every instant was taken by a neighbour',
    async (zone) => {
      const world = await createWorld();
      await fullNight(world);
      const plan = await moveTo(world, zone);
      expect(isHindered(plan)).toBe(false);
      await restartIn(world, zone);
      expect((await expectAllIn(world, zone)).map(({ version }) => version)).toEqual(Array(12).fill(2));
      await moveTo(world, 'Asia/Jakarta');
      await restartIn(world, 'Asia/Jakarta');
      expect((await expectAllIn(world, 'Asia/Jakarta')).map(({ version }) => version)).toEqual(
        Array(12).fill(3),
      );
    },
  );

  it('leaves what patients and the clinic read as it was, but for the instants', async () => {
    const world = await createWorld({ MAX_ADVANCE_DAYS: '365' });
    const people = await createClinic(world, always);
    const winter = await book(world, people, { schedule_date: '2026-12-01' });
    const summer = await book(world, people, { schedule_date: '2027-07-01' });
    await act(world, people.staff, winter, 'approve');
    const history = async () =>
      (await world.request('/v1/bookings/history', { token: people.patient.token })).body.data;
    const dayList = async () =>
      (await world.request('/v1/bookings?date=2026-12-01', { token: people.staff.token })).body.data;
    const before = { history: await history(), day: await dayList() };
    world.clock.now += 60_000;
    await moveTo(world, 'America/New_York');
    await restartIn(world, 'America/New_York');
    expect(await history()).toEqual(before.history);
    const after = await detail(world, people.patient, winter);
    expect(after).toMatchObject({
      time_zone: 'America/New_York',
      starts_at: '2026-12-01T14:00:00.000Z',
      ends_at: '2026-12-01T14:30:00.000Z',
      cancelable_until: '2026-12-01T14:00:00.000Z',
      status: 'approved',
      queue_number: 1,
      version: 3,
    });
    expect((await detail(world, people.patient, summer)).starts_at).toBe('2027-07-01T13:00:00.000Z');
    const { patient: _, ...listed } = (await dayList())[0];
    expect(listed).toMatchObject({ id: winter, starts_at: after.starts_at, version: 3 });
    const file = await world.request(`/v1/bookings/${winter}/calendar.ics`, { token: people.patient.token });
    expect(file.body).toContain('DTSTART:20261201T140000Z');
    expect(file.body).toContain('DTEND:20261201T143000Z');
    expect(file.body).toContain('SEQUENCE:2');
    const timeline = await world.request(`/v1/bookings/${winter}/events`, { token: people.patient.token });
    expect(timeline.body.data.at(-1)).toMatchObject({
      type: 'booking.rescheduled',
      by: 'system',
      changes: {},
    });
    const events = await world.db.select().from(bookingEvents);
    const told = events
      .filter(({ bookingId }) => bookingId === winter)
      .map(({ payload }) => JSON.parse(payload));
    expect(told.at(-1)).toMatchObject({
      actor_role: 'system',
      previous: {
        doctor_id: told[0].doctor_id,
        schedule_time: told[0].schedule_time,
        starts_at: told[0].starts_at,
        ends_at: told[0].ends_at,
      },
    });
    expect(await findViolations(world.db)).toEqual([]);
    const again = await book(world, people, { schedule_date: '2026-12-01', schedule_time: '09:30:00' });
    expect((await detail(world, people.patient, again)).starts_at).toBe('2026-12-01T14:30:00.000Z');
  });

  it('leaves the order in which those who are there are called, the skipped one too', async () => {
    const world = await createWorld();
    const people = await createClinic(world, { ...always, capacity: 6 });
    world.clock.now = Date.parse('2026-11-23T02:00:00Z');
    const ids: string[] = [];
    for (const [at, { token }] of (await createPeople(world, 4)).entries()) {
      const id = await book(world, people, { schedule_time: `${14 + at}:00:00` }, token);
      await act(world, people.staff, id, 'check-in');
      ids.push(id);
    }
    await act(world, people.staff, ids[0] ?? '', 'call');
    await act(world, people.staff, ids[0] ?? '', 'skip');
    const order = async () => {
      const { body } = await world.request('/v1/queues?date=2026-11-23');
      return body.data[0].waiting.map(({ label }: { label: string }) => label);
    };
    const before = await order();
    expect(before).toEqual(['A-02', 'A-03', 'A-01', 'A-04']);
    for (const zone of ['Asia/Makassar', 'America/New_York', 'Asia/Jakarta']) {
      await moveTo(world, zone);
      await restartIn(world, zone);
      expect([zone, await order()]).toEqual([zone, before]);
    }
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('sets what is over right without an event, since nobody waits for it', async () => {
    const world = await createWorld();
    const people = await createClinic(world);
    const past = await book(world, people);
    const canceled = await book(world, people, { schedule_date: '2026-11-24' });
    await act(world, people.staff, past, 'approve');
    await act(world, people.patient, canceled, 'cancel');
    world.clock.now = Date.parse('2026-11-23T04:00:00Z');
    const eventsBefore = await world.db.select().from(bookingEvents);
    await moveTo(world, 'Asia/Makassar');
    await restartIn(world, 'Asia/Makassar');
    const rows = await expectAllIn(world, 'Asia/Makassar');
    expect(rows.map(({ version }) => version)).toEqual([2, 2]);
    // Whoever reads what was changed since gets the new instants.
    expect(rows.map(({ updatedAt }) => updatedAt)).toEqual([world.clock.now, world.clock.now]);
    const after = await world.db.select().from(bookingEvents);
    expect(after.map(({ sequence }) => sequence)).toEqual(eventsBefore.map(({ sequence }) => sequence));
    expect((await planRezone({ db: world.db, clock: world.deps.clinicTime, now: 0 })).moves).toEqual([]);
  });

  it('refuses while a local time does not exist there, and writes nothing', async () => {
    const world = await createWorld({ MAX_ADVANCE_DAYS: '365' });
    const people = await createClinic(world, always);
    const gap = { schedule_date: '2027-03-14', schedule_time: '02:30:00' };
    const id = await book(world, people, gap);
    await book(world, people);
    const before = await world.db.select().from(bookings);
    const plan = await moveTo(world, 'America/New_York');
    expect(plan.skipped).toMatchObject([{ id, scheduleTime: '02:30:00' }]);
    expect(await world.db.select().from(bookings)).toEqual(before);
    const [row] = await world.db.select().from(clinic);
    expect(row).toMatchObject({ timeZone: 'Asia/Jakarta', rezoningTo: null });
    await book(world, people, { schedule_time: '15:00:00' });
    await act(world, people.patient, id, 'cancel');
    expect(isHindered(await moveTo(world, 'America/New_York'))).toBe(false);
    await restartIn(world, 'America/New_York');
    expect((await detail(world, people.patient, id)).starts_at).toBe('2027-03-14T07:00:00.000Z');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('refuses bookings that would overlap where the clock skips an hour, naming both', async () => {
    const world = await createWorld({ MAX_ADVANCE_DAYS: '365' });
    const people = await createClinic(world, {
      startTime: '01:30:00',
      endTime: '02:30:00',
      slotMinutes: 60,
    });
    const sessionId = await createSession(world, 'Kontrol');
    const { doctorId } = people.practice;
    await createSchedule(world, {
      doctorId,
      sessionId,
      weekday: 7,
      startTime: '03:00:00',
      endTime: '04:00:00',
    });
    const sunday = { schedule_date: '2027-03-14' };
    const first = await book(world, people, { ...sunday, schedule_time: '01:30:00' });
    const late = { ...sunday, schedule_time: '03:00:00', session_id: sessionId };
    const second = await book(world, people, late, people.stranger.token);
    const weekLater = { schedule_date: '2027-03-21', schedule_time: '01:30:00' };
    await book(world, people, weekLater);
    const plan = await moveTo(world, 'America/New_York');
    expect(plan.overlapping.map((pair) => pair.map(({ id }) => id))).toEqual([[first, second]]);
    expect(isHindered(await moveTo(world, 'Asia/Makassar'))).toBe(false);
  });
});
