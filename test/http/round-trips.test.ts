import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Db } from '../../src/db/db.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createGuarded } from '../support/factors.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient, type Sent, type World } from '../support/world.ts';

/** The same world with a database that counts: a batch is one round trip, and so is a query awaited by itself. */
const counted = (world: World) => {
  let trips = 0;
  const db = new Proxy(world.db as Db & Record<string, unknown>, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (name === 'batch') trips += 1;
        const result = Reflect.apply(value, target, given);
        return name === 'batch' ? result : counting(result);
      };
    },
  }) as unknown as Db;
  const counting = (built: unknown): unknown =>
    typeof built !== 'object' || built === null
      ? built
      : new Proxy(built, {
          get: (target, name) => {
            const value = Reflect.get(target, name, target);
            if (typeof value !== 'function') return value;
            if (name === 'then') trips += 1;
            return (...given: unknown[]) => {
              const result = Reflect.apply(value, target, given);
              return name === 'then' || name === '_prepare' ? result : counting(result);
            };
          },
        });
  const app = createApp({ ...world.deps, db });
  return async (path: string, { token, body, headers }: Sent) => {
    const before = trips;
    const response = await app.request(`http://localhost${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    return {
      status: response.status,
      trips: trips - before,
      data: answer.startsWith('{') ? JSON.parse(answer).data : null,
    };
  };
};

describe('round trips to the database, session check included', () => {
  it.each(['/v1/auth/profile', '/v1/bookings/history'])('reads %s in one', async (path) => {
    const world = await createWorld();
    const { token } = await createPerson(world);

    expect(await counted(world)(path, { token })).toMatchObject({ status: 200, trips: 1 });
  });

  it('reads 31 days of slots in one', async () => {
    const world = await createWorld();
    const { doctorId } = await createPractice(world);
    const path = `/v1/doctors/${doctorId}/slots?from=2026-11-23&to=2026-12-23`;

    expect(await counted(world)(path, {})).toMatchObject({ status: 200, trips: 1 });
  });

  it('books, replays and cancels in at most two, with an idempotency key too', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await createPerson(world);
    const request = counted(world);
    const body = bookingInput(practice);
    const headers = { 'Idempotency-Key': 'once' };

    const made = await request('/v1/bookings', { token, body, headers });
    expect(made).toMatchObject({ status: 201, trips: 2 });
    expect(await request('/v1/bookings', { token, body, headers })).toMatchObject({ status: 201, trips: 1 });
    const canceled = await request(`/v1/bookings/${made.data.id}/cancel`, { token, body: {}, headers: {} });
    expect(canceled).toMatchObject({ status: 200, trips: 2 });
  });

  it('reads a booking, its timeline and its calendar file in one each', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await createPerson(world);
    const request = counted(world);
    const made = await request('/v1/bookings', { token, body: bookingInput(practice) });

    for (const part of ['', '/events', '/calendar.ics'])
      expect(await request(`/v1/bookings/${made.data.id}${part}`, { token })).toMatchObject({
        status: 200,
        trips: 1,
      });
  });

  it('approves, and moves a booking at the same doctor or to another, in at most two', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const other = await createPractice(world);
    const { token } = await createPerson(world);
    const staff = await createPerson(world, 'staff');
    const request = counted(world);
    const made = await request('/v1/bookings', { token, body: bookingInput(practice) });
    const path = `/v1/bookings/${made.data.id}`;
    const { schedule_date, doctor_id } = bookingInput(other);

    expect(await request(`${path}/approve`, { token: staff.token, body: {} })).toMatchObject({
      status: 200,
      trips: 2,
    });
    const later = { schedule_date, schedule_time: '10:00:00' };
    expect(await request(`${path}/reschedule`, { token, body: later })).toMatchObject({
      status: 200,
      trips: 2,
    });
    const elsewhere = { ...later, doctor_id, session_id: bookingInput(other).session_id };
    expect(await request(`${path}/reschedule`, { token, body: elsewhere })).toMatchObject({
      status: 200,
      trips: 2,
      data: { doctor_id },
    });
  });

  it('logs in in three, and with a second factor in four', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const request = counted(world);
    const plain = await registerPatient(world);
    const logIn = (email: string) => request('/v1/auth/login', { body: { email, password } });
    expect(await logIn(plain.email)).toMatchObject({ status: 200, trips: 3 });

    const guarded = await createGuarded(world);
    const first = await logIn(guarded.email);
    expect(first).toMatchObject({ status: 401, trips: 2 });
    const body = { challenge: await guarded.challenge(), code: guarded.code() };
    expect(await request('/v1/auth/login/second-factor', { body })).toMatchObject({ status: 200, trips: 2 });
  });

  it('counts a query that is awaited outside a batch', async () => {
    const world = await createWorld();
    const { email } = await createPerson(world);
    const before = counted(world);
    const body = { email, password: 'salah-sekali-2026' };

    expect((await before('/v1/auth/login', { body })).trips).toBeGreaterThan(0);
  });
});
