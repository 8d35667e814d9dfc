import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { toVisitStatus } from '../../../src/modules/booking/record/rules.ts';
import { act, book, type Clinic, createClinic } from '../../support/clinic-people.ts';
import { copyRow, otherId } from '../../support/copies.ts';
import { createPeople, createPerson } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';

const none = {
  waiting: 0,
  approved: 0,
  canceled: 0,
  expected: 0,
  checked_in: 0,
  called: 0,
  completed: 0,
  no_show: 0,
  unanswered: 0,
};

const asker = (world: World, token: string) => async (query: string) => {
  const { status, body } = await world.request(`/v1/bookings?${query}`, { token });
  return { status, body, ids: (body.data ?? []).map(({ id }: { id: string }) => id) };
};

/** All rows of a list, page by page, and the counts of each page. */
const walk = async (world: World, token: string, query: string) => {
  const ids: string[] = [];
  const counts: unknown[] = [];
  let path: string | undefined = `/v1/bookings?${query}`;
  while (path !== undefined) {
    const { body, headers } = await world.request(path, { token });
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    counts.push(body.meta.counts);
    path = /<(.*)>/.exec(headers.get('Link') ?? '')?.[1];
  }
  return { ids, counts };
};

/** One booking of the day in each state. */
const everyState = async (world: World, clinic: Clinic) => {
  const [waiting, expected, here, called, completed, absent, canceled] = await Promise.all(
    (await createPeople(world, 7)).map(({ token }) => book(world, clinic, {}, token)),
  );
  const staff = clinic.staff;
  for (const id of [expected, here, called, completed, absent]) await act(world, staff, `${id}`, 'approve');
  for (const id of [here, called, completed]) await act(world, staff, `${id}`, 'check-in');
  for (const id of [called, completed]) await act(world, staff, `${id}`, 'call');
  await act(world, staff, `${completed}`, 'complete');
  await act(world, staff, `${canceled}`, 'cancel');
  world.clock.now = Date.parse('2026-11-23T02:00:00Z');
  await act(world, staff, `${absent}`, 'no-show');
  return { waiting, expected, here, called, completed, absent, canceled };
};

