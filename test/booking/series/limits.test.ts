import { describe, expect, it } from 'vitest';
import { book } from '../../support/clinic-people.ts';
import { ask, resultsOf, start } from '../../support/series.ts';

describe('the limits count each booking of a series', () => {
  const refusedBy = async (settings: Record<string, string>, count: number) => {
    const { world, clinic } = await start(settings);
    await book(world, clinic, { schedule_time: '15:00:00' });
    const enough = await ask(world, clinic, { every_days: 1, count: count - 1 });
    expect(enough.status).toBe(200);
    const more = await ask(world, clinic, { schedule_time: '11:00:00', every_days: 1, count: 2 });
    return { world, clinic, more };
  };
  it('of coming bookings', async () => {
    const { world, clinic, more } = await refusedBy({ MAX_LIVE_BOOKINGS: '5' }, 4);
    expect(more.body.results).toMatchObject([
      { result: 'free' },
      { result: 'refused', code: 'too_many_bookings' },
    ]);
    const skipped = await ask(world, clinic, {
      schedule_time: '11:00:00',
      every_days: 1,
      count: 2,
      on_conflict: 'skip',
    });
    expect(resultsOf(skipped)).toBe('booked refused');
    const byStaff = { schedule_time: '13:00:00', patient_id: clinic.patient.id };
    expect((await ask(world, clinic, byStaff, clinic.staff.token)).status).toBe(200);
  });

  it('of an account whose e-mail is not proved', async () => {
    const { more } = await refusedBy({ MAIL_API_URL: 'https://mail.example', MAX_UNPROVED_BOOKINGS: '3' }, 2);
    expect(more.body.results[1]).toMatchObject({ code: 'email_unproved' });
  });

  it('made in an hour', async () => {
    const { world, clinic } = await start({ RATE_LIMIT: 'on', MAX_LIVE_BOOKINGS: '0' });
    const days = { every_days: 1, count: 26 };
    for (const schedule_time of ['09:00:00', '10:00:00'])
      expect((await ask(world, clinic, { ...days, schedule_time })).status).toBe(200);
    const late = { ...days, schedule_time: '11:00:00' };
    const refused = await ask(world, clinic, late);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3600']);
    expect(resultsOf(await ask(world, clinic, { ...late, on_conflict: 'skip' }))).toMatch(
      /^(booked ){8}(refused ?){18}$/,
    );
  });

  it('and the window holds for each date', async () => {
    const { world, clinic } = await start();
    const far = { schedule_date: '2027-02-15', count: 2 };
    expect((await ask(world, clinic, far)).body.results).toMatchObject([
      { result: 'free' },
      { code: 'slot_unavailable', reason: 'too_far' },
    ]);
    const byStaff = { ...far, patient_id: clinic.patient.id };
    const made = await ask(world, clinic, byStaff, clinic.staff.token);
    expect(made.body.data.results[1].booking.status).toBe('approved');
  });
});
