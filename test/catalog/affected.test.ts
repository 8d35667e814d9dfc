import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/tables/bookings.ts';
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
