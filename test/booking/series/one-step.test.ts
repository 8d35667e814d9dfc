import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { replays } from '../../../src/core/tables/idempotency.ts';
import { book } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople } from '../../support/people.ts';
import { ask, countOf, resultsOf, second, start } from '../../support/series.ts';

describe('one atomic step', () => {
  it('books 26 dates in two round trips', async () => {
    const { world, clinic } = await start({ MAX_LIVE_BOOKINGS: '0' });
    const seen = beforeRoundTrip(world, 99, async () => {});
    const made = await ask(world, clinic, { every_days: 1, count: 26 });
    expect([made.status, made.body.data.results.length, seen.roundTrips]).toEqual([200, 26, 2]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('books none where one slot is lost between reading and writing', async () => {
    const { world, clinic } = await start();
    beforeRoundTrip(world, 2, () => book(world, clinic, second, clinic.stranger.token));
    const refused = await ask(world, clinic);
    expect([refused.status, resultsOf(refused)]).toEqual([409, 'free refused free free']);
    expect(await countOf(world)).toBe(1);
  });

  it('decides again where the calendar changed between them', async () => {
    const { world, clinic } = await start();
    beforeRoundTrip(world, 2, async () => {
      const body = { name: 'Libur', start_date: '2026-12-07', end_date: '2026-12-07' };
      expect((await world.request('/v1/admin/closures', { token: clinic.admin.token, body })).status).toBe(
        201,
      );
    });
    expect(resultsOf(await ask(world, clinic))).toBe('free free refused free');
  });

  it('gives no seat twice to many at once', async () => {
    const { world, clinic } = await start();
    const people = await createPeople(world, 8);
    const answers = await Promise.all(
      people.map(({ token }, at) =>
        ask(world, clinic, { on_conflict: (['fail', 'skip', 'nearest'] as const)[at % 3] }, token),
      ),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const rows = await world.db.select().from(bookings);
    expect(rows.filter(({ scheduleTime }) => scheduleTime === '09:00:00')).toHaveLength(4);
    // All or none.
    for (const { status, body } of answers.filter((_, at) => at % 3 === 0))
      if (status === 200)
        expect(new Set(body.data.results.map((one: { result: string }) => one.result)).size).toBe(1);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('answers a repeat under its key with the same, and stores no answer to a refusal', async () => {
    const { world, clinic } = await start();
    const keyed = { 'Idempotency-Key': 'rangkaian-1' };
    await book(world, clinic, second, clinic.stranger.token);
    expect((await ask(world, clinic, {}, undefined, keyed)).status).toBe(409);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask(world, clinic, { on_conflict: 'skip' }, undefined, keyed)),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect([await countOf(world), (await world.db.select().from(replays)).length]).toEqual([4, 1]);
  });
});
