import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { mailing, openBox } from '../support/notices.ts';
import { createPerson } from '../support/people.ts';
import { freshWorker } from '../support/worker-isolate.ts';
import { createWorld, secret, secretsOf } from '../support/world.ts';

const day = 86_400_000;

/** The statements of each round trip to D1. */
const countTrips = () => {
  const trips: string[][] = [];
  const texts = new WeakMap<D1PreparedStatement, string>();
  const DB = {
    prepare: (sql: string) => {
      const prepared = env.DB.prepare(sql);
      const { bind } = prepared;
      texts.set(prepared, sql);
      prepared.bind = (...values) => {
        const bound = bind.apply(prepared, values);
        texts.set(bound, sql);
        return bound;
      };
      return prepared;
    },
    batch: (statements: D1PreparedStatement[]) => {
      trips.push(statements.map((one) => texts.get(one) ?? ''));
      return env.DB.batch(statements);
    },
  } as unknown as D1Database;
  return { DB, trips };
};

it('the trigger of a Worker that is warm asks one row of an idle clinic, which has channels and approved visits ahead', async () => {
  const world = await createWorld({}, Date.now());
  const practice = await createPractice(world);
  const { token } = await createPerson(world);
  const schedule_date = new Date(Date.now() + 5 * day).toISOString().slice(0, 10);
  const body = bookingInput(practice, { schedule_date });
  expect((await world.request('/v1/bookings', { token, body })).status).toBe(201);
  await world.db.update(bookings).set({ status: 'approved' });

  const worker = await freshWorker();
  const { DB, trips } = countTrips();
  const { dataKey } = secretsOf(secret);
  const settings = { ...mailing, MAIL_API_KEY: 'kunci', ...openBox().settings, LOG_LEVEL: 'silent' };
  const bindings = { DB, JWT_SECRET: secret, DATA_KEY: dataKey, ...settings };
  const trigger = async () => {
    trips.splice(0);
    await worker.scheduled(null, bindings);
    return trips.map(({ length }) => length);
  };
  // The first ones do the background work of the booking.
  for (let times = 0; times < 5; times++) await trigger();
  expect(await trigger()).toEqual([1]);
  expect(trips[0]?.[0]).toContain('notices_due');
});
