import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { waitlistEntries } from '../../../src/core/tables/queues.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople } from '../../support/people.ts';
import { createTaken, type Person } from '../../support/waitlist.ts';

it('an offer that lapses while it is accepted is one or the other', async () => {
  const { world, wait, cancel, answer, holder, bookingId, runJob, pass } = await createTaken();
  const [first, second] = await createPeople(world, 2);
  const nine = { earliest_time: '09:00:00', latest_time: '09:00:00' };
  const id = await wait(first as Person, nine);
  await wait(second as Person, nine);
  await cancel(holder, bookingId);
  // Between the read and the write, the offer's time ends and the job runs.
  beforeRoundTrip(world, 2, async () => {
    pass(31);
    await runJob();
  });
  expect(await answer(first as Person, id, 'accept')).toMatchObject({
    status: 409,
    body: { code: 'no_offer' },
  });
  const live = (await world.db.select().from(bookings)).filter(({ status }) => status !== 'canceled');
  expect(live.map(({ patientId }) => patientId)).toEqual([second?.id]);
  expect(await findViolations(world.db)).toEqual([]);
});

it('an entry that is left while a seat comes free keeps no offer', async () => {
  const { world, wait, cancel, holder, bookingId } = await createTaken();
  const [first, second] = await createPeople(world, 2);
  const id = await wait(first as Person);
  await wait(second as Person);
  beforeRoundTrip(world, 2, () => cancel(holder, bookingId));
  const left = await world.request(`/v1/waitlist/${id}`, { method: 'DELETE', token: first?.token });
  expect(left.status).toBe(200);
  const live = (await world.db.select().from(bookings)).filter(({ status }) => status !== 'canceled');
  expect(live.map(({ patientId }) => patientId)).toEqual([second?.id]);
  const [entry] = await world.db.select().from(waitlistEntries).where(eq(waitlistEntries.id, id));
  expect(entry?.endedAs).toBe('withdrawn');
  expect(await findViolations(world.db)).toEqual([]);
});

it('a batch that is sent again after a lost answer offers nothing twice', async () => {
  const { world, wait, cancel, holder, bookingId, answer } = await createTaken();
  const [first, second] = await createPeople(world, 2);
  const id = await wait(first as Person);
  await wait(second as Person);
  const { db } = world;
  let sent: Parameters<typeof db.batch>[0] | undefined;
  world.deps.db = new Proxy(db, {
    get: (target, name) =>
      name === 'batch'
        ? (statements: Parameters<typeof db.batch>[0]) => {
            sent = statements;
            return db.batch(statements);
          }
        : Reflect.get(target, name),
  });
  await cancel(holder, bookingId);
  const repeated = sent as NonNullable<typeof sent>;
  world.deps.db = db;
  await answer(first as Person, id, 'decline');
  const before = await db.select().from(bookings);
  await db.batch(repeated);
  expect(await db.select().from(bookings)).toEqual(before);
  expect(await findViolations(db)).toEqual([]);
});
