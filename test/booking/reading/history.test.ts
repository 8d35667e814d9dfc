import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { act, book, createClinic } from '../../support/clinic-people.ts';
import { copyRow, otherId } from '../../support/copies.ts';
import { createWorld } from '../../support/world.ts';

const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world);
  const history = async (query = '') =>
    (await world.request(`/v1/bookings/history${query}`, { token: clinic.patient.token })).body;
  const ids = async (query = ''): Promise<string[]> =>
    (await history(query)).data.map(({ id }: { id: string }) => id);
  return { world, clinic, history, ids };
};

describe('a patient’s history', () => {
  it('is the newest schedule first, and can be asked by status, doctor and dates, both dates with it', async () => {
    const { world, clinic, ids } = await setUp();
    const other = { doctor_id: clinic.others.doctorId, session_id: clinic.others.sessionId };
    const first = await book(world, clinic, { schedule_date: '2026-11-24', schedule_time: '08:00:00' });
    const third = await book(world, clinic, { schedule_date: '2026-11-26', schedule_time: '15:30:00' });
    const second = await book(world, clinic, { schedule_date: '2026-11-25', ...other });
    await act(world, clinic.patient, third, 'cancel');
    await act(world, clinic.staff, second, 'approve');
    expect(await ids()).toEqual([third, second, first]);
    expect(await ids('?status=canceled')).toEqual([third]);
    expect(await ids('?status=approved')).toEqual([second]);
    expect(await ids('?status=waiting')).toEqual([first]);
    expect(await ids(`?doctor_id=${clinic.practice.doctorId}`)).toEqual([third, first]);
    expect(await ids(`?doctor_id=${clinic.practice.doctorId}&status=waiting`)).toEqual([first]);
    expect(await ids('?from=2026-11-25')).toEqual([third, second]);
    expect(await ids('?to=2026-11-25')).toEqual([second, first]);
    expect(await ids('?from=2026-11-25&to=2026-11-25')).toEqual([second]);
    expect(await ids('?from=2026-11-27')).toEqual([]);
    expect(await ids('?to=2026-11-26')).toHaveLength(3);
  });

  it('holds the first and the last instant of a day of the clinic’s clock', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { startTime: '00:00:00', endTime: '24:00:00' });
    const at = (schedule_date: string, schedule_time: string) =>
      book(world, clinic, { schedule_date, schedule_time });
    await at('2026-11-24', '23:30:00');
    const own = [await at('2026-11-25', '23:30:00'), await at('2026-11-25', '00:00:00')];
    await at('2026-11-26', '00:00:00');
    const path = '/v1/bookings/history?from=2026-11-25&to=2026-11-25';
    const { data } = (await world.request(path, { token: clinic.patient.token })).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(own);
  });

  it('pages once through bookings of one start: canceled ones, and the live one', async () => {
    const { world, clinic, ids, history } = await setUp();
    for (let nth = 0; nth < 4; nth++) await act(world, clinic.patient, await book(world, clinic), 'cancel');
    await book(world, clinic);
    const whole = await ids();
    expect(whole).toEqual(whole.toSorted().toReversed());
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { data, meta } = await history(`?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...data.map(({ id }: { id: string }) => id));
      cursor = meta.next_cursor;
    } while (cursor !== null && seen.length < 20);
    expect(seen).toEqual(whole);
  });

  it('shows 50 unless asked otherwise, and a cursor only where more follow', async () => {
    const { world, clinic, history } = await setUp();
    const id = await book(world, clinic);
    await act(world, clinic.patient, id, 'cancel');
    const values = { id: otherId('id'), writeId: otherId('write_id'), bookingCode: sql`'kode-' || i` };
    await copyRow(world, bookings, 49, values);
    expect(await history()).toMatchObject({ data: { length: 50 }, meta: { next_cursor: null } });
    expect((await history('?limit=49')).meta.next_cursor).not.toBeNull();
    await act(world, clinic.patient, await book(world, clinic), 'cancel');
    const { data, meta } = await history();
    expect(data).toHaveLength(50);
    expect((await history(`?cursor=${meta.next_cursor}`)).data).toHaveLength(1);
  });
});
