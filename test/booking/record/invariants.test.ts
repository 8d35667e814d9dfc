import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookings, queues } from '../../../src/core/tables/bookings.ts';
import { replays } from '../../../src/core/tables/idempotency.ts';
import { patients } from '../../../src/core/tables/patients.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';

const bookedWorld = async () => {
  const world = await createWorld();
  const practice = await createPractice(world, { capacity: 2 });
  for (const schedule_time of ['09:00:00', '09:00:00', '10:00:00']) {
    const { token } = await createPerson(world);
    await world.request('/v1/bookings', { token, body: bookingInput(practice, { schedule_time }) });
  }
  return world;
};

/** Stores an answer about a record that nothing made. */
const keepAnswer = async (world: World, data: object) => {
  const { id: userId } = await createPerson(world);
  const body = JSON.stringify({ data: { id: crypto.randomUUID(), ...data } });
  const answer = { userId, key: 'k', fingerprint: 'f', status: 201, body };
  await world.db.insert(replays).values({ ...answer, createdAt: 0, expiresAt: 1 });
};

describe('the checker of invariants', () => {
  it('finds nothing wrong with what the service wrote', async () => {
    expect(await findViolations((await bookedWorld()).db)).toEqual([]);
  });

  const spoils = {
    'an event that is missing': ({ db }) => db.delete(bookingEvents).where(eq(bookingEvents.version, 1)),
    'a change without its event': ({ db }) => db.update(bookings).set({ version: 2 }),
    'an end that runs into the next start': ({ db }) =>
      db.update(bookings).set({ endsAt: Date.parse('2026-11-23T04:00:00Z') }),
    'a counter that fell behind': ({ db }) => db.update(queues).set({ lastNumber: 1 }),
    'a label of another number': ({ db }) => db.update(bookings).set({ queueLabel: 'A-09' }),
    'a label with letters of nobody': ({ db }) =>
      db.update(bookings).set({ queueLabel: sql`'X' || substr(queue_label, 2)` }),
    'a name of an account that its record does not have': ({ db }) => db.update(users).set({ name: 'Lain' }),
    'a record without an account that no list of names has': async ({ db }) => {
      const id = crypto.randomUUID();
      const record = {
        id,
        name: 'Sari',
        phoneNumber: '',
        phoneCountryCode: '',
        staffNotes: '',
        createdBy: id,
      };
      await db.insert(patients).values({ ...record, createdAt: 0, updatedAt: 0 });
    },
    'a stored response of a booking that is not there': (world) => keepAnswer(world, { booking_code: 'A' }),
    'a stored response of a patient who is not there': (world) =>
      keepAnswer(world, { medical_record_number: null }),
    'a record that leads nowhere': ({ db }) => db.update(patients).set({ mergedInto: crypto.randomUUID() }),
    'a live booking of a record that was merged': ({ db }) =>
      db.update(patients).set({ mergedInto: sql`(select max(id) from patients)` }),
    'a booking that a stranger made as its patient': async (world) => {
      const { id: actorId } = await createPerson(world);
      return world.db.update(bookingEvents).set({ actorId });
    },
    'a booking beyond the capacity that a patient made': ({ db }) =>
      db.update(bookings).set({ overbooked: 1 }),
    'a check-in of a booking that waits': ({ db }) => db.update(bookings).set({ checkedInAt: 1 }),
    'a call of nobody who is there': ({ db }) =>
      db.update(bookings).set({ calledAt: 1, firstCalledAt: 1, callCount: 1 }),
    'an event of another role than it says': ({ db }) => db.update(bookingEvents).set({ actorRole: 'staff' }),
    'an event of a step after the visit was over': async ({ db }) => {
      const [event] = await db.select().from(bookingEvents);
      if (event === undefined) throw new Error('No event.');
      const payload = (version: number, visit: string) =>
        JSON.stringify({ ...JSON.parse(event.payload), version, status: 'approved', visit });
      const { sequence: _, ...rest } = event;
      await db.insert(bookingEvents).values([
        { ...rest, writeId: 'a', version: 2, type: 'booking.completed', payload: payload(2, 'completed') },
        { ...rest, writeId: 'b', version: 3, type: 'booking.called', payload: payload(3, 'called') },
      ]);
    },
    'a number that cannot be found': ({ db }) => db.update(patients).set({ nationalId: 'x' }),
    'a state that the last event does not tell': ({ db }) => db.update(bookings).set({ status: 'approved' }),
  } satisfies Record<string, (world: Awaited<ReturnType<typeof createWorld>>) => PromiseLike<unknown>>;

  for (const [what, spoil] of Object.entries(spoils))
    it(`notices ${what}`, async () => {
      const world = await bookedWorld();
      await spoil(world);
      expect(await findViolations(world.db)).not.toEqual([]);
    });
});
