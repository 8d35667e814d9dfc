import { inArray, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { Deps } from '../../src/core/deps.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { notices } from '../../src/core/tables/mail.ts';
import { noticesInFlight } from '../../src/modules/notices/rules.ts';
import { sendDueNotices } from '../../src/modules/notices/sending/send.ts';
import { driveTime } from '../support/driven-time.ts';
import { hour, minute, openBox } from '../support/notices.ts';
import { fillReminders, visitsStart } from '../support/reminders.ts';
import { createWorld, mondayMorning, type World } from '../support/world.ts';

const count = 10_000;
/** The duration of a round trip, and of the gateway's answer. */
const roundTripMs = 100;
const answerMs = 250;

/** A process of its own, or an isolate, and perhaps its end. */
interface Process {
  /** After so many messages the database is gone: nothing that it did then is noted. */
  diesAfter?: number;
  /** After this many messages it is asked to stop, and every message in progress is cut off. */
  stopsAfter?: number;
}

/** The messages of the gateway, and the database queries of all processes together. */
const watchAll = (world: World) => ({
  world,
  attempts: [] as string[],
  told: new Set<string>(),
  trips: 0,
  lastAt: 0,
  /** The most that one process had under way at once. */
  most: 0,
});

/** One run of the job by each of these processes, side by side from the full minute on. */
const runsAt = (
  seen: ReturnType<typeof watchAll>,
  at: number,
  processes: readonly Process[],
): Promise<PromiseSettledResult<number>[]> => {
  const { deps } = seen.world;
  const began = mondayMorning + at * minute;
  const time = driveTime(began);

  const runBy = async ({ diesAfter = Infinity, stopsAfter = Infinity }: Process): Promise<number> => {
    const stopping = new AbortController();
    let sent = 0;
    let underWay = 0;
    const sendMessage: Deps['sendMessage'] = async ({ headers, body }, signal) => {
      if (sent === stopsAfter) stopping.abort();
      if (signal.aborted) return { failure: 'timeout' };
      sent += 1;
      underWay += 1;
      seen.most = Math.max(seen.most, underWay);
      seen.attempts.push(headers['Idempotency-Key'] ?? '');
      seen.told.add(JSON.parse(body).to);
      seen.lastAt = Math.max(seen.lastAt, time.now());
      await time.after(answerMs);
      underWay -= 1;
      return { status: 200 };
    };
    const batch: Deps['db']['batch'] = async (statements) => {
      if (sent >= diesAfter) throw new Error('killed');
      await time.after(roundTripMs);
      seen.trips += 1;
      return time.holding(deps.db.batch(statements));
    };
    const db = new Proxy(deps.db, {
      get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
    });
    const own = { ...deps, db, clock: time.now, sendMessage, rests: new Map() };
    await sendDueNotices(own, began, stopping.signal);
    return sent;
  };
  return Promise.allSettled(processes.map(runBy));
};

/** The clinic's changes between two minutes to visits without a notice so far. */
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

it('ten thousand reminders of one minute leave within five, once each, though each answer takes a quarter of a second, a process dies among them and another is stopped', async () => {
  const world = await createWorld({ ...openBox().settings });
  await fillReminders(world, count);
  const seen = watchAll(world);

  // Both plan, claim and send. One dies before it has noted what it sent last.
  const [killed, whole] = await runsAt(seen, 0, [{ diesAfter: 400 }, {}]);
  expect(killed).toMatchObject({ status: 'rejected', reason: { message: 'killed' } });
  const [{ lost = 0 } = {}] = await world.db
    .select({ lost: sql<number>`count(*)`.as('lost') })
    .from(notices)
    .where(sql`${notices.leaseId} is not null`);
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThanOrEqual(2 * noticesInFlight);
  // One process alone does it as well.
  expect(whole).toMatchObject({ status: 'fulfilled' });
  const ofOneRun = whole?.status === 'fulfilled' ? whole.value : 0;
  expect(5 * ofOneRun).toBeGreaterThanOrEqual(count);

  await cancelAndMove(world, 40);
  const [stopped] = await runsAt(seen, 1, [{ stopsAfter: 510 }, {}]);
  expect(stopped).toEqual({ status: 'fulfilled', value: 510 });
  for (const at of [2, 3, 4]) await runsAt(seen, at, [{}, {}]);

  expect(seen.told.size).toBe(count - 80);
  expect(seen.lastAt).toBeLessThan(mondayMorning + 5 * minute);
  expect(seen.most).toBe(noticesInFlight);
  // Messages that were sent but not recorded are sent again under the same id: the gateway recognizes it.
  expect(new Set(seen.attempts).size).toBe(count - 80);
  expect(seen.attempts.length - new Set(seen.attempts).size).toBeLessThanOrEqual(lost);
  // Two round trips for each 25 at least. Beside them a look or two of each run, and the plan by the thousand.
  expect(seen.trips).toBeLessThanOrEqual(
    2 * Math.ceil(count / (noticesInFlight / 2)) + 10 * 7 + Math.ceil(count / 1_000),
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
});
