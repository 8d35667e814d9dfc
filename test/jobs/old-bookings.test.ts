import { eq, sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { familyRelations, patients } from '../../src/core/tables/patients.ts';
import { searchWords } from '../../src/core/tables/search.ts';
import { bookingEvents, webhookDeliveries } from '../../src/core/tables/webhooks.ts';
import { runJobs } from '../../src/jobs/jobs.ts';
import { removeOldBookings } from '../../src/jobs/old-bookings.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { act, book, createClinic } from '../support/clinic-people.ts';
import { beforeRoundTrip, crashAtRoundTrip } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import { createEndpoint, createReceiver } from '../support/receiver.ts';
import { createWorld } from '../support/world.ts';

const day = 86_400_000;
const year = 365.25 * day;

const setUp = async (settings: Record<string, string> = { RETENTION_YEARS: '5' }) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world, { capacity: 5 });
  const receiver = createReceiver(world);
  receiver.secret = (await createEndpoint(world)).secret;
  const { staff } = clinic;
  const add = async (name: string): Promise<string> => {
    const body = { name, birth_date: '1960-08-17', confirm: true };
    return (await world.request('/v1/patients', { token: staff.token, body })).body.data.id;
  };
  const headers = { 'Idempotency-Key': 'lama' };
  const walkIn = await add('Pak Darmo');
  const old = await book(world, clinic, { patient_id: walkIn }, staff.token);
  await act(world, staff, old, 'check-in', {}, headers);
  await act(world, staff, old, 'complete');
  const own = await book(world, clinic, { schedule_time: '10:00:00' });
  await act(world, clinic.patient, own, 'cancel');
  await deliverWebhooks(world.deps);
  const later = (years: number) => world.clock.now + Math.ceil(years * year);
  const left = async () => (await world.db.select().from(bookings)).map(({ id }) => id).sort();
  return { world, clinic, add, walkIn, old, own, later, left };
};

