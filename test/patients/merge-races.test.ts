import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { familyRelations } from '../../src/core/tables/patients.ts';
import { bookingsAStep } from '../../src/modules/patients/merge/rules.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, detail } from '../support/clinic-people.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import { setUp } from '../support/merging.ts';

describe('a merge of two records', () => {
  it('is done once by requests that come at once and again under one key', async () => {
    const { world, add, merge, bookFor } = await setUp();
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    const id = await bookFor(old);
    const headers = { 'Idempotency-Key': 'gabung' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => merge(old, left, {}, headers)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body.data)}`)).size).toBe(1);
    const [row] = await world.db.select().from(bookings).where(eq(bookings.id, id));
    expect(row?.version).toBe(2);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is answered as it was where the same request merged meanwhile', async () => {
    const { world, add, merge, bookFor } = await setUp();
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    await bookFor(old);
    const headers = { 'Idempotency-Key': 'gabung-lagi' };
    let first: unknown;
    beforeRoundTrip(world, 3, async () => {
      first = (await merge(old, left, {}, headers)).body;
    });
    expect((await merge(old, left, {}, headers)).body).toEqual(first);
    expect(first).toMatchObject({ data: { bookings: 1 } });
  });

  it('leaves no booking behind that is made for the old record meanwhile', async () => {
    const { world, staff, clinic, add, merge } = await setUp();
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    const body = bookingInput(clinic.practice, { patient_id: old });
    // After the merge has read, and before it writes.
    beforeRoundTrip(world, 4, () => world.request('/v1/bookings', { token: staff.token, body }));
    expect((await merge(old, left)).status).toBe(200);
    const rows = await world.db.select().from(bookings);
    expect(rows.map(({ patientId }) => patientId)).toEqual([left]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('takes no booking for the old record that was being decided meanwhile', async () => {
    const { world, staff, clinic, add, merge } = await setUp();
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    const body = bookingInput(clinic.practice, { patient_id: old });
    beforeRoundTrip(world, 2, () => merge(old, left));
    const { status } = await world.request('/v1/bookings', { token: staff.token, body });
    const rows = await world.db.select().from(bookings);
    expect(rows.every(({ patientId }) => patientId === left)).toBe(true);
    expect([status, rows.length]).toEqual([422, 0]);
  });

  it('decides again where a booking of the old record changes meanwhile', async () => {
    const { world, staff, add, merge, bookFor } = await setUp();
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    const id = await bookFor(old);
    beforeRoundTrip(world, 4, () => act(world, staff, id, 'check-in'));
    expect((await merge(old, left)).status).toBe(200);
    const [row] = await world.db.select().from(bookings);
    expect(row).toMatchObject({ patientId: left, version: 3, checkedInAt: world.clock.now });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('refuses a conflict that arises meanwhile', async () => {
    const { world, staff, clinic, add, merge, bookFor } = await setUp();
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    await bookFor(old);
    const body = bookingInput(clinic.practice, { patient_id: left });
    beforeRoundTrip(world, 4, () => world.request('/v1/bookings', { token: staff.token, body }));
    expect((await merge(old, left)).body.code).toBe('merge_conflict');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('goes on after a crash between its steps, with more bookings than one step takes', async () => {
    const { world, clinic, staff, add, merge, bookFor } = await setUp();
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    const count = bookingsAStep + 3;
    for (let made = 0; made < count; made++) {
      const day = String(24 + (made % 5)).padStart(2, '0');
      const minutes = 8 * 60 + Math.floor(made / 5) * 30;
      const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${minutes % 60 === 0 ? '00' : '30'}:00`;
      await bookFor(old, { schedule_date: `2026-11-${day}`, schedule_time: time });
    }
    await world.db.insert(familyRelations).values({
      accountId: clinic.patient.id,
      patientId: old,
      relation: 'parent',
      createdAt: world.clock.now,
    });
    const crash = () => Promise.reject(new Error('the process is gone'));
    beforeRoundTrip(world, 6, crash);
    world.deps.log.error = () => {};
    expect((await merge(old, left)).status).toBe(500);
    world.deps.db = world.db;
    expect(await findViolations(world.db)).toEqual([]);
    const ofOld = async () =>
      (await world.db.select().from(bookings)).filter(({ patientId }) => patientId === old).length;
    expect(await ofOld()).toBe(3);
    const history = await world.request('/v1/bookings/history?limit=100', { token: clinic.patient.token });
    expect(history.body.data).toHaveLength(count);
    const again = await merge(old, left);
    expect(again.body.data).toMatchObject({ bookings: 3 });
    expect(await ofOld()).toBe(0);
    expect(await detail(world, staff, history.body.data[0].id)).toMatchObject({ patient: { id: left } });
    expect(await findViolations(world.db)).toEqual([]);
  });
});
