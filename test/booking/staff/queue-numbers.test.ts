import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { expireBookings } from '../../../src/modules/booking/changes/expire.ts';
import { createSchedule, createSession } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { copyRow, otherId } from '../../support/copies.ts';
import { createPeople } from '../../support/people.ts';
import { createWorld, registerPatient } from '../../support/world.ts';

const minute = 60_000;

const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world, { capacity: 6 });
  const { doctorId } = clinic.practice;
  const bookFor = async (count: number, fields: object = {}) => {
    const ids: string[] = [];
    for (const { token } of await createPeople(world, count))
      ids.push(await book(world, clinic, fields as never, token));
    return ids;
  };
  const pass = async (id: string | undefined, ...verbs: string[]) => {
    for (const verb of verbs) expect((await act(world, clinic.staff, id ?? '', verb)).status).toBe(200);
  };
  const queue = async (query = '') =>
    (await world.request(`/v1/doctors/${doctorId}/queue${query}`)).body.data;
  const list = async (query = '', who: { token: string } = clinic.staff) =>
    (await world.request(`/v1/bookings${query}`, { token: who.token })).body.data.map(
      ({ id }: { id: string }) => id,
    );
  return { world, clinic, bookFor, pass, queue, list };
};

describe('a queue', () => {
  it('has left neither who was called, nor who was seen without a call, nor who did not come', async () => {
    const { world, bookFor, pass, queue } = await setUp();
    const [called, seen, missed, canceled] = await bookFor(6);
    for (const id of [called, seen, missed]) await pass(id, 'approve');
    await pass(called, 'check-in', 'call');
    await pass(seen, 'check-in', 'complete');
    await pass(canceled, 'cancel');
    expect(await queue()).toMatchObject({ total: 5, called: 1, remaining: 3 });
    world.clock.now = Date.parse('2026-11-23T09:00:00+07:00');
    await pass(missed, 'no-show');
    expect(await queue()).toMatchObject({ total: 5, called: 1, remaining: 2 });
  });

  it('shows the number in the doctor’s room, whatever was the highest one called', async () => {
    const { bookFor, pass, queue } = await setUp();
    const [first, second] = await bookFor(3);
    for (const id of [first, second]) await pass(id, 'approve', 'check-in', 'call');
    await pass(second, 'cancel');
    expect(await queue()).toMatchObject({ total: 2, called: 1, remaining: 1 });
    await pass(first, 'complete');
    expect(await queue()).toMatchObject({ total: 2, called: null, remaining: 1 });
  });

  it('estimates a visit by the median from the call, not the wait, and rounds the wait up', async () => {
    const { world, bookFor, pass, queue } = await setUp();
    const [first, second, third] = await bookFor(4);
    for (const id of [first, second, third]) await pass(id, 'approve', 'check-in');
    world.clock.now += 5 * minute;
    await pass(first, 'call');
    world.clock.now += 10 * minute;
    await pass(first, 'complete');
    expect(await queue()).toMatchObject({ minutes_per_visit: 10, estimated_waiting_minutes: 30 });
    await pass(second, 'complete');
    expect(await queue()).toMatchObject({ minutes_per_visit: 10, estimated_waiting_minutes: 20 });
    await pass(third, 'call');
    world.clock.now += 16 * minute + 20_000;
    await pass(third, 'complete');
    // The middle of 10 minutes and of 16 minutes and 20 seconds.
    expect(await queue()).toMatchObject({ minutes_per_visit: 13.2, estimated_waiting_minutes: 14 });
  });

  it('is of one session where that is asked for, and of today by the clinic’s clock', async () => {
    const { world, clinic, bookFor, queue } = await setUp();
    const session = await createSession(world, 'Imunisasi');
    const { doctorId } = clinic.practice;
    const evening = { startTime: '18:00:00', endTime: '20:00:00', capacity: 6 };
    await createSchedule(world, { doctorId, sessionId: session, ...evening });
    await bookFor(2);
    await bookFor(1, { session_id: session, schedule_time: '18:00:00' });
    await bookFor(3, { schedule_date: '2026-11-24' });
    expect(await queue()).toMatchObject({ date: '2026-11-23', session_id: null, total: 3 });
    expect(await queue(`?session_id=${session}`)).toMatchObject({ session_id: session, total: 1 });
    // Half past midnight in Jakarta, where it is still the day before in Greenwich.
    world.clock.now = Date.parse('2026-11-24T00:30:00+07:00');
    expect(await queue()).toMatchObject({ date: '2026-11-24', total: 3 });
    expect(await queue('?date=2026-11-23')).toMatchObject({ date: '2026-11-23', total: 3 });
  });
});

