import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { schedules } from '../../src/core/tables/catalog.ts';
import { createAdmin } from '../support/admin.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { copyRow, otherId } from '../support/copies.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const setUp = async () => {
  const world = await createWorld();
  const admin = await createAdmin(world);
  const practice = await createPractice(world, { capacity: 3 });
  const others = await createPractice(world);
  const book = async (fields: object = {}, at = practice) => {
    const { token } = await createPerson(world);
    const { body } = await world.request('/v1/bookings', { token, body: bookingInput(at, fields as never) });
    return { id: body.data.id as string, token };
  };
  const close = (fields: object) =>
    admin.post('/v1/admin/closures', { name: 'Cuti', start_date: '2026-11-23', ...fields });
  return { world, admin, practice, others, book, close };
};

type WithAffected = { body: { meta: { affected_bookings: { id: string }[]; affected_total: number } } };
const affectedIn = ({ body: { meta } }: WithAffected) => ({
  ids: meta.affected_bookings.map(({ id }) => id),
  total: meta.affected_total,
});
const these = (...booked: { id: string }[]) => ({ ids: booked.map(({ id }) => id), total: booked.length });

describe('the bookings that a change leaves standing', () => {
  it('are the doctor’s own under leave, when it is made, moved and looked at', async () => {
    const { admin, practice, others, book, close } = await setUp();
    const own = await book();
    const next = await book({ schedule_date: '2026-11-24' });
    await book({}, others);
    await book({ schedule_date: '2026-11-24' }, others);
    const made = await close({ doctor_id: practice.doctorId });
    expect(affectedIn(made as WithAffected)).toEqual(these(own));
    const path = `/v1/admin/closures/${made.body.data.id}`;
    const moved = await admin.patch(path, { start_date: '2026-11-24', end_date: '2026-11-24' });
    expect(affectedIn(moved as WithAffected)).toEqual(these(next));
    expect(affectedIn((await admin.get(path)) as WithAffected)).toEqual(these(next));
  });

  it('are listed from a visit that goes on, by start, and not from the days before', async () => {
    const { world, practice, book, close } = await setUp();
    await book({ schedule_date: '2026-11-23' });
    const at = (schedule_time: string) => book({ schedule_date: '2026-11-24', schedule_time });
    const later = [await at('14:00:00'), await at('11:00:00'), await at('09:30:00')].toReversed();
    const early = await at('09:00:00');
    world.clock.now = Date.parse('2026-11-24T09:30:00+07:00') - 1;
    const week = { doctor_id: practice.doctorId, end_date: '2026-11-29' };
    expect(affectedIn((await close(week)) as WithAffected)).toEqual(these(early, ...later));
    world.clock.now += 1;
    expect(affectedIn((await close(week)) as WithAffected)).toEqual(these(...later));
  });

  it('are the coming ones of a doctor who retires, not those of days before, nor a colleague’s', async () => {
    const { world, admin, practice, others, book } = await setUp();
    await book();
    await book({ schedule_date: '2026-11-25' }, others);
    const coming = await book({ schedule_date: '2026-11-25' });
    world.clock.now = Date.parse('2026-11-24T09:30:00+07:00');
    const retired = await admin.remove(`/v1/admin/doctors/${practice.doctorId}`);
    expect(affectedIn(retired as WithAffected)).toEqual(these(coming));
  });

  /** The schedule of Mondays, its version for the change. */
  const mondays = async ({ world, practice }: Awaited<ReturnType<typeof setUp>>) => {
    const rows = await world.db.select().from(schedules).where(eq(schedules.doctorId, practice.doctorId));
    return `/v1/admin/schedules/${rows.find(({ weekday }) => weekday === 1)?.id}`;
  };

  it('are those that a schedule leaves outside of its hours, slots, dates, weekday, session and capacity', async () => {
    const clinic = await setUp();
    const { admin, book, others } = clinic;
    const path = await mondays(clinic);
    const at = (schedule_time: string, schedule_date = '2026-11-23') =>
      book({ schedule_date, schedule_time });
    const [nine, half, eleven] = [await at('09:00:00'), await at('09:30:00'), await at('11:00:00')];
    const next = await at('09:00:00', '2026-11-30');
    await at('09:00:00', '2026-11-24');
    await book({}, others);
    const change = async (fields: object) => affectedIn((await admin.patch(path, fields)) as WithAffected);
    const { body } = await admin.get(path);
    const asBefore = Object.fromEntries(
      ['weekday', 'start_time', 'end_time', 'slot_minutes', 'capacity', 'valid_from', 'valid_until'].map(
        (name) => [name, body.data[name]],
      ),
    );
    expect(await change({ end_time: '11:00:00' })).toEqual(these(eleven));
    // A booking that was outside before is not listed again.
    expect(await change({ end_time: '10:00:00' })).toEqual(these());
    expect(await change(asBefore)).toEqual(these());
    expect(await change({ slot_minutes: 60 })).toEqual(these(nine, half, eleven, next));
    expect(await change(asBefore)).toEqual(these());
    expect(await change({ valid_until: '2026-11-29' })).toEqual(these(next));
    expect(await change(asBefore)).toEqual(these());
    expect(await change({ capacity: 2 })).toEqual(these());
    const [, third] = [await at('09:00:00'), await book({ schedule_time: '09:30:00' })];
    expect(third.id).toBeDefined();
    expect(await change({ capacity: 1 })).toMatchObject({ total: 2 });
    expect(await change({ ...asBefore, room: 'Ruang 9' })).toEqual(these());
  });

  it('are those of a schedule that ends, and none where another lays out the same slots', async () => {
    const clinic = await setUp();
    const { admin, practice, book } = clinic;
    const booked = await book();
    const path = await mondays(clinic);
    expect(affectedIn((await admin.remove(path)) as WithAffected)).toEqual(these(booked));
    expect(affectedIn((await admin.remove(path)) as WithAffected)).toEqual(these());
    expect(affectedIn((await admin.patch(path, { active: true })) as WithAffected)).toEqual(these());
    const second = { doctor_id: practice.doctorId, session_id: practice.sessionId, weekday: 1, capacity: 3 };
    await admin.patch(path, { end_time: '10:00:00' });
    await admin.post('/v1/admin/schedules', {
      ...second,
      start_time: '10:00:00',
      end_time: '12:00:00',
      slot_minutes: 30,
    });
    expect(affectedIn((await admin.patch(path, { start_time: '08:30:00' })) as WithAffected)).toEqual(
      these(),
    );
  });

  it('keep their schedule’s room, until a schedule contains their slot again', async () => {
    const clinic = await setUp();
    const { world, admin, practice, book } = clinic;
    const { id, token } = await book();
    const path = await mondays(clinic);
    await admin.patch(path, { room: 'Ruang 3' });
    const roomOf = async () => (await world.request(`/v1/bookings/${id}`, { token })).body.data.room;
    const roomOfQueue = async () =>
      (await world.request(`/v1/queues?date=2026-11-23&doctor_id=${practice.doctorId}`)).body.data[0]?.room;
    expect(await roomOf()).toBe('Ruang 3');
    await admin.remove(path);
    expect(await roomOf()).toBe('Ruang 3');
    await admin.post(`/v1/bookings/${id}/approve`, {});
    expect(await roomOfQueue()).toBe('Ruang 3');
    await admin.patch(path, { active: true, room: 'Ruang 5' });
    expect([await roomOf(), await roomOfQueue()]).toEqual(['Ruang 5', 'Ruang 5']);
    await admin.patch(path, { start_time: '13:00:00' });
    expect(await roomOf()).toBe('Ruang 5');
    const body = { schedule_date: '2026-11-24', schedule_time: '09:00:00' };
    expect((await world.request(`/v1/bookings/${id}/reschedule`, { token, body })).status).toBe(200);
    expect(await roomOf()).toBe('');
  });

  it('are the coming ones of a session that retires, and none where it is renamed', async () => {
    const { world, admin, practice, others, book } = await setUp();
    await book();
    const coming = await book({ schedule_date: '2026-11-25' });
    await book({ schedule_date: '2026-11-25' }, others);
    world.clock.now = Date.parse('2026-11-24T09:00:00+07:00');
    const path = `/v1/admin/sessions/${practice.sessionId}`;
    const renamed = await admin.patch(path, { name: 'Lain' });
    expect(affectedIn(renamed as WithAffected)).toEqual(these());
    expect(affectedIn((await admin.remove(path)) as WithAffected)).toEqual(these(coming));
  });

  it('are a thousand at most, and counted beyond them', async () => {
    const { world, practice, book, close } = await setUp();
    await book();
    await copyRow(world, bookings, 1_000, {
      id: otherId('id'),
      writeId: otherId('write_id'),
      bookingCode: sql`'kode-' || i`,
      startsAt: sql`b.starts_at + i`,
    });
    const { ids, total } = affectedIn((await close({ doctor_id: practice.doctorId })) as WithAffected);
    expect([ids.length, total]).toEqual([1_000, 1_001]);
  });
});

