import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createClinicTime } from '../../../src/core/clinic/time.ts';
import { doctors, sessions } from '../../../src/core/tables/catalog.ts';
import { timeWithin } from '../../../src/modules/booking/queue/views.ts';
import { createSchedule } from '../../support/clinic.ts';
import { act, book, detail } from '../../support/clinic-people.ts';
import { createPerson } from '../../support/people.ts';
import { createQueue } from '../../support/queue.ts';

const minute = 60_000;

it.each([
  ['2027-03-13', '2027-03-13T15:00:00Z', '10:00:00'],
  ['2027-03-14', '2027-03-14T14:00:00Z', '10:00:00'],
  ['2027-03-14', '2027-03-14T07:30:00Z', '03:30:00'],
  ['2027-11-07', '2027-11-07T15:00:00Z', '10:00:00'],
])('the room is that of the hours by the clock on the wall, on %s at %s too', (date, now, time) => {
  expect(timeWithin(createClinicTime('America/New_York'), date, Date.parse(now))).toBe(time);
});

describe('the queues of a day', () => {
  it('leave out retired doctors, except those with patients still there', async () => {
    const { world, clinic, come, queues } = await createQueue();
    const { doctorId, sessionId } = clinic.practice;
    const [id = ''] = await come(['09:00'], []);
    const shown = async () => (await queues()).data.length;
    expect(await shown()).toBe(1);
    await act(world, clinic.staff, id, 'cancel');
    for (const [table, one] of [
      [doctors, doctorId],
      [sessions, sessionId],
    ] as const) {
      expect(await shown()).toBe(1);
      await world.db.update(table).set({ retiredAt: 1 }).where(eq(table.id, one));
      expect(await shown()).toBe(0);
      await world.db.update(table).set({ retiredAt: null }).where(eq(table.id, one));
    }
    await come(['09:30'], ['approve']);
    await world.db.update(doctors).set({ retiredAt: 1 });
    expect(await shown()).toBe(1);
  });

  it('show who is in the room, the last calls and who is next, only by labels', async () => {
    const { world, clinic, come, does, called, queues } = await createQueue();
    const [first = '', second = '', , absent = ''] = await come(['09:00', '09:30', '10:00', '08:00']);
    await come(['08:30'], ['approve']);
    await come(['08:00'], []);
    await does(first, 'cancel');
    await does(absent, 'call');
    world.clock.now += minute;
    expect(await called()).toBe(second);
    const { data, meta } = await queues();
    const { doctorId, sessionId } = clinic.practice;
    expect(data).toEqual([
      {
        prefix: 'A',
        room: '',
        doctor_id: doctorId,
        doctor_name: 'dr. Sari Wulandari',
        session_id: sessionId,
        session_name: 'Konsultasi',
        now: { label: 'A-02', called_at: new Date(world.clock.now).toISOString(), call_count: 1 },
        calls: [
          { label: 'A-02', called_at: new Date(world.clock.now).toISOString(), call_count: 1 },
          { label: 'A-04', called_at: new Date(world.clock.now - minute).toISOString(), call_count: 1 },
        ],
        waiting: [
          { label: 'A-05', is_there: false },
          { label: 'A-03', is_there: true },
        ],
        minutes_per_visit: 5,
        notice: null,
      },
    ]);
    expect(meta).toEqual({
      date: '2026-11-23',
      time_zone: 'Asia/Jakarta',
      server_time: new Date(world.clock.now).toISOString(),
    });
  });

  it('show the one who is in the room, whatever the number, until the visit is over', async () => {
    const { world, come, does, queue } = await createQueue();
    const [one = '', two = '', three = ''] = await come(['09:00', '09:00', '09:00']);
    const now = async () => (await queue()).now?.label ?? null;
    expect(await now()).toBeNull();
    await does(three, 'call');
    world.clock.now += minute;
    await does(one, 'call');
    expect(await now()).toBe('A-01');
    await does(one, 'complete');
    expect(await now()).toBe('A-03');
    world.clock.now += minute;
    await does(two, 'call');
    await does(two, 'skip');
    expect(await now()).toBe('A-03');
    await does(three, 'complete');
    expect(await now()).toBeNull();
  });

  it('show five calls at most, and those of who has left too', async () => {
    const { world, come, called, does, queue } = await createQueue();
    await come(['08:00', '08:00', '08:00', '08:30', '08:30', '08:30']);
    for (let at = 0; at < 6; at++) {
      world.clock.now += minute;
      const id = await called();
      if (at % 2 === 0) await does(`${id}`, 'complete');
    }
    const { calls } = await queue();
    expect(calls.map(({ label }: { label: string }) => label)).toEqual([
      'A-06',
      'A-05',
      'A-04',
      'A-03',
      'A-02',
    ]);
  });

  it('answer 304 until something changed: a repeated call changes them, the passing of time does not', async () => {
    const { world, come, does } = await createQueue();
    const [id = ''] = await come(['09:00'], ['approve', 'check-in', 'call']);
    const ask = (tag?: string) =>
      world.request('/v1/queues', tag === undefined ? {} : { headers: { 'If-None-Match': tag } });
    const { headers } = await ask();
    const tag = headers.get('ETag') ?? '';
    expect(headers.get('Cache-Control')).toBe('public, max-age=0, s-maxage=3, stale-while-revalidate=10');
    world.clock.now += minute;
    expect((await ask(tag)).status).toBe(304);
    await does(id, 'call');
    const after = await ask(tag);
    expect(after).toMatchObject({ status: 200, body: { data: [{ now: { label: 'A-01', call_count: 2 } }] } });
    expect(after.headers.get('ETag')).not.toBe(tag);
  });

  it('are asked by doctor, session and date, and have the room of the hour', async () => {
    const { world, clinic, come, queues } = await createQueue();
    const { practice, others } = clinic;
    await come(['09:00']);
    const evening = { startTime: '18:00:00', endTime: '20:00:00', room: 'Ruang 7' };
    await createSchedule(world, { ...practice, ...evening });
    const labels = async (query: string) =>
      (await queues(query)).data.map(({ prefix, room }: Record<string, string>) => `${prefix} ${room}`);
    expect(await labels('')).toEqual(['A ']);
    expect(await labels(`?doctor_id=${practice.doctorId}`)).toEqual(['A ']);
    expect(await labels(`?doctor_id=${others.doctorId}`)).toEqual([]);
    expect(await labels(`?session_id=${practice.sessionId}&date=2026-11-24`)).toEqual(['A ']);
    expect(await labels(`?session_id=${others.sessionId}`)).toEqual([]);
    world.clock.now = Date.parse('2026-11-23T16:00:00+07:00');
    expect(await labels('')).toEqual(['A Ruang 7']);
  });

  it('measure a visit from the call, by the median of three at least, and never the wait', async () => {
    const { world, come, does, queue } = await createQueue(1);
    const ids = await come(['08:00', '08:30', '09:00', '09:30']);
    const visit = async (id: string, minutes: number) => {
      await does(id, 'call');
      world.clock.now += minutes * minute;
      await does(id, 'complete');
      return (await queue()).minutes_per_visit;
    };
    const [one = '', two = '', three = '', four = ''] = ids;
    expect((await queue()).minutes_per_visit).toBe(30);
    expect(await visit(one, 4)).toBe(30);
    expect(await visit(two, 60)).toBe(30);
    expect(await visit(three, 10)).toBe(10);
    expect(await visit(four, 11)).toBe(10.5);
  });
});