describe('the day list', () => {
  it('is of today by the clinic’s clock, by start, and can be asked by status', async () => {
    const { world, bookFor, pass, list } = await setUp();
    const [late, approved] = await bookFor(2, { schedule_date: '2026-11-24', schedule_time: '15:00:00' });
    const [early] = await bookFor(1, { schedule_date: '2026-11-24', schedule_time: '08:00:00' });
    await bookFor(1);
    world.clock.now = Date.parse('2026-11-24T00:30:00+07:00');
    await pass(approved, 'approve');
    expect(await list()).toEqual([early, ...[late, approved].toSorted()]);
    expect(await list('?status=approved')).toEqual([approved]);
    expect(await list('?status=waiting')).toEqual([early, late]);
    expect(await list('?status=canceled')).toEqual([]);
  });

  it('finds a code on any day for who may see it, by status too, and on the day that is named', async () => {
    const { world, clinic, bookFor, list } = await setUp();
    const [id = ''] = await bookFor(1, { schedule_date: '2026-11-26' });
    const { booking_code } = await detail(world, clinic.staff, id);
    const code = `?q=${booking_code}`;
    expect(await list(code)).toEqual([id]);
    expect(await list(code, clinic.doctor)).toEqual([id]);
    expect(await list(code, clinic.otherDoctor)).toEqual([]);
    expect(await list(`${code}&doctor_id=${clinic.others.doctorId}`)).toEqual([]);
    expect(await list(`${code}&status=waiting`)).toEqual([id]);
    expect(await list(`${code}&status=approved`)).toEqual([]);
    expect(await list(`${code}&date=2026-11-26`)).toEqual([id]);
    expect(await list(`${code}&date=2026-11-25`)).toEqual([]);
  });

  it('finds a patient of the day whose name looks like a code', async () => {
    const { world, clinic, list } = await setUp();
    const { token } = await registerPatient(world, { name: 'Putra Mahendra' });
    const id = await book(world, clinic, {}, token);
    expect(await list('?q=mahendra')).toEqual([id]);
    expect(await list('?q=MAHENDRA', clinic.doctor)).toEqual([id]);
    expect(await list('?q=mahendra', clinic.otherDoctor)).toEqual([]);
  });

  it('finds a part of a phone number of three digits at least', async () => {
    const { world, clinic, list } = await setUp();
    const { token } = await registerPatient(world, { name: 'Budi Santoso', email: 'budi@klinik.example' });
    const id = await book(world, clinic, {}, token);
    expect(await list('?q=456')).toEqual([id]);
    expect(await list('?q=45')).toEqual([]);
    // Some type the leading zero instead of the country code, and some are found without it.
    const phone = { phone_number: '0217654321', email: 'ani@klinik.example' };
    const ani = await registerPatient(world, { name: 'Ani Lestari', ...phone });
    const other = await book(world, clinic, {}, ani.token);
    for (const q of ['0217654', '+62 217 654'])
      expect([q, await list(`?q=${encodeURIComponent(q)}`)]).toEqual([q, [other]]);
  });
});

describe('a timeline', () => {
  it('shows each change against the one before, wherever a page begins', async () => {
    const { world, clinic, pass } = await setUp();
    const session = await createSession(world, 'Imunisasi');
    const { doctorId } = clinic.practice;
    await createSchedule(world, { doctorId, sessionId: session, startTime: '18:00:00', endTime: '20:00:00' });
    const id = await book(world, clinic);
    const evening = { schedule_date: '2026-11-23', schedule_time: '18:00:00', session_id: session };
    await act(world, clinic.staff, id, 'reschedule', evening);
    await pass(id, 'approve', 'check-in');
    await act(world, clinic.staff, id, 'cancel', { reason: 'Dokter berhalangan' });
    const read = async (query = '') =>
      (await world.request(`/v1/bookings/${id}/events${query}`, { token: clinic.patient.token })).body;
    const whole = (await read()).data;
    expect(whole.map(({ changes }: { changes: object }) => Object.keys(changes).sort())).toEqual([
      ['doctor_id', 'queue_label', 'queue_number', 'schedule_date', 'schedule_time', 'session_id', 'status'],
      ['queue_label', 'schedule_time', 'session_id'],
      ['status'],
      ['visit'],
      ['reason_code', 'status'],
    ]);
    expect(whole[4].changes).toEqual({
      status: { from: 'approved', to: 'canceled' },
      reason_code: { from: null, to: 'canceled' },
    });
    for (const limit of [1, 2, 3]) {
      const seen: object[] = [];
      let cursor: string | null = null;
      do {
        const { data, meta } = await read(`?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
        expect(data.length).toBeLessThanOrEqual(limit);
        seen.push(...data);
        cursor = meta.next_cursor;
      } while (cursor !== null && seen.length < 20);
      expect(seen).toEqual(whole);
    }
  });
});

describe('who booked', () => {
  it('is kept beside whom it is for', async () => {
    const { world, clinic } = await setUp();
    await book(world, clinic, { patient_id: clinic.patient.id }, clinic.staff.token);
    const [row] = await world.db.select().from(bookings);
    expect(row).toMatchObject({ patientId: clinic.patient.id, createdBy: clinic.staff.id });
  });
});

describe('bookings that expire', () => {
  it('are a hundred in a minute, those first that ended first', async () => {
    const { world, clinic } = await setUp();
    await book(world, clinic);
    await copyRow(world, bookings, 100, {
      id: otherId('id'),
      writeId: otherId('write_id'),
      bookingCode: sql`'kode-' || i`,
      startsAt: sql`b.starts_at - i`,
      endsAt: sql`b.ends_at - i`,
    });
    const end = Date.parse('2026-11-23T09:30:00+07:00');
    await expireBookings(world.deps, end);
    const waiting = await world.db.select().from(bookings).where(sql`status = 'waiting'`);
    expect(waiting).toMatchObject([{ endsAt: end }]);
    await expireBookings(world.deps, end);
    expect(await world.db.$count(bookings, sql`status = 'waiting'`)).toBe(0);
  });
});