describe('the list of the clinic', () => {
  it('takes several states and several visits, repeated or with commas, and counts whatever they say', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 9 });
    const made = await everyState(world, clinic);
    const ask = asker(world, clinic.staff.token);
    const sorted = async (query: string) => (await ask(query)).ids.toSorted();
    const counts = {
      waiting: 1,
      approved: 5,
      canceled: 1,
      expected: 2,
      checked_in: 1,
      called: 1,
      completed: 1,
      no_show: 1,
      unanswered: 0,
    };
    const both = [made.waiting, made.canceled].toSorted();
    expect(await sorted('status=waiting&status=canceled')).toEqual(both);
    expect(await sorted('status=waiting,canceled')).toEqual(both);
    expect(await sorted('visit=checked_in,called')).toEqual([made.here, made.called].toSorted());
    expect(await sorted('visit=expected')).toEqual([made.waiting, made.expected].toSorted());
    expect(await sorted('visit=expected&status=approved')).toEqual([made.expected]);
    expect(await sorted('visit=completed&visit=no_show')).toEqual([made.completed, made.absent].toSorted());
    for (const query of ['', 'status=waiting', 'visit=called', 'limit=2', 'status=waiting&visit=no_show'])
      expect([query, (await ask(query)).body.meta.counts]).toEqual([query, counts]);
    const theirs = await ask(`doctor_id=${clinic.others.doctorId}`);
    expect(theirs.body).toMatchObject({ data: [], meta: { counts: none } });
    for (const query of ['status=gone', 'visit=checked_in,', 'status=', 'order=up', 'visit=waiting'])
      expect([query, (await ask(query)).status]).toEqual([query, 400]);
  });

  it('says of a visit what the rules say', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 9 });
    await everyState(world, clinic);
    const ask = asker(world, clinic.staff.token);
    for (const row of await world.db.select().from(bookings)) {
      const word = row.status === 'canceled' ? null : (toVisitStatus(row) ?? 'expected');
      for (const visit of ['expected', 'checked_in', 'called', 'completed', 'no_show'])
        expect((await ask(`visit=${visit}`)).ids.includes(row.id)).toBe(visit === word);
    }
  });

  it('lists a range of days in either order, each booking once, whatever the pages', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 3 });
    const people = await createPeople(world, 3);
    const made: string[] = [];
    for (const day of ['2026-11-24', '2026-11-25', '2026-11-26'])
      for (const time of ['08:00:00', '15:30:00'])
        for (const { token } of people)
          made.push(await book(world, clinic, { schedule_date: day, schedule_time: time }, token));
    await book(world, clinic, { schedule_date: '2026-11-27' });
    const range = 'from=2026-11-24&to=2026-11-26';
    for (const { token } of [clinic.staff, clinic.doctor, clinic.admin]) {
      const up = await walk(world, token, `${range}&limit=4`);
      expect(up.ids.toSorted()).toEqual(made.toSorted());
      expect(new Set(up.counts.map((counts) => JSON.stringify(counts))).size).toBe(1);
      const down = await walk(world, token, `${range}&limit=5&order=desc`);
      expect(down.ids).toEqual(up.ids.toReversed());
      expect(down.counts[0]).toEqual({ ...none, waiting: 18, expected: 18 });
    }
    const patient = people[0]?.id;
    const own = await walk(world, clinic.staff.token, `${range}&patient_id=${patient}&limit=2&order=desc`);
    expect(own.ids).toHaveLength(6);
    expect(own.counts[0]).toEqual({ ...none, waiting: 6, expected: 6 });
    const strange = await walk(world, clinic.otherDoctor.token, `${range}&patient_id=${patient}`);
    expect(strange).toEqual({ ids: [], counts: [none] });
    const other = `session_id=${clinic.others.sessionId}`;
    expect((await walk(world, clinic.staff.token, `${range}&${other}`)).ids).toEqual([]);
    expect(
      (await walk(world, clinic.staff.token, `${range}&session_id=${clinic.practice.sessionId}`)).ids,
    ).toHaveLength(18);
  });

  it('takes a day, or both ends of at most 92 days', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const ask = asker(world, clinic.staff.token);
    expect((await ask('from=2026-11-01&to=2027-01-31')).status).toBe(200);
    // No date comes after it.
    expect((await ask('from=9999-12-01&to=9999-12-31')).status).toBe(200);
    const id = await book(world, clinic, { schedule_date: '2026-11-24' });
    for (const [query, found] of [
      ['from=2026-11-24', [id]],
      ['to=2026-11-24', [id]],
      ['from=2026-11-23', []],
      ['to=2026-11-25', []],
    ] as const)
      expect([query, (await ask(query)).ids]).toEqual([query, found]);
    for (const [query, field] of [
      ['from=2026-11-01&to=2027-02-01', 'to'],
      ['from=2026-11-02&to=2026-11-01', 'to'],
      ['date=2026-11-02&from=2026-11-02&to=2026-11-02', 'date'],
    ] as const) {
      const { status, body } = await ask(query);
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 400, [field]]);
    }
  });

  it('answers 304 until something of it changes, and keeps nothing of patients in any cache', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 2 });
    const id = await book(world, clinic);
    const path = '/v1/bookings?date=2026-11-23';
    const first = await world.request(path, { token: clinic.staff.token });
    expect(first.headers.get('Cache-Control')).toBe('no-store');
    const again = { token: clinic.staff.token, headers: { 'If-None-Match': `${first.headers.get('ETag')}` } };
    expect((await world.request(path, again)).status).toBe(304);
    await act(world, clinic.staff, id, 'approve');
    const changed = await world.request(path, again);
    expect(changed.status).toBe(200);
    expect(changed.body.meta.sequence).toBe(first.body.meta.sequence + 1);
  });

  it('finds a code on any date, with its own counts, only for those who may see it', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic, { schedule_date: '2026-12-01' });
    const [row] = await world.db.select().from(bookings);
    const code = `q=${row?.bookingCode.toLowerCase()}`;
    const found = async (who: { token: string }, query: string) =>
      (await asker(world, who.token)(query)).body;
    const one = { ...none, waiting: 1, expected: 1 };
    expect(await found(clinic.staff, code)).toMatchObject({ data: [{ id }], meta: { counts: one } });
    expect(await found(clinic.doctor, code)).toMatchObject({ data: [{ id }] });
    expect(await found(clinic.otherDoctor, code)).toMatchObject({ data: [], meta: { counts: none } });
    expect(await found(clinic.staff, `${code}&status=approved`)).toMatchObject({
      data: [],
      meta: { counts: one },
    });
    expect((await found(clinic.staff, `${code}&doctor_id=${clinic.others.doctorId}`)).data).toEqual([]);
    expect((await found(clinic.staff, `${code}&date=2026-11-23`)).data).toEqual([]);
  });

  it('follows the role that the database knows, not the one of the token', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic, { schedule_date: '2026-11-23' });
    const ask = asker(world, clinic.otherDoctor.token);
    expect((await ask('')).ids).toEqual([]);
    const become = (role: 'staff' | 'doctor', doctorId: string | null) =>
      world.db.update(users).set({ role, doctorId }).where(eq(users.id, clinic.otherDoctor.id));
    await become('staff', null);
    expect((await ask('')).ids).toEqual([id]);
    await become('doctor', clinic.others.doctorId);
    expect((await ask('')).ids).toEqual([]);
  });

  it('counts three hundred bookings of a day with its first page', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'cancel');
    const values = { id: otherId('id'), writeId: otherId('write_id'), bookingCode: sql`'kode-' || i` };
    await copyRow(world, bookings, 299, values);
    const { token } = await createPerson(world, 'staff');
    const { body } = await asker(world, token)('date=2026-11-23');
    expect(body.data).toHaveLength(50);
    expect(body.meta.counts).toEqual({ ...none, canceled: 300 });
    expect((await walk(world, token, 'limit=100')).ids).toHaveLength(300);
  });
});
