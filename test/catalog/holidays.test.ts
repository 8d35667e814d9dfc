import { describe, expect, it } from 'vitest';
import { closures } from '../../src/core/tables/catalog.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { createAdmin } from '../support/admin.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const path = '/v1/admin/holidays';
const year = 2026;

interface Day {
  date: string;
  name: string;
  kind: string;
  closure_id: string | null;
}

const setUp = async () => {
  const world = await createWorld();
  const admin = await createAdmin(world);
  const practice = await createPractice(world);
  const days = async (): Promise<Day[]> => (await admin.get(`${path}?year=${year}`)).body.data;
  const stored = async () =>
    (await world.db.select().from(closures)).map(({ startDate, endDate, name }) => [
      startDate,
      endDate,
      name,
    ]);
  return { world, admin, practice, days, stored };
};

describe('the holidays of a year', () => {
  it('are listed with existing closures, and added once, also by repeated requests', async () => {
    const { world, admin, days, stored } = await setUp();
    expect((await days()).every(({ closure_id }) => closure_id === null)).toBe(true);
    const body = { year, dates: ['2026-12-25', '2026-12-24'] };
    const added = await admin.post(path, body);
    expect(added.status).toBe(200);
    expect(
      added.body.data.map(({ name, doctor_id }: { name: string; doctor_id: null }) => [name, doctor_id]),
    ).toEqual([
      ['Cuti bersama Kelahiran Yesus Kristus (Natal)', null],
      ['Kelahiran Yesus Kristus (Natal)', null],
    ]);
    expect((await admin.post(path, body)).body.data).toEqual([]);
    expect(await stored()).toHaveLength(2);
    const shown = (await days()).filter(({ closure_id }) => closure_id !== null);
    expect(shown.map(({ date, kind }) => [date, kind])).toEqual([
      ['2026-12-24', 'joint_leave'],
      ['2026-12-25', 'public_holiday'],
    ]);
    const events = await world.db.select().from(bookingEvents);
    expect(events.map(({ type }) => type)).toEqual(['closure.created', 'closure.created']);
  });

  it('leave out a day within a longer holiday, but not a day that is closed only for some hours', async () => {
    const { admin, days, stored } = await setUp();
    const closure = { name: 'Akhir tahun', start_date: '2026-12-20', end_date: '2026-12-31' };
    await admin.post('/v1/admin/closures', closure);
    const hours = { name: 'Upacara', start_date: '2026-08-17', start_time: '07:00:00', end_time: '09:00:00' };
    await admin.post('/v1/admin/closures', hours);
    expect((await days()).find(({ date }) => date === '2026-12-25')?.closure_id).not.toBeNull();
    const { body } = await admin.post(path, { year, dates: ['2026-08-17', '2026-12-25'] });
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Proklamasi Kemerdekaan']);
    expect(await stored()).toHaveLength(3);
  });

  it('added by several at once exist once', async () => {
    const { admin, stored } = await setUp();
    const dates = ['2026-12-24', '2026-12-25'];
    const answers = await Promise.all([1, 2, 3, 4].map(() => admin.post(path, { year, dates })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await stored()).toHaveLength(2);
  });

  it('name the bookings on them, and close them to new ones', async () => {
    const { world, admin, practice } = await setUp();
    const { token } = await createPerson(world);
    const christmas = bookingInput(practice, { schedule_date: '2026-12-25' });
    const made = await world.request('/v1/bookings', { token, body: christmas });
    const { body } = await admin.post(path, { year, dates: ['2026-12-24', '2026-12-25'] });
    expect(body.meta.affected_total).toBe(1);
    expect(body.meta.affected_bookings.map(({ id }: { id: string }) => id)).toEqual([made.body.data.id]);
    const other = await createPerson(world);
    const late = await world.request('/v1/bookings', {
      token: other.token,
      body: { ...christmas, schedule_time: '10:00:00' },
    });
    expect(late.body).toMatchObject({ code: 'slot_unavailable', reason: 'holiday' });
  });

  it('are chosen only from the list of their year, by an admin', async () => {
    const { world, admin, stored } = await setUp();
    for (const body of [
      { year, dates: ['2026-12-23'] },
      { year: 2027, dates: ['2026-12-25'] },
      { year: 2090, dates: ['2090-01-01'] },
      { year, dates: [] },
    ])
      expect((await admin.post(path, body)).status).toBe(422);
    expect((await admin.get(`${path}?year=1990`)).status).toBe(400);
    const staff = await createPerson(world, 'staff');
    expect((await world.request(`${path}?year=${year}`, { token: staff.token })).status).toBe(200);
    const body = { year, dates: ['2026-12-25'] };
    expect((await world.request(path, { token: staff.token, body })).status).toBe(403);
    expect(await stored()).toEqual([]);
  });
});