describe("a booking's place in its queue", () => {
  const placeOf = async (q: Awaited<ReturnType<typeof createQueue>>, id: string | undefined) => {
    const { ahead, estimated_at } = await detail(q.world, q.clinic.staff, `${id}`);
    return [
      ahead,
      estimated_at && new Date(Date.parse(estimated_at) + 7 * 60 * minute).toISOString().slice(11, 16),
    ];
  };

  it('counts who is called before, and is called at the slot or after those ahead', async () => {
    const q = await createQueue(2);
    const [one, two, three] = await q.come(['09:00', '09:00', '09:30'], ['approve']);
    expect([await placeOf(q, one), await placeOf(q, two), await placeOf(q, three)]).toEqual([
      [0, '09:00'],
      [1, '09:15'],
      [2, '09:30'],
    ]);
    q.world.clock.now = Date.parse('2026-11-23T09:50:00+07:00');
    await q.does(`${three}`, 'check-in');
    expect(await placeOf(q, three)).toEqual([2, '10:20']);
    expect(await q.called()).toBe(three);
    expect([await placeOf(q, three), await placeOf(q, one), await placeOf(q, two)]).toEqual([
      [null, null],
      [0, '10:05'],
      [1, '10:20'],
    ]);
  });

  it('is null on another day, while it waits for approval, and once it is absent or canceled', async () => {
    const q = await createQueue();
    const [waiting, absent, canceled] = await q.come(['08:00', '08:00', '08:00'], []);
    await q.does(`${absent}`, 'approve');
    await q.does(`${canceled}`, 'approve', 'cancel');
    expect(await placeOf(q, absent)).toEqual([0, '08:00']);
    const { token } = await createPerson(q.world);
    const tomorrow = await book(q.world, q.clinic, { schedule_date: '2026-11-24' }, token);
    await q.does(tomorrow, 'approve');
    expect(await placeOf(q, tomorrow)).toEqual([null, null]);
    q.world.clock.now = Date.parse('2026-11-23T08:00:00+07:00');
    await q.does(`${absent}`, 'no-show');
    for (const id of [waiting, absent, canceled]) expect(await placeOf(q, id)).toEqual([null, null]);
  });

  it('has the room of its slot', async () => {
    const q = await createQueue();
    const { doctorId, sessionId } = q.clinic.practice;
    const list = await q.world.request(`/v1/admin/schedules?doctor_id=${doctorId}`, {
      token: q.clinic.admin.token,
    });
    const monday = list.body.data.find(({ weekday }: { weekday: number }) => weekday === 1);
    const patch = { method: 'PATCH', token: q.clinic.admin.token, body: { room: ' Ruang 3 ' } };
    const changed = await q.world.request(`/v1/admin/schedules/${monday.id}`, patch);
    expect(changed.body.data.room).toBe('Ruang 3');
    const [id = ''] = await q.come(['09:00'], []);
    expect(await detail(q.world, q.clinic.patient, id)).toBeUndefined();
    expect((await detail(q.world, q.clinic.staff, id)).room).toBe('Ruang 3');
    const slots = await q.world.request(`/v1/doctors/${doctorId}/slots?session_id=${sessionId}`);
    expect(slots.body.data[0].room).toBe('Ruang 3');
    expect((await act(q.world, q.clinic.staff, id, 'approve')).body.data.queue_label).toBe('A-01');
  });
});