describe('bookings that are older than the clinic keeps them', () => {
  it('go with their events and deliveries, and a record that nothing belongs to any more with its words', async () => {
    const { world, clinic, walkIn, old, own, later, left } = await setUp();
    await removeOldBookings(world.deps, later(4.9));
    expect(await left()).toEqual([old, own].sort());
    await removeOldBookings(world.deps, later(5.1));
    expect(await left()).toEqual([]);
    const events = (await world.db.select().from(bookingEvents)).filter(({ type }) =>
      type.startsWith('booking.'),
    );
    expect(events).toEqual([]);
    expect(
      await world.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.bookingId, old)),
    ).toEqual([]);
    expect(await world.db.select().from(patients).where(eq(patients.id, walkIn))).toEqual([]);
    expect(await world.db.select().from(searchWords).where(eq(searchWords.ownerId, walkIn))).toEqual([]);
    // An account keeps its record.
    expect(await world.db.select().from(patients).where(eq(patients.id, clinic.patient.id))).toHaveLength(1);
    const told = (await world.db.select().from(bookingEvents)).filter(
      ({ type }) => type === 'patient.deleted',
    );
    expect(told).toMatchObject([{ bookingId: walkIn, actorRole: 'system' }]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('stay for ever unless a rule says otherwise, and the environment’s wins', async () => {
    const { world, clinic, old, own, later, left } = await setUp({});
    await removeOldBookings(world.deps, later(90));
    expect(await left()).toEqual([old, own].sort());
    const body = { retention_years: 10 };
    const asAdmin = { method: 'PATCH', token: clinic.admin.token, body };
    expect((await world.request('/v1/admin/clinic', asAdmin)).body.data.retention_years).toBe(10);
    world.deps.config.RETENTION_YEARS = 0;
    await removeOldBookings(world.deps, later(90));
    expect(await left()).toHaveLength(2);
    world.deps.config.RETENTION_YEARS = undefined;
    await removeOldBookings(world.deps, later(10.1));
    expect(await left()).toEqual([]);
    const { world: fixed, clinic: ruled } = await setUp();
    const refused = await fixed.request('/v1/admin/clinic', { ...asAdmin, token: ruled.admin.token });
    expect(refused.body.code).toBe('set_by_environment');
  });

  it('take no record along that somebody acts for, that was changed since, or that has another booking', async () => {
    const { world, clinic, add, later } = await setUp();
    const { staff, patient } = clinic;
    const [ofFamily, changed, again] = [await add('Ani'), await add('Budi'), await add('Cici')];
    for (const patient_id of [ofFamily, changed, again])
      await book(world, clinic, { patient_id }, staff.token);
    await world.db
      .insert(familyRelations)
      .values({ accountId: patient.id, patientId: ofFamily, relation: 'parent', createdAt: 1 });
    const now = later(5.1);
    await world.db
      .update(patients)
      .set({ updatedAt: now - day })
      .where(eq(patients.id, changed));
    const standing = await book(
      world,
      clinic,
      { patient_id: again, schedule_date: '2027-01-20' },
      staff.token,
    );
    await removeOldBookings(world.deps, now);
    const names = (await world.db.select().from(patients)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Ani', 'Budi', 'Cici']));
    expect(names).not.toContain('Pak Darmo');
    expect((await world.db.select().from(bookings)).map(({ id }) => id)).toEqual([standing]);
  });

  it('and the last visit of somebody who was deleted leaves not even the id', async () => {
    const { world, clinic, walkIn, later } = await setUp();
    const path = `/v1/patients/${walkIn}`;
    await world.request(path, { method: 'DELETE', token: clinic.admin.token });
    expect(await world.db.select().from(patients).where(eq(patients.id, walkIn))).toHaveLength(1);
    await removeOldBookings(world.deps, later(5.1));
    expect(await world.db.select().from(patients).where(eq(patients.id, walkIn))).toEqual([]);
  });

  it('go in bounded steps; what one round leaves, the next one finds, also after a lost database', async () => {
    const { world, old, later, left } = await setUp();
    const columns = Object.values(bookings).flatMap((c) =>
      typeof c === 'object' && 'name' in c ? [c.name] : [],
    );
    const changed: Record<string, string> = {
      id: "'b' || n",
      write_id: "'w' || n",
      booking_code: "'c' || n",
      starts_at: 'starts_at - n * 86400000',
      ends_at: 'ends_at - n * 86400000',
    };
    const selected = columns.map((name) => changed[name] ?? name).join(', ');
    await world.db.insert(bookings).select(
      sql`with recursive days(n) as (select 1 union all select n + 1 from days where n < 250)
        select ${sql.raw(selected)} from days, bookings where bookings.id = ${old}`,
    );
    const mend = crashAtRoundTrip(world, 4, 'after');
    await expect(removeOldBookings(world.deps, later(5.1))).rejects.toThrow();
    mend();
    expect(await left()).toHaveLength(52);
    await removeOldBookings(world.deps, later(5.1));
    expect(await left()).toEqual([]);
  });

  it('stay where they were moved to a day that is not old, at that very moment', async () => {
    const { world, own, later, left } = await setUp();
    await world.db.delete(bookings).where(sql`${bookings.id} <> ${own}`);
    const move = () =>
      world.db.update(bookings).set({ scheduleDate: '2031-12-01' }).where(eq(bookings.id, own));
    beforeRoundTrip(world, 2, move);
    await removeOldBookings(world.deps, later(5.1));
    expect(await left()).toEqual([own]);
    expect(await world.db.select().from(bookingEvents).where(eq(bookingEvents.bookingId, own))).toHaveLength(
      2,
    );
  });

  it('keep the newest event until another one follows, so that no number is given twice', async () => {
    const world = await createWorld({ RETENTION_YEARS: '5' });
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const late = world.clock.now + Math.ceil(5.1 * year);
    const numbers = async () =>
      (await world.db.select().from(bookingEvents)).map(({ bookingId, sequence }) => [bookingId, sequence]);
    expect(await numbers()).toEqual([[id, 1]]);
    await removeOldBookings(world.deps, late);
    expect(await numbers()).toEqual([[id, 1]]);
    const next = await book(world, clinic, { schedule_time: '10:00:00' });
    await removeOldBookings(world.deps, late);
    expect(await numbers()).toEqual([[next, 2]]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('cost one read a minute where none is due', async () => {
    const { world } = await setUp();
    const batch = vi.spyOn(world.deps.db, 'batch');
    await removeOldBookings(world.deps, world.clock.now);
    expect(batch).toHaveBeenCalledTimes(1);
    batch.mockRestore();
    await runJobs(world.deps);
  });
});
