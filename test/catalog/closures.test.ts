import { describe, expect, it } from 'vitest';
import { createAdmin } from '../support/admin.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const monday = '2026-11-23';

const setUp = async () => {
  const world = await createWorld();
  const admin = await createAdmin(world);
  const practice = await createPractice(world, { capacity: 3 });
  const patient = await createPerson(world);
  const book = async (fields: object = {}, at = practice) => {
    const { token } = await createPerson(world);
    const { body } = await world.request('/v1/bookings', { token, body: bookingInput(at, fields as never) });
    return { id: body.data.id as string, token };
  };
  const close = (fields: object = {}) =>
    admin.post('/v1/admin/closures', { name: 'Cuti', start_date: monday, ...fields });
  const slots = async () =>
    (
      await world.request(
        `/v1/doctors/${practice.doctorId}/slots?from=${monday}&to=${monday}&include=unavailable`,
      )
    ).body.data as { schedule_time: string; reason?: string }[];
  return { world, admin, practice, patient, book, close, slots };
};

const idsOf = (answer: { body: { meta: { affected_bookings: { id: string }[] } } }) =>
  answer.body.meta.affected_bookings.map(({ id }) => id);

describe('a closure over live bookings', () => {
  it('names the bookings, their patients and times, and cancels none', async () => {
    const { world, admin, practice, patient, close } = await setUp();
    const booked = await world.request('/v1/bookings', {
      token: patient.token,
      body: bookingInput(practice),
    });
    const closed = await close({ doctor_id: practice.doctorId });
    expect(closed.status).toBe(201);
    expect(closed.body.data).toMatchObject({
      end_date: monday,
      start_time: null,
      end_time: null,
      version: 1,
    });
    expect(closed.body.meta).toEqual({
      affected_bookings: [
        {
          id: booked.body.data.id,
          patient_id: patient.id,
          patient_name: expect.stringMatching(/^Orang/),
          phone_country_code: '62',
          phone_number: '81234567890',
          doctor_id: practice.doctorId,
          doctor_name: 'dr. Sari Wulandari',
          schedule_date: monday,
          schedule_time: '09:00:00',
          starts_at: '2026-11-23T02:00:00.000Z',
          ends_at: '2026-11-23T02:30:00.000Z',
          status: 'waiting',
        },
      ],
      affected_total: 1,
    });
    const history = await world.request('/v1/bookings/history', { token: patient.token });
    expect(history.body.data[0].status).toBe('waiting');
    const shown = await admin.get(`/v1/admin/closures/${closed.body.data.id}`);
    expect(shown.body).toMatchObject({ data: closed.body.data, meta: closed.body.meta });
  });

  it('lists neither canceled nor past ones, nor other days or doctors', async () => {
    const { world, practice, book, close } = await setUp();
    const other = await createPractice(world);
    const [early, canceled] = [await book({ schedule_time: '08:00:00' }), await book()];
    await book({ schedule_date: '2026-11-24' });
    await book({}, other);
    const live = await book({ schedule_time: '10:00:00' });
    await world.request(`/v1/bookings/${canceled.id}/cancel`, { method: 'POST', token: canceled.token });
    world.clock.now = Date.parse('2026-11-23T01:30:00Z');
    expect(early.id).toBeDefined();
    expect(idsOf(await close({ doctor_id: practice.doctorId }))).toEqual([live.id]);
  });

  it('lists no visit that is over, though its time is not', async () => {
    const { world, practice, book, close } = await setUp();
    const { token } = await createPerson(world, 'staff');
    const ids = [(await book()).id, (await book()).id, (await book()).id];
    const act = async (id: string | undefined, ...verbs: string[]) => {
      for (const verb of verbs)
        expect((await world.request(`/v1/bookings/${id}/${verb}`, { method: 'POST', token })).status).toBe(
          200,
        );
    };
    for (const id of ids) await act(id, 'approve');
    world.clock.now = Date.parse('2026-11-23T02:10:00Z');
    await act(ids[0], 'check-in', 'complete');
    await act(ids[1], 'no-show');
    expect(idsOf(await close({ doctor_id: practice.doctorId }))).toEqual([ids[2]]);
  });

  it('lists neither the day before it nor the slot that ends where it begins', async () => {
    const { practice, book, close } = await setUp();
    await book({ schedule_date: '2026-11-23' });
    await book({ schedule_date: '2026-11-24', schedule_time: '08:30:00' });
    const meant = await book({ schedule_date: '2026-11-24', schedule_time: '09:00:00' });
    const hours = { start_date: '2026-11-24', start_time: '09:00:00', end_time: '10:00:00' };
    expect(idsOf(await close({ doctor_id: practice.doctorId, ...hours }))).toEqual([meant.id]);
  });

  it('lists by hours exactly the bookings whose slots it closes', async () => {
    const { practice, book, close, slots } = await setUp();
    const times = ['08:30:00', '09:00:00', '09:30:00', '10:00:00'];
    const booked: string[] = [];
    for (const schedule_time of times) booked.push((await book({ schedule_time })).id);
    const hours = { start_time: '09:15:00', end_time: '10:00:00' };
    expect(idsOf(await close({ doctor_id: practice.doctorId, ...hours }))).toEqual([booked[1], booked[2]]);
    const closed = (await slots()).filter(({ reason }) => reason === 'leave');
    expect(closed.map(({ schedule_time }) => schedule_time)).toEqual(['09:00:00', '09:30:00']);
  });

  it('lists those of every doctor under a holiday', async () => {
    const { world, book, close, slots } = await setUp();
    const other = await createPractice(world);
    const ids = [(await book()).id, (await book({ schedule_time: '09:30:00' }, other)).id];
    expect(idsOf(await close())).toEqual(ids);
    expect((await slots()).every(({ reason }) => reason === 'holiday')).toBe(true);
  });
});

