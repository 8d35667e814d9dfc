import { describe, expect, it } from 'vitest';
import { findHistoryDetails } from '../../../src/modules/booking/reading/history-queries.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { planOf, queryOf } from '../../support/plans.ts';
import { createWorld } from '../../support/world.ts';

const minute = 60_000;

/** A patient with a child, and bookings of both on five days. */
const setUp = async () => {
  const world = await createWorld({ MAX_LIVE_BOOKINGS: '0' });
  const clinic = await createClinic(world, { capacity: 2 });
  const { token } = clinic.patient;
  const child = await world.request('/v1/family', {
    token,
    body: { name: 'Anak Pasien', birth_date: '2019-04-23', relation: 'child' },
  });
  const childId: string = child.body.data.id;
  const made: string[] = [];
  for (const day of [23, 24, 25, 26, 27]) {
    const at = { schedule_date: `2026-11-${day}` };
    made.push(await book(world, clinic, at));
    made.push(await book(world, clinic, { ...at, schedule_time: '10:00:00', patient_id: childId }));
  }
  await book(
    world,
    clinic,
    { schedule_date: '2026-11-25', schedule_time: '12:00:00' },
    clinic.stranger.token,
  );
  const page = async (query: string) => (await world.request(`/v1/bookings/history${query}`, { token })).body;
  const ids = async (query: string): Promise<string[]> =>
    (await page(query)).data.map(({ id }: { id: string }) => id);
  const walk = async (query: string): Promise<string[]> => {
    const seen: string[] = [];
    let path: string | undefined = `/v1/bookings/history${query}`;
    while (path !== undefined) {
      const { body, headers } = await world.request(path, { token });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      path = /<(.*)>/.exec(headers.get('Link') ?? '')?.[1];
    }
    return seen;
  };
  return { world, clinic, childId, made, page, ids, walk };
};

describe('the history with details', () => {
  it('shows each booking as its own page does, with its patient', async () => {
    const { world, clinic, childId, made, page } = await setUp();
    const { data } = await page('?include=detail');
    expect(data.map(({ id }: { id: string }) => id)).toEqual(made.toReversed());
    for (const item of data) {
      // The doctor's room, and how many are ahead, are only in the booking's own answer.
      const { ahead, estimated_at, room, notice, ...shown } = await detail(world, clinic.patient, item.id);
      expect([ahead, estimated_at, room, notice]).not.toContain(undefined);
      expect(item).toEqual(shown);
    }
    expect(data[0].patient).toMatchObject({ id: childId, name: 'Anak Pasien' });
    expect((await page('')).data[0]).not.toHaveProperty('patient');
    expect((await page('?when=upcoming')).data[0]).not.toHaveProperty('patient');
  });

  it('is the soonest first of what has not ended, and the newest first of what has', async () => {
    const { world, made, ids } = await setUp();
    expect(await ids('?when=upcoming')).toEqual(made);
    expect(await ids('?when=past&include=detail')).toEqual([]);
    // The third of the half hours of Wednesday's nine o'clock has just begun, and ends on the next line but one.
    world.clock.now = Date.parse('2026-11-25T02:30:00Z') - minute;
    expect(await ids('?when=upcoming&include=detail')).toEqual(made.slice(4));
    expect(await ids('?when=past')).toEqual(made.slice(0, 4).toReversed());
    world.clock.now += minute;
    expect(await ids('?when=upcoming')).toEqual(made.slice(5));
    expect(await ids('?when=past')).toEqual(made.slice(0, 5).toReversed());
  });

  it('pages once through all in both orders, and takes the filters of the plain history', async () => {
    const { world, clinic, childId, made, ids, walk } = await setUp();
    world.clock.now = Date.parse('2026-11-25T02:00:00Z');
    expect(await walk('?when=upcoming&include=detail&limit=2')).toEqual(made.slice(4));
    expect(await walk('?when=past&include=detail&limit=3')).toEqual(made.slice(0, 4).toReversed());
    expect(await walk('?include=detail&limit=3')).toEqual(made.toReversed());
    expect(await ids(`?when=upcoming&patient_id=${childId}`)).toEqual([made[5], made[7], made[9]]);
    expect(await ids('?when=upcoming&from=2026-11-26&to=2026-11-26')).toEqual(made.slice(6, 8));
    expect(await ids('?include=detail&to=2026-11-23')).toEqual(made.slice(0, 2).toReversed());
    await act(world, clinic.patient, `${made[7]}`, 'cancel');
    expect(await ids('?when=upcoming&status=canceled')).toEqual([made[7]]);
    expect(await ids(`?when=upcoming&doctor_id=${clinic.others.doctorId}`)).toEqual([]);
    const relation = `/v1/family/${childId}`;
    for (const id of [made[5], made[9]]) await act(world, clinic.patient, `${id}`, 'cancel');
    const ended = await world.request(relation, { method: 'DELETE', token: clinic.patient.token });
    expect(ended.status).toBe(200);
    expect(await ids('?when=upcoming&include=detail')).toEqual([made[4], made[6], made[8]]);
  });

  it.each(['asc', 'desc'] as const)(
    'is read by bookings_history, the own already sorted: %s',
    async (order) => {
      const { db } = await createWorld();
      const id = '00000000-0000-4000-8000-000000000000';
      const values = { accountId: id, patientId: null, cursorStart: 0, cursorId: '', fromInstant: 0 };
      const bounds = { beforeInstant: 1, endsAfter: 0, endsBy: 1, status: null, doctorId: null, limit: 51 };
      const plan = await planOf(db, queryOf(findHistoryDetails[order](db, { ...values, ...bounds })));
      expect(
        plan.filter((step) => step.includes('SEARCH bookings USING INDEX bookings_history (')),
      ).toHaveLength(2);
      expect(plan.filter((step) => step.includes('TEMP B-TREE FOR ORDER BY')).length).toBeLessThan(2);
    },
  );
});

describe('the plain history', () => {
  it('is the same by its first page, by pages and by a filter that leaves all, with a family and without', async () => {
    const { world, clinic, childId, made, ids, walk } = await setUp();
    const newest = made.toReversed();
    for (const asked of ['', '?limit=10', '?from=2020-01-01', `?doctor_id=${clinic.practice.doctorId}`])
      expect([asked, await ids(asked)]).toEqual([asked, newest]);
    expect(await ids('?limit=3')).toEqual(newest.slice(0, 3));
    expect(await walk('?limit=3')).toEqual(newest);
    const relation = `/v1/family/${childId}`;
    const ofChild = made.filter((_, at) => at % 2 === 1);
    for (const id of ofChild) await act(world, clinic.patient, id, 'cancel');
    await world.request(relation, { method: 'DELETE', token: clinic.patient.token });
    const own = newest.filter((id) => !ofChild.includes(id));
    for (const asked of ['', '?from=2020-01-01']) expect([asked, await ids(asked)]).toEqual([asked, own]);
    expect(await walk('?limit=2')).toEqual(own);
  });
});
