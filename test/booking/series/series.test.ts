import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { createClosure } from '../../support/clinic.ts';
import { book, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { ask, countOf, resultsOf, second, start } from '../../support/series.ts';
import type { Got } from '../../support/world.ts';

const mondays = ['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14'];

const timesOf = ({ body }: Got) =>
  body.data.results.map((one: { booking: { schedule_time: string } }) => one.booking?.schedule_time ?? null);

describe('a series', () => {
  it('is refused as one booking is: for an unknown doctor or session, and to a colleague who names a patient', async () => {
    const { world, clinic } = await start();
    const unknown = crypto.randomUUID();
    const named = { patient_id: clinic.patient.id };
    const answers = [
      await ask(world, clinic, { doctor_id: unknown }),
      await ask(world, clinic, { session_id: unknown }),
      await ask(world, clinic, named, clinic.otherDoctor.token),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      '422 doctor_not_found',
      '422 session_not_offered',
      '403 forbidden',
    ]);
    expect(await countOf(world)).toBe(0);
  });

  it('is booked at the same time of each date, and each booking names it', async () => {
    const { world, clinic } = await start();
    const made = await ask(world, clinic);
    expect([made.status, resultsOf(made)]).toEqual([200, 'booked booked booked booked']);
    const { id, results } = made.body.data;
    expect(results.map((one: { schedule_date: string }) => one.schedule_date)).toEqual(mondays);
    expect(results[0].booking).toMatchObject({ id, status: 'waiting', schedule_time: '09:00:00' });
    for (const { booking } of results)
      expect(await detail(world, clinic.patient, booking.id)).toMatchObject({
        series_id: id,
        queue_label: 'A-01',
        queue_number: 1,
      });
    const events = await world.db.select().from(bookingEvents);
    expect(events.map(({ payload }) => JSON.parse(payload).series_id)).toEqual([id, id, id, id]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('goes by days of the week, from the first of them on', async () => {
    const { world, clinic } = await start();
    const made = await ask(world, clinic, { weekdays: [2, 5] });
    const dates = made.body.data.results.map((one: { schedule_date: string }) => one.schedule_date);
    expect(dates).toEqual(['2026-11-24', '2026-11-27', '2026-12-01', '2026-12-04']);
  });

  it.each([
    [{ every_days: 0 }, 'every_days'],
    [{ weekdays: [] }, 'weekdays'],
    [{ weekdays: [8] }, 'weekdays.0'],
    [{ count: 27 }, 'count'],
  ])('is refused with %j', async (fields, path) => {
    const { world, clinic } = await start();
    const refused = await ask(world, clinic, fields);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [path]]);
  });

  it('ends with the calendar', async () => {
    const { world, clinic } = await start();
    const last = { schedule_date: '9999-12-31', on_conflict: 'skip' };
    const refused = await ask(world, clinic, last);
    expect(refused.body.results).toMatchObject([{ code: 'slot_unavailable', reason: 'too_far' }]);
  });

  it('keeps the local time where the clock changes', async () => {
    const { world, clinic } = await start(
      { CLINIC_TIME_ZONE: 'Europe/Berlin' },
      Date.parse('2027-03-20T00:00:00Z'),
    );
    const made = await ask(world, clinic, { schedule_date: '2027-03-21', count: 3 });
    expect(timesOf(made)).toEqual(['09:00:00', '09:00:00', '09:00:00']);
    const rows = await world.db.select().from(bookings);
    expect(rows.map(({ startsAt }) => new Date(startsAt).toISOString().slice(11, 16)).sort()).toEqual([
      '07:00',
      '07:00',
      '08:00',
    ]);
  });
});

describe('a date that cannot be booked', () => {
  const taken = async (settings: Record<string, string> = {}) => {
    const { world, clinic } = await start(settings);
    await book(world, clinic, second, clinic.stranger.token);
    return { world, clinic };
  };
  it('makes `fail` book nothing, and gives the reason for each', async () => {
    const { world, clinic } = await taken();
    await createClosure(world, { startDate: '2026-12-14' });
    const refused = await ask(world, clinic);
    expect([refused.status, refused.body.code]).toEqual([409, 'series_conflict']);
    expect(refused.body.results).toMatchObject([
      { result: 'free', code: null },
      { result: 'refused', code: 'slot_full' },
      { result: 'free', booking: null },
      { result: 'refused', code: 'slot_unavailable', reason: 'holiday' },
    ]);
    expect(await countOf(world)).toBe(1);
  });

  it('is left out with `skip`', async () => {
    const { world, clinic } = await taken();
    const made = await ask(world, clinic, { on_conflict: 'skip' });
    expect([made.status, resultsOf(made)]).toEqual([200, 'booked refused booked booked']);
    expect(await countOf(world)).toBe(4);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('gets the nearest slot of the same doctor and day with `nearest`', async () => {
    const { world, clinic } = await taken();
    // The patient is elsewhere at half past nine, so that half past eight is the nearest.
    await book(world, clinic, { ...second, schedule_time: '09:30:00' });
    await createClosure(world, { startDate: '2026-12-07' });
    const made = await ask(world, clinic, { on_conflict: 'nearest' });
    expect(resultsOf(made)).toBe('booked nearest refused booked');
    expect(timesOf(made)).toEqual(['09:00:00', '08:30:00', null, '09:00:00']);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is off the grid on every date: nothing can be left out, so nothing is made', async () => {
    const { world, clinic } = await start();
    const refused = await ask(world, clinic, { schedule_time: '09:10:00', on_conflict: 'skip' });
    expect([refused.status, resultsOf(refused)]).toEqual([409, 'refused refused refused refused']);
    const near = await ask(world, clinic, { schedule_time: '09:10:00', on_conflict: 'nearest' });
    expect(timesOf(near)).toEqual(['09:00:00', '09:00:00', '09:00:00', '09:00:00']);
  });

  it('is one at which the patient is busy', async () => {
    const { world, clinic } = await start();
    await book(world, clinic, second);
    expect((await ask(world, clinic)).body.results[1]).toMatchObject({ code: 'patient_busy' });
  });
});
