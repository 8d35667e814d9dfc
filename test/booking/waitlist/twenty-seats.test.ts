import { expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { waitlistEntries } from '../../../src/core/tables/queues.ts';
import { bookingInput, createClosure } from '../../support/clinic.ts';
import { findViolations } from '../../support/invariants.ts';
import { passedOverIn } from '../../support/passed-over.ts';
import { createPeople, createPerson } from '../../support/people.ts';
import { createWaiting, date, minuteMs, morning, type Person } from '../../support/waitlist.ts';

const timesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const minute = 8 * 60 + 30 * at;
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
  });

/** Adds entries at once, as so many requests would one after another. */
const waitAll = async ({ world, practice }: Awaited<ReturnType<typeof createWaiting>>, people: Person[]) => {
  const rows = people.map((person, at) => ({
    id: world.deps.newId(),
    patientId: person.id,
    sessionId: practice.sessionId,
    fromDate: date,
    toDate: '2026-11-26',
    position: at + 1,
    createdBy: person.id,
    createdAt: morning,
  }));
  for (let at = 0; at < rows.length; at += 5)
    await world.db.insert(waitlistEntries).values(rows.slice(at, at + 5));
  return rows.map(({ id }) => id);
};

it('gives 20 seats that come free at once to the first of 200, one each, and each holds it for its time and no longer', async () => {
  const waiting = await createWaiting();
  const { world, practice, book, cancel, runJob } = waiting;
  const times = timesOf(16);
  // Twelve slots taken on one day, to be canceled and moved away from; eight under a closure of the next.
  const [holders, people, bookers] = [
    await createPeople(world, 12),
    await createPeople(world, 200),
    await createPeople(world, 60),
  ];
  const taken = await Promise.all(
    holders.map((person, at) => book(person, { schedule_time: times[at] as string })),
  );
  await createClosure(world, { startDate: date, startTime: '14:00:00', endTime: '24:00:00' });
  const closureId = await createClosure(world, {
    startDate: '2026-11-26',
    startTime: '08:00:00',
    endTime: '12:00:00',
  });
  await createClosure(world, { startDate: '2026-11-26', startTime: '12:00:00', endTime: '24:00:00' });
  const ids = await waitAll(waiting, people);
  const idOf = (at: number) => taken[at]?.body.data.id as string;
  const admin = await createPerson(world, 'admin');
  const answers = await Promise.all([
    ...holders.slice(0, 8).map((person, at) => cancel(person, idOf(at))),
    ...holders.slice(8).map((person, at) =>
      world.request(`/v1/bookings/${idOf(at + 8)}/reschedule`, {
        token: person.token,
        body: bookingInput(practice, { schedule_date: '2026-11-27', schedule_time: times[at] as string }),
      }),
    ),
    world.request(`/v1/admin/closures/${closureId}`, { method: 'DELETE', token: admin.token }),
    ...bookers.slice(0, 24).map((person, at) => book(person, { schedule_time: times[at % 12] as string })),
    ...bookers
      .slice(24, 40)
      .map((person, at) =>
        book(person, { schedule_date: '2026-11-26', schedule_time: times[at % 8] as string }),
      ),
    runJob(),
  ]);
  expect(answers.slice(0, 13).map((answer) => answer?.status)).toEqual(Array(13).fill(200));
  await runJob();
  const assertFair = async () => {
    expect(await findViolations(world.db)).toEqual([]);
    expect(await passedOverIn(world.db)).toEqual([]);
  };
  await assertFair();
  const rows = await world.db.select().from(bookings);
  const offers = rows.filter(({ heldUntil }) => heldUntil !== null);
  const booked = rows.filter(
    ({ status, createdBy }) => status !== 'canceled' && bookers.some(({ id }) => id === createdBy),
  );
  // A seat freed by a cancel or a move cannot be booked before it is offered; of the closure's seats, bookers may win
  // some.
  expect(offers.length + booked.length).toBe(20);
  expect(offers.length).toBeGreaterThanOrEqual(12);
  expect(booked.every(({ scheduleDate }) => scheduleDate === '2026-11-26')).toBe(true);
  expect(new Set(offers.map(({ waitlistId }) => waitlistId))).toEqual(new Set(ids.slice(0, offers.length)));
  expect(
    new Set(offers.map(({ scheduleDate, scheduleTime }) => `${scheduleDate} ${scheduleTime}`)).size,
  ).toBe(offers.length);
  const at = (start: (typeof offers)[number]) => ({
    schedule_date: start.scheduleDate,
    schedule_time: start.scheduleTime,
  });
  const personOf = (id: string) => people.find((person) => person.id === id) as Person;
  const liveNow = async () =>
    (await world.db.select().from(bookings)).filter(({ status }) => status !== 'canceled');
  const answer = ({ waitlistId, patientId }: (typeof offers)[number], how: string) =>
    world.request(`/v1/waitlist/${waitlistId}/${how}`, { method: 'POST', token: personOf(patientId).token });

  // Some say yes, twice and with a no at once; some say no, and their seats go on; the others let the time pass.
  const [yes, no, silent] = [offers.slice(0, 6), offers.slice(6, 10), offers.slice(10)];
  const said = await Promise.all([
    ...yes.flatMap((offer) => ['accept', 'accept', 'decline'].map((how) => answer(offer, how))),
    ...no.map((offer) => answer(offer, 'decline')),
  ]);
  expect(said.filter(({ status }) => status === 200)).toHaveLength(10);
  await assertFair();
  const [early, late] = [bookers.slice(40, 50), bookers.slice(50)];
  const bookAll = (who: Person[], which: typeof offers) =>
    Promise.all(which.map((offer, nth) => book(who[nth] as Person, at(offer))));

  // One second before their time is over nobody else gets these seats, one second after it the next who comes does,
  // though no job has run.
  const until = Math.min(...silent.map(({ heldUntil }) => heldUntil ?? 0));
  expect(until).toBe(morning + 30 * minuteMs);
  world.clock.now = until - 1000;
  const codes = (await bookAll(early, silent.slice(0, 5))).map(({ body }) => body.code);
  expect(new Set(codes)).toEqual(new Set(['slot_full']));
  world.clock.now = until + 1000;
  const [mine, handedOn] = [silent.slice(0, 5), silent.slice(5)];
  const won = await bookAll(late, mine);
  expect(won.map(({ status }) => status)).toEqual(mine.map(() => 201));
  await assertFair();
  // The rest goes to the next of the list, each to another, while bookers try as well.
  await Promise.all([runJob(), ...(await bookAll(early, handedOn)), runJob()]);
  await runJob();
  await assertFair();
  const live = await liveNow();
  expect(live.every(({ heldUntil }) => heldUntil === null || heldUntil > world.clock.now)).toBe(true);
  const ofWaiting = live.filter(({ waitlistId }) => waitlistId !== null);
  expect(new Set(ofWaiting.map(({ waitlistId }) => waitlistId)).size).toBe(ofWaiting.length);
  expect(
    ofWaiting.every(({ patientId, waitlistId }) => ids[people.indexOf(personOf(patientId))] === waitlistId),
  ).toBe(true);
  expect(new Set(live.map((row) => `${row.scheduleDate} ${row.scheduleTime}`)).size).toBe(live.length);
});
