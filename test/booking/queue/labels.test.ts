import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { queuePrefixes } from '../../../src/core/tables/queues.ts';
import { bookingInput, createSchedule, createSession } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople, createPerson } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';

const open = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world, { capacity: 6 });
  const labelOf = async (id: string) => (await detail(world, clinic.staff, id)).queue_label as string;
  const choose = (body: object, doctorId = clinic.practice.doctorId, who = clinic.admin) =>
    world.request(`/v1/admin/doctors/${doctorId}/queue-prefix`, { method: 'PUT', token: who.token, body });
  return { world, clinic, labelOf, choose };
};

const bookAt = async (world: World, practice: Parameters<typeof bookingInput>[0], fields = {}) => {
  const { token } = await createPerson(world);
  const { body } = await world.request('/v1/bookings', { token, body: bookingInput(practice, fields) });
  return body.data.id as string;
};

describe('a label', () => {
  it('has the next free letters, given to each doctor and session at the first booking', async () => {
    const { world, clinic, labelOf } = await open();
    expect(await world.db.select().from(queuePrefixes)).toEqual([]);
    const first = await bookAt(world, clinic.practice);
    const other = await bookAt(world, clinic.others);
    expect([await labelOf(first), await labelOf(other)]).toEqual(['A-01', 'B-01']);
    expect(await labelOf(await bookAt(world, clinic.practice, { schedule_date: '2026-11-24' }))).toBe('A-01');
    expect(await labelOf(await bookAt(world, clinic.practice))).toBe('A-02');
  });

  it('has two letters after Z and three after ZZ', async () => {
    const { world, clinic, labelOf } = await open();
    const { doctorId } = clinic.practice;
    const taken = [...Array(26).keys()].map((at) => String.fromCharCode(65 + at));
    const give = async (prefixes: string[]) => {
      for (const prefix of prefixes)
        await world.db
          .insert(queuePrefixes)
          .values({ prefix, doctorId, sessionId: await createSession(world, prefix) });
    };
    await give(taken);
    expect(await labelOf(await bookAt(world, clinic.practice))).toBe('AA-01');
    await give(taken.flatMap((a) => taken.map((b) => a + b)).filter((prefix) => prefix !== 'AA'));
    expect(await labelOf(await bookAt(world, clinic.others))).toBe('AAA-01');
  });

  it('is given once to a hundred who book at once for the first time', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 50 });
    const people = await createPeople(world, 100);
    await Promise.all(
      people.map(({ token }, at) =>
        world.request('/v1/bookings', {
          token,
          body: bookingInput(at % 2 === 0 ? clinic.practice : clinic.others, { schedule_time: '10:00:00' }),
        }),
      ),
    );
    const labels = (await world.db.select().from(bookings)).map(({ queueLabel }) => queueLabel);
    expect(labels).toHaveLength(51);
    expect(new Set(labels).size).toBe(51);
    expect(labels.every((label) => /^[AB]-\d\d$/.test(label))).toBe(true);
    expect(await world.db.select().from(queuePrefixes)).toHaveLength(2);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('changes only with the number: on a move to another queue, not within its own', async () => {
    const { world, clinic, labelOf } = await open();
    await bookAt(world, clinic.practice);
    const id = await book(world, clinic);
    const move = async (fields: object) =>
      (await act(world, clinic.staff, id, 'reschedule', bookingInput(clinic.practice, fields as never))).body
        .data;
    expect(await move({ schedule_time: '10:00:00' })).toMatchObject({ queue_label: 'A-02', queue_number: 2 });
    expect(await move({ schedule_date: '2026-11-24' })).toMatchObject({ queue_label: 'A-01' });
    const { doctorId: doctor_id, sessionId: session_id } = clinic.others;
    expect(await move({ doctor_id, session_id })).toMatchObject({ queue_label: 'B-01', queue_number: 1 });
    expect(await labelOf(id)).toBe('B-01');
    const headers = { 'Idempotency-Key': 'pindah' };
    const back = bookingInput(clinic.practice, { schedule_time: '11:00:00' });
    const moved = await act(world, clinic.staff, id, 'reschedule', back, headers);
    const again = await act(world, clinic.staff, id, 'reschedule', back, headers);
    expect(moved.body.data.queue_label).toBe('A-03');
    expect(again.body).toEqual(moved.body);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('the letters of a queue', () => {
  it('are chosen by an admin for what is booked from then on', async () => {
    const { world, clinic, labelOf, choose } = await open();
    const { sessionId: session_id } = clinic.practice;
    const before = await bookAt(world, clinic.practice);
    const answer = await choose({ session_id, prefix: 'um' });
    expect(answer).toMatchObject({ status: 200, body: { data: { prefix: 'UM', session_id } } });
    expect((await choose({ session_id, prefix: 'UM' })).status).toBe(200);
    const after = await bookAt(world, clinic.practice);
    expect([await labelOf(before), await labelOf(after)]).toEqual(['A-01', 'UM-02']);
    expect((await choose({ session_id, prefix: 'X' }, clinic.practice.doctorId, clinic.staff)).status).toBe(
      403,
    );
    for (const prefix of ['', 'ABCD', 'A1', 'É', '-'])
      expect((await choose({ session_id, prefix })).body.errors).toHaveProperty('prefix');
    expect((await choose({ session_id: crypto.randomUUID(), prefix: 'X' })).body.errors).toHaveProperty(
      'session_id',
    );
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('go to no other queue while they are in use, or bookings from today on carry them', async () => {
    const { world, clinic, labelOf, choose } = await open();
    const { practice, others } = clinic;
    await bookAt(world, practice);
    await bookAt(world, practice, { schedule_date: '2026-11-25' });
    const take = () => choose({ session_id: others.sessionId, prefix: 'A' }, others.doctorId);
    expect((await take()).body.code).toBe('prefix_taken');
    await choose({ session_id: practice.sessionId, prefix: 'D' });
    expect((await take()).body.code).toBe('prefix_taken');
    // By itself nobody gets letters that another queue had.
    expect(await labelOf(await bookAt(world, others))).toBe('B-01');
    world.clock.now = Date.parse('2026-11-25T23:59:00+07:00');
    expect((await take()).status).toBe(409);
    world.clock.now = Date.parse('2026-11-26T00:00:00+07:00');
    expect((await take()).status).toBe(200);
    expect(await labelOf(await bookAt(world, others, { schedule_date: '2026-11-27' }))).toBe('A-01');
    expect((await choose({ session_id: practice.sessionId, prefix: 'A' })).status).toBe(409);
  });

  it('are taken by one of two queues at once', async () => {
    const { world, clinic, choose } = await open();
    const { practice, others } = clinic;
    const extra = await createSession(world, 'Imunisasi');
    await createSchedule(world, {
      ...practice,
      sessionId: extra,
      startTime: '17:00:00',
      endTime: '18:00:00',
    });
    const answers = await Promise.all([
      choose({ session_id: practice.sessionId, prefix: 'Q' }),
      choose({ session_id: others.sessionId, prefix: 'Q' }, others.doctorId),
      choose({ session_id: extra, prefix: 'Q' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});
