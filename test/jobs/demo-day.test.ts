import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { deviceLogins } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { clinic } from '../../src/core/tables/catalog.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { fillDemoDay } from '../../src/jobs/demo-day.ts';
import { toVisitStatus } from '../../src/modules/booking/record/rules.ts';
import { demoIds, demoPeople, seedDemo } from '../../src/modules/demo/demo.ts';
import { createClosure, createPractice } from '../support/clinic.ts';
import { findViolations } from '../support/invariants.ts';
import { addDevice } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const at = (time: string) => Date.parse(`2026-11-24T${time}:00+07:00`);

const openDemo = async () => {
  const world = await createWorld();
  await seedDemo(world.db, world.deps.hasher, world.clock.now);
  const fill = () => fillDemoDay(world.deps, world.clock.now);
  const rows = () => world.db.select().from(bookings);
  return { world, fill, rows };
};

const statesOf = (rows: (typeof bookings.$inferSelect)[]) =>
  new Set(rows.map((row) => toVisitStatus(row) ?? row.status));

describe('the day of the demo clinic', () => {
  it('has bookings of today in every state around now, a screenful for each doctor, and none ahead', async () => {
    const { world, fill, rows } = await openDemo();
    world.clock.now = at('11:10');
    await fill();
    const made = await rows();
    expect([...statesOf(made)].sort()).toEqual(
      ['approved', 'called', 'canceled', 'checked_in', 'completed', 'no_show', 'waiting'].sort(),
    );
    expect(new Set(made.map(({ scheduleDate }) => scheduleDate))).toEqual(new Set(['2026-11-24']));
    for (const doctorId of demoIds.doctors) {
      const own = made.filter((row) => row.doctorId === doctorId);
      expect(own.length).toBeGreaterThan(6);
      expect(own.length).toBeLessThan(10);
    }
    expect(await findViolations(world.db)).toEqual([]);
    const events = await world.db.select().from(bookingEvents);
    expect(Math.max(...events.map(({ occurredAt }) => occurredAt))).toBeLessThanOrEqual(world.clock.now);
  });

  it('is filled once a day, however often and by however many, and again on the next', async () => {
    const { world, fill, rows } = await openDemo();
    world.clock.now = at('11:10');
    await Promise.all([fill(), fill()]);
    const count = (await rows()).length;
    world.clock.now += 3_600_000;
    await fill();
    expect((await rows()).length).toBe(count);
    world.clock.now += 86_400_000;
    await fill();
    const later = (await rows()).filter(({ scheduleDate }) => scheduleDate === '2026-11-25');
    expect(later.length).toBeGreaterThan(18);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it.each(['00:00', '06:00', '08:00', '15:45', '23:30'])(
    'holds at %s too, when little or all is over',
    async (time) => {
      const { world, fill, rows } = await openDemo();
      world.clock.now = at(time);
      await fill();
      expect((await rows()).length).toBeGreaterThan(18);
      expect(await findViolations(world.db)).toEqual([]);
      for (const row of await rows())
        expect(row.updatedAt).toBeLessThanOrEqual(Math.max(world.clock.now, at('00:01')));
    },
  );

  it('begins once the clinic is open where the demo runs on, so that its visits are of the day', async () => {
    const { world, fill, rows } = await openDemo();
    world.clock.now = at('11:10');
    await fill();
    const count = (await rows()).length;
    for (const hours of [13, 19, 22]) {
      world.clock.now = at('11:10') + hours * 3_600_000;
      await fill();
      expect((await rows()).length).toBe(count);
    }
    world.clock.now = at('09:35') + 86_400_000;
    await fill();
    const today = (await rows()).filter(({ scheduleDate }) => scheduleDate === '2026-11-25');
    expect([...statesOf(today)].sort()).toEqual(
      ['approved', 'called', 'canceled', 'checked_in', 'completed', 'no_show', 'waiting'].sort(),
    );
    for (const { startsAt, completedAt } of today)
      if (completedAt !== null) expect(completedAt).toBeGreaterThan(startsAt);
  });

  it('is left as it is for the rest of the day, though the first seats were not to be had', async () => {
    const { world, fill, rows } = await openDemo();
    world.clock.now = at('11:10');
    await createClosure(world, { startDate: '2026-11-24', doctorId: demoIds.doctors[0] });
    await fill();
    const made = await rows();
    const logins = await world.db.$count(deviceLogins);
    world.clock.now += 60_000;
    await fill();
    expect(await rows()).toEqual(made);
    expect(await world.db.$count(deviceLogins)).toBe(logins);
  });

  it('never comes to a clinic that is not marked as the demo’s', async () => {
    const { world, fill, rows } = await openDemo();
    await world.db.update(clinic).set({ demoSince: null });
    await fill();
    expect(await rows()).toEqual([]);
    const other = await createWorld();
    await createPractice(other);
    await fillDemoDay(other.deps, other.clock.now);
    expect(await other.db.select().from(bookings)).toEqual([]);
  });

  it('does not take the seats of others', async () => {
    const { world, fill, rows } = await openDemo();
    world.clock.now = at('07:00');
    const { token } = await addDevice(world, demoPeople.patient);
    const body = {
      doctor_id: demoIds.doctors[0],
      session_id: demoIds.sessions[0],
      schedule_date: '2026-11-24',
      schedule_time: '09:00:00',
    };
    const own = await world.request('/v1/bookings', { token, body });
    await fill();
    const [row] = await world.db.select().from(bookings).where(eq(bookings.id, own.body.data.id));
    expect(row).toMatchObject({ status: 'waiting', version: 1 });
    expect((await rows()).length).toBeGreaterThan(18);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

it('the queues of the demo clinic tell where each patient is called to', async () => {
  const { world, fill } = await openDemo();
  world.clock.now = at('11:10');
  await fill();
  const queues = (await world.request('/v1/queues')).body.data as { room: string }[];
  expect(queues.length).toBeGreaterThan(2);
  expect(queues.filter(({ room }) => room === '')).toEqual([]);
});

it('the demo clinic has a name, a family and patients without an account', async () => {
  const { world } = await openDemo();
  expect((await world.request('/v1/clinic')).body.data.name).toBe('Klinik Sehat Melati');
  const { token } = await addDevice(world, demoPeople.patient);
  expect((await world.request('/v1/family', { token })).body.data).toHaveLength(4);
  const staff = await addDevice(world, demoPeople.staff, 'staff');
  const found = await world.request('/v1/patients?q=darmo', { token: staff.token });
  expect(found.body.data).toMatchObject([{ name: 'Darmo Suwito', medical_record_number: 'RM-000001' }]);
});
