import { describe, expect, it } from 'vitest';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createWorld } from '../../support/world.ts';

const nine = Date.parse('2026-11-23T02:00:00Z');
const hour = 3_600_000;

const setUp = async (...verbs: string[]) => {
  const world = await createWorld();
  const clinic = await createClinic(world);
  const id = await book(world, clinic);
  for (const verb of verbs) {
    world.clock.now += 60_000;
    expect((await act(world, clinic.staff, id, verb)).status).toBe(200);
  }
  const present = () => detail(world, clinic.staff, id);
  const undo = async (fields: Record<string, unknown> = {}) =>
    act(world, clinic.staff, id, 'undo', { version: (await present()).version, ...fields });
  return { world, clinic, id, present, undo };
};

describe('undo', () => {
  it.each([
    [['check-in'], null],
    [['check-in', 'call'], 'checked_in'],
    [['check-in', 'complete'], 'checked_in'],
    [['check-in', 'call', 'complete'], 'called'],
  ] as const)('takes back the last of %j', async (verbs, visit) => {
    const { world, present, undo } = await setUp(...verbs);
    const { body } = await undo();
    expect(body.data).toMatchObject({ status: 'approved' });
    expect(body.data.visit?.status ?? null).toBe(visit);
    expect((await present()).version).toBe(verbs.length + 2);
    const events = await world.db.select().from(bookingEvents);
    expect(events.at(-1)).toMatchObject({ type: 'booking.undone', actorRole: 'staff' });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it.each([[[]], [['check-in']], [['check-in', 'call']]])('takes back a no-show after %j', async (before) => {
    const { world, clinic, id, present, undo } = await setUp('approve', ...before);
    const was = (await present()).visit;
    world.clock.now = nine;
    await act(world, clinic.staff, id, 'no-show');
    expect((await undo()).body.data.visit).toEqual(was);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('takes back one of several calls, and with the last one the call itself', async () => {
    const { present, undo } = await setUp('check-in', 'call', 'call');
    const { first_called_at, called_at } = (await present()).visit;
    expect(Date.parse(called_at)).toBe(Date.parse(first_called_at) + 60_000);
    expect((await undo()).body.data.visit).toMatchObject({
      status: 'called',
      call_count: 1,
      called_at: first_called_at,
      first_called_at,
    });
    expect((await undo()).body.data.visit).toMatchObject({
      status: 'checked_in',
      call_count: 0,
      called_at: null,
      first_called_at: null,
    });
    expect((await undo()).body.data.visit).toBeNull();
    expect((await undo()).body).toMatchObject({ code: 'invalid_transition', booking_status: 'approved' });
  });

  it('needs the version that shows the step, so that a double press undoes only one', async () => {
    const { world, clinic, id } = await setUp('check-in', 'call');
    const without = await act(world, clinic.staff, id, 'undo');
    expect([without.status, Object.keys(without.body.errors)]).toEqual([422, ['version']]);
    const taps = await Promise.all([1, 2].map(() => act(world, clinic.staff, id, 'undo', { version: 3 })));
    expect(taps.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await detail(world, clinic.staff, id)).visit.status).toBe('checked_in');
  });

  it('is for the clinic, and on the same clinic day', async () => {
    const { world, clinic, id, undo } = await setUp('check-in');
    for (const [who, status] of [
      [clinic.patient, 403],
      [clinic.otherDoctor, 404],
    ] as const)
      expect((await act(world, who, id, 'undo', { version: 2 })).status).toBe(status);
    world.clock.now = Date.parse('2026-11-23T17:00:00Z');
    expect((await undo()).body.code).toBe('invalid_transition');
    world.clock.now -= 1;
    expect((await act(world, clinic.doctor, id, 'undo', { version: 2 })).status).toBe(200);
  });

  it('takes back a no-show that was recorded days later, on that day', async () => {
    const { world, clinic, id, undo } = await setUp('approve');
    world.clock.now = nine + 50 * hour;
    await act(world, clinic.staff, id, 'no-show');
    world.clock.now += hour;
    expect((await undo()).status).toBe(200);
  });

  it('of a canceled booking is refused, and it keeps the seat of a completed one', async () => {
    const canceled = await setUp('cancel');
    expect((await canceled.undo()).body).toMatchObject({
      code: 'invalid_transition',
      booking_status: 'canceled',
    });
    const { world, clinic, undo } = await setUp('check-in', 'complete');
    await expect(book(world, clinic, {}, clinic.stranger.token)).rejects.toThrow('slot_full');
    expect((await undo()).status).toBe(200);
  });
});

describe('the notes of a booking', () => {
  const patch = async (
    { world, id }: Awaited<ReturnType<typeof setUp>>,
    who: { token: string },
    body: Record<string, unknown>,
  ) => world.request(`/v1/bookings/${id}`, { method: 'PATCH', token: who.token, body });

  it('are changed by the patient, and both by the clinic; only the clinic sees its own', async () => {
    const scene = await setUp();
    const { world, clinic, id } = scene;
    const own = await patch(scene, clinic.patient, { notes: 'Alergi kacang' });
    expect(own).toMatchObject({ status: 200, body: { data: { notes: 'Alergi kacang', version: 2 } } });
    const staff = await patch(scene, clinic.staff, { staff_notes: 'Minta ruang bawah', version: 2 });
    expect(staff.body.data).toMatchObject({
      notes: 'Alergi kacang',
      staff_notes: 'Minta ruang bawah',
      version: 3,
    });
    expect(await detail(world, clinic.patient, id)).not.toHaveProperty('staff_notes');
    expect((await detail(world, clinic.doctor, id)).staff_notes).toBe('Minta ruang bawah');
    const events = await world.db.select().from(bookingEvents);
    expect(events.map(({ type }) => type)).toEqual(['booking.created', 'booking.updated', 'booking.updated']);
    expect(JSON.stringify(events)).not.toMatch(/Alergi|ruang bawah/);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('are refused without one of them, to strangers, and in another version', async () => {
    const scene = await setUp();
    const { clinic } = scene;
    for (const body of [{}, { nots: 'x' }, { version: 1 }])
      expect((await patch(scene, clinic.patient, body)).body.code).toBe('validation_failed');
    expect((await patch(scene, clinic.patient, { staff_notes: 'x' })).status).toBe(403);
    expect((await patch(scene, clinic.stranger, { notes: 'x' })).status).toBe(404);
    expect((await patch(scene, clinic.otherDoctor, { notes: 'x' })).status).toBe(404);
    expect((await patch(scene, clinic.staff, { notes: 'x', version: 9 })).body.code).toBe('version_mismatch');
  });

  it('stay as they are for the patient once the visit is over or the booking canceled', async () => {
    for (const verbs of [['check-in', 'complete'], ['cancel']]) {
      const scene = await setUp(...verbs);
      expect((await patch(scene, scene.clinic.patient, { notes: 'x' })).body.code).toBe('invalid_transition');
      expect((await patch(scene, scene.clinic.staff, { staff_notes: 'x' })).status).toBe(200);
      expect(await findViolations(scene.world.db)).toEqual([]);
    }
  });

  it('are written on what the booking has become meanwhile', async () => {
    const scene = await setUp();
    const { world, clinic, id, present } = scene;
    beforeRoundTrip(world, 2, () => act(world, clinic.staff, id, 'approve'));
    expect((await patch(scene, clinic.patient, { notes: 'Baru' })).body.data).toMatchObject({
      notes: 'Baru',
      status: 'approved',
      version: 3,
    });
    expect(await present()).toMatchObject({ notes: 'Baru', status: 'approved' });
  });
});

describe('an event', () => {
  it('carries the role that acted and, of a move, the slot before', async () => {
    const { world, clinic, id } = await setUp('approve');
    const ten = { schedule_date: '2026-11-23', schedule_time: '10:00:00' };
    await act(world, clinic.patient, id, 'reschedule', ten);
    const payloads = (await world.db.select().from(bookingEvents)).map(({ payload }) => JSON.parse(payload));
    expect(
      payloads.map(({ actor_role, previous, overbooked }) => [actor_role, overbooked, previous]),
    ).toEqual([
      ['patient', false, null],
      ['staff', false, null],
      [
        'patient',
        false,
        {
          doctor_id: clinic.practice.doctorId,
          session_id: clinic.practice.sessionId,
          schedule_date: '2026-11-23',
          schedule_time: '09:00:00',
          starts_at: '2026-11-23T02:00:00.000Z',
          ends_at: '2026-11-23T02:30:00.000Z',
        },
      ],
    ]);
  });
});
