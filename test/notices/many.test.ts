import { inArray, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { maxRounds, noticesAtOnce, runMs } from '../../src/notices/rules.ts';
import { sendDueNotices } from '../../src/notices/send.ts';
import { bookings } from '../../src/tables/bookings.ts';
import { notices } from '../../src/tables/mail.ts';
import { hour, minute, openBox } from '../support/notices.ts';
import { fillReminders, visitsStart } from '../support/reminders.ts';
import { createWorld, mondayMorning, type World } from '../support/world.ts';

const count = 10_000;
/** What a round trip takes by the clocks of the processes; a round of messages is three of them. */
const roundTripMs = 100;

/** A process of its own, or an isolate: it has its clock, and perhaps its end. */
interface Process {
  /** After so many messages the database is gone: nothing that it did then is noted. */
  diesAfter?: number;
  /** After so many messages it is told to stop, and every message that is under way is cut. */
  stopsAfter?: number;
}

/** What the gateway has got, and what all processes together have asked of the database. */
const watchAll = (world: World) => ({
  world,
  attempts: [] as string[],
  told: new Set<string>(),
  trips: 0,
  lastAt: 0,
});

/** One run of the job by a process, from the full minute on. */
const runBy = async (
  seen: ReturnType<typeof watchAll>,
  at: number,
  { diesAfter = Number.POSITIVE_INFINITY, stopsAfter = Number.POSITIVE_INFINITY }: Process = {},
) => {
  const { deps } = seen.world;
  const stopping = new AbortController();
  let now = mondayMorning + at * minute;
  let sent = 0;
  const sendMessage: Deps['sendMessage'] = async ({ headers, body }, signal) => {
    if (sent === stopsAfter) stopping.abort();
    if (signal.aborted) return { failure: 'timeout' };
    sent += 1;
    seen.attempts.push(headers['Idempotency-Key'] ?? '');
    seen.told.add(JSON.parse(body).to);
    seen.lastAt = Math.max(seen.lastAt, now);
    return { status: 200 };
  };
  const batch: Deps['db']['batch'] = (statements) => {
    if (sent >= diesAfter) return Promise.reject(new Error('killed'));
    now += roundTripMs;
    seen.trips += 1;
    return deps.db.batch(statements);
  };
  const db = new Proxy(deps.db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  });
  await sendDueNotices({ ...deps, db, clock: () => now, sendMessage }, now, stopping.signal);
  return sent;
};

/** What the clinic does between two minutes to some of those who were not told yet. */
const cancelAndMove = async ({ db }: World, each: number) => {
  const waiting = await db
    .select({ bookingId: notices.bookingId })
    .from(notices)
    .where(sql`${notices.state} = 'pending' and ${notices.leaseId} is null`)
    .limit(2 * each);
  const ids = waiting.map(({ bookingId }) => bookingId);
  const canceled = inArray(bookings.id, ids.slice(0, each));
  await db.update(bookings).set({ status: 'canceled' }).where(canceled);
  const moved = inArray(bookings.id, ids.slice(each));
  await db
    .update(bookings)
    .set({ startsAt: visitsStart + hour })
    .where(moved);
};

it('ten thousand reminders of one minute leave within five, once each, though a process dies among them and another is stopped', async () => {
  const world = await createWorld({ ...openBox().settings });
  await fillReminders(world, count);
  const seen = watchAll(world);

  // Both plan, claim and send. One dies before it has noted what it sent last.
  const [killed, whole] = await Promise.allSettled([runBy(seen, 0, { diesAfter: 400 }), runBy(seen, 0)]);
  expect(killed).toMatchObject({ status: 'rejected', reason: { message: 'killed' } });
  // The other has gone on until its time was over, and left the rest for the next minute.
  const ofOneRun = Math.floor(runMs / (3 * roundTripMs)) * noticesAtOnce;
  expect(whole).toMatchObject({ status: 'fulfilled', value: expect.closeTo(ofOneRun, -2) });
  const lost = await world.db.select().from(notices).where(sql`${notices.leaseId} is not null`);
  expect(lost).toHaveLength(noticesAtOnce);

  await cancelAndMove(world, 40);
  const [stopped] = await Promise.all([runBy(seen, 1, { stopsAfter: 510 }), runBy(seen, 1)]);
  expect(stopped).toBe(510);
  for (const at of [2, 3, 4]) await Promise.all([runBy(seen, at), runBy(seen, at)]);

  expect(seen.told.size).toBe(count - 80);
  expect(seen.lastAt).toBeLessThan(mondayMorning + 5 * minute);
  // What was sent and not noted goes again under the id that it had: the gateway knows it.
  expect(new Set(seen.attempts).size).toBe(count - 80);
  expect(seen.attempts.length - new Set(seen.attempts).size).toBe(noticesAtOnce);
  // Three round trips for each 25. Beside them a look or two of each run, and the plan by the thousand.
  expect(seen.trips).toBeLessThanOrEqual(
    3 * Math.ceil(count / noticesAtOnce) + 10 * 6 + Math.ceil(count / 1_000),
  );
  const states = await world.db
    .select({ state: notices.state, reason: notices.reason, n: sql<number>`count(*)`.as('n') })
    .from(notices)
    .groupBy(notices.state, notices.reason)
    .orderBy(notices.state, notices.reason);
  expect(states).toEqual([
    { state: 'dropped', reason: 'canceled', n: 40 },
    { state: 'dropped', reason: 'moved', n: 40 },
    { state: 'sent', reason: null, n: count - 80 },
  ]);
  // One process alone would have done it as well.
  expect(5 * Math.min(maxRounds * noticesAtOnce, ofOneRun)).toBeGreaterThanOrEqual(count);
}, 300_000);
