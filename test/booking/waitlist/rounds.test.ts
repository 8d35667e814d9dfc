import { afterEach, describe, expect, it, vi } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { waitlistEntries } from '../../../src/core/tables/queues.ts';
import { jobs } from '../../../src/jobs/jobs.ts';
import { createRounds } from '../../../src/jobs/rounds.ts';
import { createClosure } from '../../support/clinic.ts';
import { findViolations } from '../../support/invariants.ts';
import { passedOverIn } from '../../support/passed-over.ts';
import { createPeople, createPerson } from '../../support/people.ts';
import { queryOf } from '../../support/plans.ts';
import { createWaiting, date, minuteMs, morning, type Person, type Waiting } from '../../support/waitlist.ts';
import type { World } from '../../support/world.ts';

afterEach(() => void vi.restoreAllMocks());

/** Adds entries at once, as so many requests would one after another. */
const waitAll = async ({ world, practice }: Waiting, people: Person[], toDate: string, fromDate = date) => {
  const entries = people.map((person, at) => ({
    id: world.deps.newId(),
    patientId: person.id,
    sessionId: practice.sessionId,
    fromDate,
    toDate,
    position: at + 1,
    createdBy: person.id,
    createdAt: morning,
  }));
  for (let at = 0; at < entries.length; at += 5)
    await world.db.insert(waitlistEntries).values(entries.slice(at, at + 5));
};

const openOffers = async ({ world }: Waiting) =>
  (await world.db.select().from(bookings)).filter(
    ({ status, heldUntil }) => status === 'waiting' && heldUntil !== null,
  );

/** The texts of all statements that are sent meanwhile. */
const sentBy = async (world: World, work: () => Promise<unknown>): Promise<string[]> => {
  const batch = vi.spyOn(world.deps.db, 'batch');
  await work();
  const sent = batch.mock.calls.flatMap(([statements]) => statements.map((one) => queryOf(one).sql));
  batch.mockRestore();
  return sent;
};

/** Four days of 16 slots, without the last four: 60 seats. */
const lastOfSixty = '2026-11-28';
const sixtySlots = ({ world }: Waiting) =>
  createClosure(world, { startDate: lastOfSixty, startTime: '14:00:00', endTime: '24:00:00' });

describe('a round', () => {
  it('offers 60 free slots to the first 60 who wait for any of them', async () => {
    const waiting = await createWaiting();
    await sixtySlots(waiting);
    const people = await createPeople(waiting.world, 64);
    await waitAll(waiting, people, lastOfSixty);
    const sent = await sentBy(waiting.world, waiting.runJob);
    const offers = await openOffers(waiting);
    expect(new Set(offers.map(({ patientId }) => patientId))).toEqual(
      new Set(people.slice(0, 60).map(({ id }) => id)),
    );
    expect(new Set(offers.map(({ startsAt }) => startsAt)).size).toBe(60);
    // The offer and its event each, and a few looks: no try is in vain.
    expect(sent.length).toBe(2 * 60 + 10);
    expect(await passedOverIn(waiting.world.db)).toEqual([]);
    expect(await findViolations(waiting.world.db)).toEqual([]);
  });

  it('offers something to each of five who wait for five weeks, and to one whom all of them suit', async () => {
    const waiting = await createWaiting();
    const { world, wait, offersOf, runJob } = waiting;
    const [greedy, ...others] = await createPeople(world, 6);
    await wait(greedy as Person, { to: '2027-01-12' });
    const weeks = ['2026-11-25', '2026-12-02', '2026-12-09', '2026-12-16', '2026-12-23'];
    for (const [at, week] of weeks.entries()) await wait(others[at] as Person, { from: week, to: week });
    await runJob();
    const dates = await Promise.all(
      [greedy, ...others].map(async (person) =>
        (await offersOf(person as Person)).map((offer: { schedule_date: string }) => offer.schedule_date),
      ),
    );
    expect(dates).toEqual([[date], ...weeks.map((week) => [week])]);
  });

  it('offers what comes after the slots for which no notice could be sent in time', async () => {
    const { world, wait, offersOf, runJob } = await createWaiting({ QUIET_HOURS: '21-9' });
    const person = await createPerson(world);
    await wait(person);
    world.clock.now = Date.parse('2026-11-24T15:00:00Z');
    await runJob();
    expect(await offersOf(person)).toMatchObject([{ schedule_time: '09:30:00' }]);
  });
});

