import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { schedules } from '../../../src/core/tables/catalog.ts';
import { waitlistEntries } from '../../../src/core/tables/queues.ts';
import { createClosure, createDoctor, createSchedule } from '../../support/clinic.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { createWaiting, date } from '../../support/waitlist.ts';

describe('the job by the minute', () => {
  it('offers seats of more capacity and of a removed closure, each to somebody else', async () => {
    const { world, wait, offersOf, book, runJob, practice } = await createWaiting();
    await createClosure(world, { startDate: date, startTime: '09:30:00', endTime: '24:00:00' });
    await createClosure(world, { startDate: date, startTime: '00:00:00', endTime: '09:00:00' });
    await book(await createPerson(world));
    const people = await Promise.all(Array.from({ length: 4 }, () => createPerson(world)));
    for (const person of people) await wait(person);
    await runJob();
    const counts = () => Promise.all(people.map(async (person) => (await offersOf(person)).length));
    expect(await counts()).toEqual([0, 0, 0, 0]);
    await world.db.update(schedules).set({ capacity: 4 }).where(eq(schedules.doctorId, practice.doctorId));
    await runJob();
    expect(await counts()).toEqual([1, 1, 1, 0]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('looks as far ahead as may be booked, however far ahead somebody waits', async () => {
    const { world, wait, offersOf, runJob, practice } = await createWaiting();
    const [near, far] = [await createPerson(world), await createPerson(world)];
    const id = await wait(far);
    await wait(near);
    const dates = { fromDate: '9000-01-01', toDate: '9000-02-01' };
    await world.db.update(waitlistEntries).set(dates).where(eq(waitlistEntries.id, id));
    await runJob();
    expect(await offersOf(near)).toHaveLength(1);
    const later = { session_id: practice.sessionId, from: '2028-11-01', to: '2028-11-23' };
    const ask = () => world.request('/v1/waitlist', { token: near.token, body: later });
    expect(await ask()).toMatchObject({ status: 422, body: { errors: { to: [expect.any(String)] } } });
    later.to = '2028-11-22';
    expect((await ask()).body.errors).toBeUndefined();
  });

  it('looks at no more slots than somebody waits for', async () => {
    const { world, wait, offersOf, runJob, practice } = await createWaiting();
    const { sessionId } = practice;
    const doctorId = await createDoctor(world);
    // Of the other doctor 96 slots a day are free, more than are looked at.
    for (let weekday = 1; weekday <= 7; weekday++)
      await createSchedule(world, { doctorId: practice.doctorId, sessionId, weekday, slotMinutes: 15 });
    await createSchedule(world, { doctorId, sessionId, weekday: 5 });
    const person = await createPerson(world);
    const friday = { doctor_id: doctorId, from: '2026-11-24', to: '2027-02-19', latest_time: '09:00:00' };
    await wait(person, friday);
    await runJob();
    expect(await offersOf(person)).toMatchObject([{ schedule_date: '2026-11-27' }]);
  });

  it('ends what nobody can be offered any more', async () => {
    const { world, wait, runJob } = await createWaiting();
    const person = await createPerson(world);
    await wait(person);
    world.clock.now = Date.parse('2026-11-26T01:00:00Z');
    await runJob();
    expect((await world.request('/v1/waitlist', { token: person.token })).body.data).toEqual([]);
  });
});
