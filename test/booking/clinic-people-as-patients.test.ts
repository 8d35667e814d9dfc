import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { expireBookings } from '../../src/modules/booking/changes/expire.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, book, createClinic, detail } from '../support/clinic-people.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import { createWorld } from '../support/world.ts';

const started = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  return { world, clinic: await createClinic(world) };
};

describe('somebody of the clinic who is a patient too', () => {
  it('acts on the own booking as the clinic where they run it', async () => {
    const { world, clinic } = await started({ CANCEL_LEAD_MINUTES: '600' });
    const id = await book(world, clinic, { patient_id: clinic.staff.id }, clinic.staff.token);
    expect((await detail(world, clinic.staff, id)).allowed_actions).toEqual([
      'cancel',
      'reschedule',
      'check-in',
    ]);
    expect((await act(world, clinic.staff, id, 'cancel')).body.data.status).toBe('canceled');
    expect((await detail(world, clinic.staff, id)).cancellation.by).toBe('staff');
  });

  it('is the patient, in the booking and in its events, where a colleague runs it', async () => {
    const { world, clinic } = await started();
    const id = await book(world, clinic, {}, clinic.otherDoctor.token);
    expect((await detail(world, clinic.otherDoctor, id)).allowed_actions).toEqual(['cancel', 'reschedule']);
    expect((await act(world, clinic.otherDoctor, id, 'approve')).status).toBe(403);
    expect((await act(world, clinic.otherDoctor, id, 'cancel')).status).toBe(200);
    expect((await detail(world, clinic.staff, id)).cancellation.by).toBe('patient');
    const { token } = clinic.staff;
    const events = (await world.request(`/v1/bookings/${id}/events`, { token })).body.data;
    expect(events.map(({ type, by }: { type: string; by: string }) => [type, by])).toEqual([
      ['booking.created', 'patient'],
      ['booking.canceled', 'patient'],
    ]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('has the window of a patient there', async () => {
    const { world, clinic } = await started({ MAX_ADVANCE_DAYS: '7' });
    const late = { schedule_date: '2026-12-14' };
    const asked = ({ id, token }: { id: string; token: string }) =>
      world.request('/v1/bookings', {
        token,
        body: bookingInput(clinic.practice, { ...late, patient_id: id }),
      });
    expect((await asked(clinic.otherDoctor)).body.reason).toBe('too_far');
    expect((await asked(clinic.doctor)).status).toBe(201);
  });
});

describe('a booking that is moved after the visit began', () => {
  it('stays where it is for its patient; moved by the clinic it counts its calls from zero', async () => {
    const { world, clinic } = await started();
    const id = await book(world, clinic);
    const visit = async () => {
      for (const verb of ['approve', 'check-in', 'call'])
        expect((await act(world, clinic.staff, id, verb)).status).toBe(200);
      return (await detail(world, clinic.staff, id)).visit;
    };
    expect(await visit()).toMatchObject({ call_count: 1 });
    const ten = { schedule_date: '2026-11-23', schedule_time: '10:00:00' };
    expect((await act(world, clinic.patient, id, 'reschedule', ten)).body.code).toBe('invalid_transition');
    expect((await act(world, clinic.staff, id, 'reschedule', ten)).body.data.visit).toMatchObject({
      status: 'checked_in',
      call_count: 0,
      called_at: null,
      first_called_at: null,
    });
    expect((await act(world, clinic.staff, id, 'call')).body.data.visit).toMatchObject({ call_count: 1 });
  });
});

describe('a waiting booking whose end has passed', () => {
  const end = Date.parse('2026-11-23T02:30:00Z');

  it.each([
    ['approved', 'approve', {}, { status: 'approved', version: 2 }],
    [
      'moved',
      'reschedule',
      { schedule_date: '2026-11-24', schedule_time: '09:00:00' },
      { status: 'waiting', version: 2, schedule_date: '2026-11-24' },
    ],
  ] as const)('is not expired when it was %s at the last moment', async (_how, verb, body, left) => {
    const { world, clinic } = await started();
    const id = await book(world, clinic);
    // The scheduler has read it; every request sent before the end is written before the scheduler writes.
    beforeRoundTrip(world, 2, () => act(world, clinic.staff, id, verb, body));
    await expireBookings(world.deps, end);
    const [row] = await world.db.select().from(bookings);
    expect(row).toMatchObject({ status: left.status, version: left.version, canceledAt: null });
    expect(await detail(world, clinic.staff, id)).toMatchObject(left);
    expect(await findViolations(world.db)).toEqual([]);
  });
});