describe('the cost of a round', () => {
  const looks = async (waiting: Waiting) => {
    const sent = await sentBy(waiting.world, waiting.runJob);
    expect(sent.filter((text) => !text.startsWith('select'))).toEqual([]);
    return sent.length;
  };

  it.each([1, 40])('is three looks while all who wait hold an offer (%i of them)', async (count) => {
    const waiting = await createWaiting();
    await waitAll(waiting, await createPeople(waiting.world, count), '2027-01-12');
    await waiting.runJob();
    expect(await openOffers(waiting)).toHaveLength(count);
    expect(await looks(waiting)).toBe(3);
  });

  it('is five looks for each two weeks in which somebody is left for whom nothing is free', async () => {
    const waiting = await createWaiting();
    const people = await createPeople(waiting.world, 30);
    await createClosure(waiting.world, { startDate: '2026-11-01', endDate: '2027-12-31' });
    await waitAll(waiting, people, '2027-01-12');
    // From Monday on: the weeks that begin on 23 November, 7 and 21 December and 4 January.
    expect(await looks(waiting)).toBe(5 + 4 * 5);
  });

  it('ends with the days in which the last one has found a seat', async () => {
    const waiting = await createWaiting();
    await waitAll(waiting, await createPeople(waiting.world, 3), '2027-01-12');
    expect((await sentBy(waiting.world, waiting.runJob)).length).toBe(5 + 5 + 3 * 2);
  });
});

describe('the rounds of a process that sees whether anything was changed', () => {
  const watch = (world: World, mark: () => string) => {
    const ran: number[] = [];
    const waitlist = jobs.find(({ name }) => name === 'waitlist');
    if (waitlist === undefined) throw new Error('There is no such job.');
    const { run } = waitlist;
    const spy = vi.spyOn(waitlist, 'run').mockImplementation(async (...given) => {
      ran.push(world.clock.now);
      await run(...given);
    });
    const round = createRounds(world.deps, async () => mark());
    /** At which minutes of the next ones the waitlist was looked at. */
    const pass = async (minutes: number) => {
      ran.splice(0);
      const from = world.clock.now;
      for (let at = 0; at < minutes; at++) {
        world.clock.now += minuteMs;
        await round();
      }
      return ran.map((now) => (now - from) / minuteMs);
    };
    return { pass, spy };
  };

  it('look at the waitlist four times an hour while nothing is, and at once after a change', async () => {
    const { world, wait } = await createWaiting();
    await createClosure(world, { startDate: '2026-11-01', endDate: '2027-12-31' });
    await wait(await createPerson(world));
    let mark = 1;
    const { pass } = watch(world, () => String(mark));
    // Until other jobs have done the due work.
    await pass(3);
    expect(await pass(57)).toEqual([12, 27, 42, 57]);
    mark += 1;
    expect(await pass(3)).toEqual([1]);
  });

  it('look at it as an offer is over, and a minute after a look that failed', async () => {
    const { world, wait, runJob } = await createWaiting();
    world.deps.log.error = () => {};
    world.clock.now += 2 * minuteMs;
    await wait(await createPerson(world));
    await runJob();
    const { pass, spy } = watch(world, () => 'unchanged');
    await pass(3);
    expect(await pass(27)).toEqual([10, 25, 27]);
    await pass(3);
    spy.mockRejectedValueOnce(new Error('the file is gone'));
    world.clock.now += 15 * minuteMs;
    await pass(1);
    expect(await pass(3)).toEqual([1]);
  });
});
