import { ne } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { createPeople, createPerson } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';

describe('a slot is never booked beyond its capacity', () => {
  for (const capacity of [1, 5]) {
    it(`gives ${capacity} of 100 simultaneous patients a seat and answers the others that the slot is full`, async () => {
      const world = await createWorld();
      const practice = await createPractice(world, { capacity });
      const patients = await createPeople(world, 100);
      const answers = await Promise.all(
        patients.map(({ token }) => world.request('/v1/bookings', { token, body: bookingInput(practice) })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(capacity);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
        new Set(['409 slot_full']),
      );
      expect(refused[0]?.body.alternatives).toHaveLength(3);
    });
  }

  it('gives a canceled seat to the next patient at once', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const [first, second] = [await createPerson(world), await createPerson(world)];
    const booked = await world.request('/v1/bookings', { token: first.token, body: bookingInput(practice) });
    expect(
      (await world.request('/v1/bookings', { token: second.token, body: bookingInput(practice) })).body.code,
    ).toBe('slot_full');
    await world.request(`/v1/bookings/${booked.body.data.id}/cancel`, { method: 'POST', token: first.token });
    expect(
      (await world.request('/v1/bookings', { token: second.token, body: bookingInput(practice) })).status,
    ).toBe(201);
  });

  it('gives the lowest free seat, so that no seat is beyond the capacity', async () => {
    const world = await createWorld();
    const practice = await createPractice(world, { capacity: 3 });
    const book = async () => {
      const { token } = await createPerson(world);
      const { body } = await world.request('/v1/bookings', { token, body: bookingInput(practice) });
      return () => world.request(`/v1/bookings/${body.data.id}/cancel`, { method: 'POST', token });
    };
    const cancelFirst = await book();
    const cancelSecond = await book();
    await book();
    for (const cancel of [cancelFirst, cancelSecond]) {
      await cancel();
      await book();
    }
    const rows = await world.db.select().from(bookings).where(ne(bookings.status, 'canceled'));
    expect(rows.map(({ seat }) => seat).sort()).toEqual([1, 2, 3]);
  });

  it('refuses a patient two bookings that overlap, and names the existing one', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const other = await createPractice(world, { slotMinutes: 60 });
    const { token } = await createPerson(world);
    const booked = await world.request('/v1/bookings', {
      token,
      body: bookingInput(practice, { schedule_time: '09:30:00' }),
    });
    const clash = await world.request('/v1/bookings', { token, body: bookingInput(other) });
    expect(clash).toMatchObject({
      status: 409,
      body: { code: 'patient_busy', booking_id: booked.body.data.id },
    });
  });

  it('keeps one answer under an idempotency key for 50 parallel requests', async () => {
    const world = await createWorld();
    const practice = await createPractice(world, { capacity: 5 });
    const { token } = await createPerson(world);
    const sent = { token, body: bookingInput(practice), headers: { 'Idempotency-Key': 'kunci-1' } };
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.request('/v1/bookings', sent)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data?.id}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    const history = await world.request('/v1/bookings/history', { token });
    expect(history.body.data).toHaveLength(1);
    const other = { ...sent, body: bookingInput(practice, { schedule_time: '10:00:00' }) };
    expect(await world.request('/v1/bookings', other)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
  });
});
