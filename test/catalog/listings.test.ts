import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { clinic, schedules } from '../../src/core/tables/catalog.ts';
import { createAdmin } from '../support/admin.ts';
import {
  bookingInput,
  createClosure,
  createDoctor,
  createPractice,
  createSchedule,
  createSession,
} from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

const get = async (world: World, path: string) => (await world.request(path)).body;

/** Every page of a list, `limit` at a time. */
const everyPage = async (world: World, path: string, limit: number) => {
  const seen: { id: string; name: string }[] = [];
  let next: string | undefined = `${path}?limit=${limit}`;
  while (next !== undefined && seen.length < 50) {
    const { body, headers } = await world.request(next);
    seen.push(...body.data);
    next = /<(.*)>/.exec(headers.get('Link') ?? '')?.[1];
  }
  return seen;
};

describe('the public lists', () => {
  it('go by name, and page once through those of one name', async () => {
    const world = await createWorld();
    for (const name of ['Sari', 'Budi', 'Sari', 'Ani', 'Sari', 'Sari']) {
      await createDoctor(world, { name });
      await createSession(world, name);
    }
    for (const path of ['/v1/doctors', '/v1/sessions'])
      for (const limit of [1, 2, 50]) {
        const rows = await everyPage(world, path, limit);
        expect(rows.map(({ name }) => name)).toEqual(['Ani', 'Budi', 'Sari', 'Sari', 'Sari', 'Sari']);
        expect(new Set(rows.map(({ id }) => id)).size).toBe(6);
      }
  });

  it('begin with the first page where the cursor is empty', async () => {
    const world = await createWorld();
    for (const name of ['Ani', 'Budi']) await createDoctor(world, { name });
    const first = await get(world, '/v1/doctors?limit=1');
    expect(await get(world, '/v1/doctors?limit=1&cursor=')).toEqual(first);
    expect(first.data).toMatchObject([{ name: 'Ani' }]);
  });

  it('show nobody and nothing that is out of service', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const { doctorId, sessionId } = await createPractice(world);
    const others = await createPractice(world);
    const ids = async (path: string) => (await get(world, path)).data.map(({ id }: { id: string }) => id);
    await admin.remove(`/v1/admin/doctors/${doctorId}`);
    expect(await ids('/v1/doctors')).toEqual([others.doctorId]);
    expect(await ids('/v1/doctors?q=sari')).toEqual([others.doctorId]);
    expect(await ids(`/v1/doctors?session_id=${sessionId}`)).toEqual([]);
    for (const path of [`/v1/doctors/${doctorId}`, `/v1/doctors/${doctorId}/slots`])
      expect((await world.request(path)).status).toBe(404);
    await admin.remove(`/v1/admin/sessions/${others.sessionId}`);
    expect(await ids('/v1/sessions')).toEqual([sessionId]);
    expect(await ids(`/v1/doctors/${others.doctorId}/slots`)).toEqual([]);
  });

  it('show who offers a session by the hours that are in service', async () => {
    const world = await createWorld();
    const { doctorId, sessionId } = await createPractice(world);
    await createPractice(world);
    const path = `/v1/doctors?session_id=${sessionId}`;
    for (const query of [path, `${path}&q=sari`])
      expect((await get(world, query)).data).toMatchObject([{ id: doctorId }]);
    await world.db.update(schedules).set({ retiredAt: 1 }).where(eq(schedules.doctorId, doctorId));
    for (const query of [path, `${path}&q=sari`]) expect((await get(world, query)).data).toEqual([]);
  });

  it('show who offers a session while it is offered and their hours hold, or will', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const { doctorId, sessionId } = await createPractice(world, { validUntil: '2026-11-23' });
    const later = await createDoctor(world, { name: 'Zaki' });
    await createSchedule(world, { doctorId: later, sessionId, validFrom: '2027-06-01' });
    const path = `/v1/doctors?session_id=${sessionId}`;
    expect((await get(world, path)).data).toMatchObject([{ id: doctorId }, { id: later }]);
    world.clock.now = Date.parse('2026-11-24T00:30:00+07:00');
    expect((await get(world, path)).data).toMatchObject([{ id: later }]);
    await admin.remove(`/v1/admin/sessions/${sessionId}`);
    for (const query of [path, `${path}&q=zaki`]) expect((await get(world, query)).data).toEqual([]);
  });

  it('find doctors by every word, and no patient of that name', async () => {
    const world = await createWorld();
    await registerPatient(world, { name: 'Sari Wulandari' });
    const id = await createDoctor(world, { name: 'Sari Wulandari' });
    await createDoctor(world, { name: 'Sari Kusuma' });
    expect((await get(world, '/v1/doctors?q=sari')).data).toHaveLength(2);
    expect((await get(world, '/v1/doctors?q=sari%20wul')).data).toMatchObject([{ id }]);
    expect((await get(world, '/v1/doctors?q=sari%20budi')).data).toEqual([]);
  });
});

