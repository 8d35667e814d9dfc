import { describe, expect, it } from 'vitest';
import { jobs } from '../../../src/jobs/jobs.ts';
import { createRounds } from '../../../src/jobs/rounds.ts';
import { bookingInput } from '../../support/clinic.ts';
import { findViolations } from '../../support/invariants.ts';
import { logOf, mailing, proveEmail, tell } from '../../support/notices.ts';
import {
  createTaken,
  createWaiting,
  date,
  type Person,
  personOf,
  type Waiting,
} from '../../support/waitlist.ts';

const nextWeek = '2026-12-02';

const series = ({ world, practice }: Waiting, { token }: Person, count: number) => {
  const body = { ...bookingInput(practice, { schedule_date: date }), every_days: 7, count };
  return world.request('/v1/bookings/series', { token, body });
};

describe('a series', () => {
  it('takes a seat whose offer is over, though no job ran, and none that is held', async () => {
    const waiting = await createTaken();
    const { world, holder, bookingId, wait, cancel, offersOf, pass } = waiting;
    const [first, other] = [await personOf(world), await personOf(world)];
    await wait(first);
    await cancel(holder, bookingId);
    expect(await offersOf(first)).toHaveLength(1);
    expect((await series(waiting, other, 2)).body.code).toBe('series_conflict');
    pass(31);
    expect((await series(waiting, other, 2)).status).toBe(200);
    expect(await offersOf(first)).toEqual([]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('that is canceled offers each of its seats', async () => {
    const waiting = await createWaiting();
    const { world, wait, offersOf } = waiting;
    const [holder, first, second] = [await personOf(world), await personOf(world), await personOf(world)];
    const { body } = await series(waiting, holder, 2);
    await wait(first);
    await wait(second, { from: nextWeek, to: nextWeek });
    const path = `/v1/bookings/series/${body.data.id}/cancel`;
    expect((await world.request(path, { method: 'POST', token: holder.token })).status).toBe(200);
    expect(await offersOf(first)).toMatchObject([{ schedule_date: date }]);
    expect(await offersOf(second)).toMatchObject([{ schedule_date: nextWeek }]);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('an open offer', () => {
  it('is in no calendar before it is accepted', async () => {
    const { world, holder, bookingId, wait, cancel, answer } = await createTaken();
    const person = await personOf(world);
    const made = await world.request('/v1/calendar-feeds', { token: person.token, body: {} });
    const eventsIn = async () => {
      const file = (await world.request(made.body.data.path)).body;
      return [...file.matchAll(/^BEGIN:VEVENT/gm)].length;
    };
    const entry = await wait(person);
    await cancel(holder, bookingId);
    expect(await eventsIn()).toBe(0);
    expect((await answer(person, entry, 'accept')).status).toBe(200);
    expect(await eventsIn()).toBe(1);
  });

  it('has a notice with the time until which it is held, and none at its end', async () => {
    const { world, holder, bookingId, wait, cancel, pass, runJob } = await createTaken(mailing);
    const person = await personOf(world);
    await proveEmail(world, person.id);
    await tell(world);
    await wait(person, { earliest_time: '09:00:00', latest_time: '09:00:00' });
    await cancel(holder, bookingId);
    await tell(world);
    expect(await logOf(world)).toEqual(['waitlist_offer email sent']);
    expect(world.mails).toMatchObject([
      { text: expect.stringContaining('ditahan hingga Senin, 23 November 2026, 08.30 WIB') },
    ]);
    pass(31);
    await runJob();
    await tell(world);
    expect(await logOf(world)).toEqual(['waitlist_offer email sent']);
  });

  it('that was answered or is over has no notice any more', async () => {
    const { world, holder, bookingId, wait, cancel, pass } = await createTaken(mailing);
    const person = await personOf(world);
    await proveEmail(world, person.id);
    await tell(world);
    await wait(person);
    await cancel(holder, bookingId);
    pass(31);
    await tell(world);
    expect(await logOf(world)).toEqual([]);
  });
});

describe('the job', () => {
  it('is due each minute while somebody waits, and not before or after', async () => {
    const { world, wait } = await createWaiting();
    const person = await personOf(world);
    const ran: number[] = [];
    const waitlist = jobs.find(({ name }) => name === 'waitlist');
    const run = waitlist?.run;
    if (waitlist === undefined || run === undefined) throw new Error('There is no such job.');
    const round = createRounds(world.deps);
    const isRun = async () => {
      ran.splice(0);
      world.clock.now += 60_000;
      await round();
      return ran.length > 0;
    };
    waitlist.run = async (deps, now, signal) => {
      ran.push(now);
      await run(deps, now, signal);
    };
    try {
      expect(await isRun()).toBe(false);
      const entry = await wait(person);
      expect([await isRun(), await isRun()]).toEqual([true, true]);
      const path = `/v1/waitlist/${entry}`;
      expect((await world.request(path, { method: 'DELETE', token: person.token })).status).toBe(200);
      expect(await isRun()).toBe(false);
    } finally {
      waitlist.run = run;
    }
  });
});
