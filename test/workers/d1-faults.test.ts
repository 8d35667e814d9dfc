import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openD1 } from '../../src/core/db/d1.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const sentences = [
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
];

/** The real D1, some of whose answers are lost: before the work was done, or after it. */
const losing = (lose: (call: number) => { sentence: string; when: 'before' | 'after' } | null) => {
  let calls = 0;
  const batch: D1Database['batch'] = async (statements) => {
    const loss = lose(calls++);
    if (loss?.when === 'before') throw new Error(loss.sentence);
    const results = await env.DB.batch(statements);
    if (loss?.when === 'after') throw new Error(loss.sentence);
    return results as never;
  };
  const database = { prepare: (sql: string) => env.DB.prepare(sql), batch } as D1Database;
  return { database, calls: () => calls };
};

const practiceWorld = async () => {
  const world = await createWorld();
  const practice = await createPractice(world, { capacity: 5 });
  return { world, practice, person: await createPerson(world) };
};

describe('while D1 has a bad moment', () => {
  it.each(sentences)('reads again after "%s"', async (sentence) => {
    const { world, person } = await practiceWorld();
    world.deps.db = openD1(losing((call) => (call === 0 ? { sentence, when: 'before' } : null)).database);
    expect((await world.request('/v1/bookings/history', { token: person.token })).status).toBe(200);
  });

  it.each([
    // Read, written, written again; after the work the repeat writes nothing, so that it is asked why.
    ['before', 3],
    ['after', 4],
  ] as const)('books once when the answer is lost %s the work', async (when, roundTrips) => {
    const { world, practice, person } = await practiceWorld();
    // The first call reads, the second writes.
    const { database, calls } = losing((call) =>
      call === 1 ? { sentence: sentences[0] as string, when } : null,
    );
    world.deps.db = openD1(database);
    let woken = 0;
    world.deps.eventsWritten = () => {
      woken += 1;
    };
    const headers = { 'Idempotency-Key': 'kunci-1' };
    const sent = { token: person.token, body: bookingInput(practice), headers };
    const booked = await world.request('/v1/bookings', sent);
    expect([booked.status, calls(), woken]).toEqual([201, roundTrips, 1]);
    const again = await world.request('/v1/bookings', sent);
    expect(again.body).toEqual(booked.body);
    const history = await world.request('/v1/bookings/history', { token: person.token });
    expect(history.body.data).toHaveLength(1);
    const events = await env.DB.prepare('select count(*) as n from booking_events').first<{ n: number }>();
    expect(events?.n).toBe(1);
  });

  it('answers 503 with Retry-After when the moment lasts, and serves again by itself', async () => {
    const { world, practice, person } = await practiceWorld();
    let lasts = true;
    const loss = { sentence: sentences[0] as string, when: 'before' as const };
    world.deps.db = openD1(losing(() => (lasts ? loss : null)).database);
    const refused = await world.request('/v1/bookings', {
      token: person.token,
      body: bookingInput(practice),
    });
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.headers.get('Retry-After')).toBe('1');
    lasts = false;
    const sent = { token: person.token, body: bookingInput(practice) };
    expect((await world.request('/v1/bookings', sent)).status).toBe(201);
  });

  it('never repeats a write that would count twice', async () => {
    await createWorld();
    const { database, calls } = losing(() => ({ sentence: sentences[0] as string, when: 'after' }));
    const raise = openD1(database);
    const { raiseClinicCalendar } = await import('../../src/core/clinic/row.ts');
    await expect(raise.batch([raiseClinicCalendar(raise)])).rejects.toThrow('Network connection lost');
    expect(calls()).toBe(1);
  });
});