describe('closures', () => {
  it('are changed and deleted, and the slots follow', async () => {
    const { admin, practice, close, slots } = await setUp();
    const { body } = await close({ doctor_id: practice.doctorId });
    const path = `/v1/admin/closures/${body.data.id}`;
    const reasons = async () => new Set((await slots()).map(({ reason }) => reason));
    expect(await reasons()).toEqual(new Set(['leave']));
    const moved = await admin.patch(path, { start_date: '2026-11-24', end_date: '2026-11-25' });
    expect(moved.body.data).toMatchObject({ start_date: '2026-11-24', version: 2 });
    expect(await reasons()).toEqual(new Set([undefined]));
    await admin.patch(path, { start_date: monday, end_time: '09:00:00', start_time: '08:00:00' });
    expect((await slots()).filter(({ reason }) => reason === 'leave')).toHaveLength(2);
    expect((await admin.patch(path, { version: 1 })).body.code).toBe('version_mismatch');
    expect(await admin.remove(path)).toMatchObject({
      status: 200,
      body: { message: 'Data berhasil dihapus.' },
    });
    expect(await reasons()).toEqual(new Set([undefined]));
    expect((await admin.get(path)).status).toBe(404);
  });

  it('are listed by kind, doctor and dates, page by page', async () => {
    const { admin, practice, close } = await setUp();
    await close({ name: 'A', start_date: '2026-12-24', end_date: '2026-12-26' });
    await close({ name: 'B', start_date: '2027-01-01' });
    await close({ name: 'C', start_date: '2026-12-25', doctor_id: practice.doctorId });
    const names = async (query: string) =>
      (await admin.get(`/v1/admin/closures?${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names('')).toEqual(['A', 'C', 'B']);
    expect(await names('kind=holiday')).toEqual(['A', 'B']);
    expect(await names('kind=leave')).toEqual(['C']);
    expect(await names(`doctor_id=${practice.doctorId}`)).toEqual(['C']);
    expect(await names('from=2026-12-26&to=2026-12-31')).toEqual(['A']);
    const first = await admin.get('/v1/admin/closures?limit=2');
    expect(await names(`limit=2&cursor=${first.body.meta.next_cursor}`)).toEqual(['B']);
  });

  it.each([
    [{ end_date: '2026-11-22' }, 'end_date'],
    [{ start_time: '09:00:00' }, 'end_time'],
    [{ end_time: '09:00:00' }, 'start_time'],
    [{ start_time: '09:00:00', end_time: '09:00:00' }, 'end_time'],
    [{ doctor_id: '00000000-0000-4000-8000-000000000000' }, 'doctor_id'],
    [{ name: '' }, 'name'],
  ])('refuse %o', async (fields, path) => {
    const { close } = await setUp();
    const { status, body } = await close(fields);
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [path] });
  });

  it('by a doctor who retires: the coming bookings are listed and stay', async () => {
    const { admin, practice, book } = await setUp();
    const ids = [(await book()).id, (await book({ schedule_date: '2026-11-30' })).id];
    const retired = await admin.remove(`/v1/admin/doctors/${practice.doctorId}`);
    expect(idsOf(retired)).toEqual(ids);
    const renamed = await admin.patch(`/v1/admin/doctors/${practice.doctorId}`, { active: true });
    expect(renamed.body.meta).toEqual({ affected_bookings: [], affected_total: 0, room_shared_with: [] });
  });
});