describe('a corrected name', () => {
  it.each([
    ['doctors', 'doctor_name', { name: 'Sari Wulandari Putri' }, 'dr. Sari Wulandari Putri'],
    ['doctors', 'doctor_name', { title: '' }, 'Sari Wulandari'],
    ['sessions', 'session_name', { name: 'Konsultasi Umum' }, 'Konsultasi Umum'],
  ])(
    'of %s reaches the bookings that are coming, until the patient has checked in',
    async (kind, field, change, name) => {
      const { world, admin, practice, others, book } = await setUp();
      const seen = async ({ id, token }: { id: string; token: string }) =>
        (await world.request(`/v1/bookings/${id}`, { token })).body.data[field];
      const past = await book();
      const there = await book({ schedule_date: '2026-11-24' });
      const coming = await book({ schedule_date: '2026-11-24', schedule_time: '10:00:00' });
      const foreign = await book({ schedule_date: '2026-11-24' }, others);
      world.clock.now = Date.parse('2026-11-24T08:45:00+07:00');
      await admin.post(`/v1/bookings/${there.id}/check-in`, {});
      const before = await Promise.all([past, there, foreign].map(seen));
      const id = kind === 'doctors' ? practice.doctorId : practice.sessionId;
      expect((await admin.patch(`/v1/admin/${kind}/${id}`, change)).status).toBe(200);
      expect(await seen(coming)).toBe(name);
      expect(await Promise.all([past, there, foreign].map(seen))).toEqual(before);
    },
  );
});