describe('the slots of a doctor', () => {
  const setUp = async (fields: object = {}) => {
    const world = await createWorld();
    const practice = await createPractice(world, { startTime: '09:00:00', endTime: '10:00:00', ...fields });
    const slots = (query = '') => get(world, `/v1/doctors/${practice.doctorId}/slots${query}`);
    const dates = async (query = ''): Promise<string[]> => [
      ...new Set<string>(
        (await slots(query)).data.map(({ schedule_date }: { schedule_date: string }) => schedule_date),
      ),
    ];
    return { world, practice, slots, dates };
  };

  it('are those of a week from today by the clinic’s clock, or of the dates that are named', async () => {
    const { world, dates } = await setUp();
    expect(await dates()).toEqual([23, 24, 25, 26, 27, 28, 29].map((day) => `2026-11-${day}`));
    expect((await dates('?from=2026-12-01')).at(-1)).toBe('2026-12-07');
    expect(await dates('?from=2026-12-01&to=2026-12-01')).toEqual(['2026-12-01']);
    // Half past midnight in Jakarta, where it is still the day before in Greenwich.
    world.clock.now = Date.parse('2026-11-25T00:30:00+07:00');
    expect((await dates())[0]).toBe('2026-11-25');
  });

  it('leave out the leave and the holidays that touch the dates at either end', async () => {
    const { world, practice, dates } = await setUp();
    const week = '?from=2026-11-30&to=2026-12-06';
    await createClosure(world, {
      doctorId: practice.doctorId,
      startDate: '2026-11-20',
      endDate: '2026-11-30',
    });
    await createClosure(world, { startDate: '2026-12-06', endDate: '2026-12-20' });
    expect(await dates(week)).toEqual([1, 2, 3, 4, 5].map((day) => `2026-12-0${day}`));
    expect(await dates('?from=2026-11-30&to=2026-11-30')).toEqual([]);
    expect(await dates('?from=2026-12-06&to=2026-12-06')).toEqual([]);
  });

  it('leave out what colleagues are on leave for, and what is retired', async () => {
    const { world, practice, dates } = await setUp();
    const { doctorId } = await createPractice(world);
    await createClosure(world, { doctorId, startDate: '2026-11-24' });
    expect(await dates('?to=2026-11-24')).toEqual(['2026-11-23', '2026-11-24']);
    await world.db.update(schedules).set({ retiredAt: 1 }).where(eq(schedules.doctorId, practice.doctorId));
    expect(await dates('?to=2026-11-24')).toEqual([]);
  });

  it('say how many seats are left, on the last of the dates too, without those that were canceled', async () => {
    const { world, practice, slots } = await setUp({ capacity: 2, endTime: '09:30:00' });
    const { token } = await createPerson(world);
    const last = '2026-11-25';
    const booked = await world.request('/v1/bookings', {
      token,
      body: bookingInput(practice, { schedule_date: last }),
    });
    const left = async () =>
      (await slots(`?to=${last}`)).data.map(({ remaining }: { remaining: number }) => remaining);
    expect(await left()).toEqual([2, 2, 1]);
    await world.request(`/v1/bookings/${booked.body.data.id}/cancel`, { method: 'POST', token });
    expect(await left()).toEqual([2, 2, 2]);
  });

  it('of two schedules come in the order of their starts', async () => {
    const { world, practice, slots } = await setUp({ startTime: '13:00:00', endTime: '14:00:00' });
    await createSchedule(world, { ...practice, weekday: 1, startTime: '08:00:00', endTime: '09:00:00' });
    const times = (await slots('?to=2026-11-23')).data.map(
      ({ schedule_time }: { schedule_time: string }) => schedule_time,
    );
    expect(times).toEqual(['08:00:00', '08:30:00', '13:00:00', '13:30:00']);
  });

  it('name the next open one after dates on which all are taken, from the day after them on', async () => {
    const { world, practice, slots } = await setUp({ endTime: '09:30:00' });
    const { token } = await createPerson(world);
    await world.request('/v1/bookings', { token, body: bookingInput(practice) });
    for (const query of ['?to=2026-11-23', '?to=2026-11-23&include=unavailable']) {
      const { meta } = await slots(query);
      expect(meta.next_available).toMatchObject({ schedule_date: '2026-11-24', schedule_time: '09:00:00' });
    }
    expect((await slots('?to=2026-11-24')).meta.next_available).toBeNull();
  });

  it('name as the next open one even that of the last day on which patients may book', async () => {
    const world = await createWorld({ MAX_ADVANCE_DAYS: '7' });
    const practice = await createPractice(world, { validFrom: '2026-11-30', endTime: '08:30:00' });
    const path = `/v1/doctors/${practice.doctorId}/slots`;
    expect((await get(world, `${path}?to=2026-11-29`)).meta.next_available).toMatchObject({
      schedule_date: '2026-11-30',
    });
    expect((await get(world, `${path}?from=2026-12-01`)).meta.next_available).toBeNull();
  });

  it.each([{ rezoningTo: 'Asia/Makassar' }, { timeZone: 'Asia/Makassar' }])(
    'are not told while the clinic’s zone is %o and the service’s another',
    async (fields) => {
      const { world, practice } = await setUp();
      await world.db.update(clinic).set(fields);
      expect((await world.request(`/v1/doctors/${practice.doctorId}/slots`)).status).toBe(503);
    },
  );
});
