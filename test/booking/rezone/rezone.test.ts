import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHindered, planRezone } from '../../../src/booking/rezone/rezone.ts';
import { type Group, movesTo } from '../../../src/booking/rezone/rules.ts';
import { ensureClinic } from '../../../src/clinic/row.ts';
import { createClinicTime } from '../../../src/clinic/time.ts';
import { bookings } from '../../../src/tables/bookings.ts';
import { clinic } from '../../../src/tables/catalog.ts';
import { bookingEvents } from '../../../src/tables/webhooks.ts';
import { bookingInput, createPractice, createSchedule, createSession } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople } from '../../support/people.ts';
import { moveTo, restartIn } from '../../support/rezone.ts';
import { createWorld, type World } from '../../support/world.ts';
import { runs, zones } from '../../support/zones.ts';

const always = { startTime: '00:00:00', endTime: '24:00:00', capacity: 2 };

const expectAllIn = async (world: World, zone: string) => {
  const clock = createClinicTime(zone);
  const rows = await world.db.select().from(bookings);
  for (const row of rows) {
    const [hours = 0, minutes = 0] = row.scheduleTime.split(':').map(Number);
    expect([row.scheduleDate, row.scheduleTime, row.startsAt]).toEqual([
      row.scheduleDate,
      row.scheduleTime,
      clock.instantOf(row.scheduleDate, hours * 60 + minutes),
    ]);
    expect(row.endsAt - row.startsAt).toBe(30 * 60_000);
  }
  expect(await findViolations(world.db)).toEqual([]);
  return rows;
};

/** A night of neighbouring half hours, all of one doctor's first seat, across midnight. */
const fullNight = async (world: World) => {
  const practice = await createPractice(world, always);
  const people = await createPeople(world, 3);
  const times = ['22:30:00', '23:00:00', '23:30:00', '00:00:00', '00:30:00', '01:00:00'];
  for (const [at, schedule_time] of times.entries()) {
    const body = bookingInput(practice, {
      schedule_date: at < 3 ? '2026-11-24' : '2026-11-25',
      schedule_time,
    });
    const { status } = await world.request('/v1/bookings', { token: people[at % 2]?.token, body });
    expect(status).toBe(201);
    const other = await world.request('/v1/bookings', { token: people[2]?.token, body });
    expect(other.status).toBe(201);
  }
  return { practice, people };
};

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

  it('broken off anywhere, serves no slot until it is ended or undone', async () => {
    for (const goal of ['Asia/Makassar', 'Asia/Jakarta'])
      for (let breaksAt = 3; ; breaksAt += 2) {
        const world = await createWorld();
        const { practice, people } = await fullNight(world);
        const own = world.db;
        const dies = async () => {
          throw new Error('killed');
        };
        beforeRoundTrip(world, breaksAt, dies);
        world.db = world.deps.db;
        const ended = await moveTo(world, 'Asia/Makassar', 2).then(
          () => true,
          () => false,
        );
        world.db = world.deps.db = own;
        if (ended) {
          expect(breaksAt).toBeGreaterThan(6);
          break;
        }
        await expect(ensureClinic(own, 'Asia/Jakarta')).rejects.toThrow('rezone --to Asia/Makassar --apply');
        await expect(ensureClinic(own, 'Asia/Makassar')).rejects.toThrow('on its way');
        const body = bookingInput(practice, { schedule_date: '2026-11-26' });
        expect(await world.request(`/v1/doctors/${practice.doctorId}/slots`)).toMatchObject({ status: 503 });
        expect((await world.request('/v1/bookings', { token: people[0]?.token, body })).status).toBe(503);
        await moveTo(world, goal, 2);
        await restartIn(world, goal);
        await expectAllIn(world, goal);
        expect((await world.request('/v1/bookings', { token: people[0]?.token, body })).status).toBe(201);
      }
  }, 120_000);

  it.each([1, 2, 3])(
    'lets no seat be taken on the old zone, when it changes before round trip %i',
    async (nth) => {
      const world = await createWorld();
      const people = await createClinic(world);
      const id = await book(world, people, { schedule_date: '2026-11-25' });
      const asked = [
        () =>
          world.request('/v1/bookings', {
            token: people.stranger.token,
            body: bookingInput(people.practice),
          }),
        () => act(world, people.patient, id, 'reschedule', bookingInput(people.practice)),
      ];
      const goals = ['Asia/Makassar', 'Asia/Kathmandu'];
      for (const [at, ask] of asked.entries()) {
        const seen = beforeRoundTrip(world, nth, () => moveTo(world, goals[at] as string));
        const { status } = await ask();
        world.deps.db = world.db;
        // The third round trip comes after the write of a booking: what was written moves too.
        if (seen.roundTrips >= nth) expect(status === 503 || nth > 2).toBe(true);
        await moveTo(world, goals[at] as string);
        await restartIn(world, goals[at] as string);
        await expectAllIn(world, goals[at] as string);
      }
    },
  );

  it('lets a change of a past booking that was decided before see where the booking is now', async () => {
    const world = await createWorld();
    const people = await createClinic(world);
    const id = await book(world, people);
    await act(world, people.staff, id, 'approve');
    world.clock.now = Date.parse('2026-11-23T04:00:00Z');
    // The login is noted as seen now, so that the next request makes no round trip for that.
    await detail(world, people.staff, id);
    await Promise.all(world.background);
    const seen = beforeRoundTrip(world, 2, () => moveTo(world, 'Asia/Makassar'));
    const canceled = await act(world, people.staff, id, 'cancel');
    expect([canceled.status, seen.roundTrips >= 2]).toEqual([200, true]);
    expect((await detail(world, people.staff, id)).starts_at).toBe('2026-11-23T01:00:00.000Z');
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('the order of the moves', () => {
  const aTime = fc.record({ day: fc.integer({ min: 0, max: 2 }), half: fc.integer({ min: 0, max: 47 }) });
  const aZone = fc.constantFrom(...zones, 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 'Africa/Casablanca');
  const plainClock = createClinicTime('UTC');

  it('never puts a booking on an instant that is still taken, whatever the zones and wherever it broke off', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 420 }),
        fc.array(aTime, { minLength: 20, maxLength: 80 }),
        fc.array(aZone, { minLength: 2, maxLength: 4 }),
        fc.array(fc.nat(80), { minLength: 4, maxLength: 4 }),
        (firstDay, times, route, breaks) => {
          const clocks = route.map(createClinicTime);
          const groups: Group[] = [];
          for (const { day, half } of times) {
            const date = plainClock.addDays('2026-10-01', firstDay + day);
            const time = `${String(half >> 1).padStart(2, '0')}:${half % 2 ? '30' : '00'}:00`;
            const instants = clocks.map((clock) => clock.instantOf(date, half * 30));
            if (instants.includes(null) || groups.some((g) => g.date === date && g.time === time)) continue;
            groups.push({ date, time, startsAt: instants[0] as number, bookings: 1, live: 1, coming: 1 });
          }
          for (const [at, clock] of clocks.entries()) {
            const isLast = at === clocks.length - 1;
            for (const move of movesTo(groups, clock).slice(0, isLast ? undefined : breaks[at])) {
              if (groups.some(({ startsAt }) => startsAt === move.newStart)) return false;
              const moved = groups.find(({ date, time }) => date === move.date && time === move.time);
              if (moved !== undefined) moved.startsAt = move.newStart;
            }
          }
          return movesTo(groups, clocks.at(-1) as (typeof clocks)[number]).length === 0;
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
