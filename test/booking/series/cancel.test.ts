import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { act, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { ask, start } from '../../support/series.ts';
import type { Got, World } from '../../support/world.ts';

describe('to cancel a series', () => {
  const cancel = (world: World, id: string, token: string, body: object = {}) =>
    world.request(`/v1/bookings/series/${id}/cancel`, { token, body });
  const booked = async (settings: Record<string, string> = {}) => {
    const { world, clinic } = await start(settings);
    const { body } = await ask(world, clinic);
    const ids: string[] = body.data.results.map((one: { booking: { id: string } }) => one.booking.id);
    return { world, clinic, id: body.data.id as string, ids };
  };
  it('answers alike to a request that is sent twice at once', async () => {
    const { world, clinic } = await start();
    const made = await ask(world, clinic);
    const path = `/v1/bookings/series/${made.body.data.id}/cancel`;
    const sent = { token: clinic.patient.token, body: {}, headers: { 'Idempotency-Key': 'batal-1' } };
    let first: Got | undefined;
    // Before the write the desk approves one of them; before they are read again the twin has canceled them.
    const approve = `/v1/bookings/${made.body.data.results[1].booking.id}/approve`;
    const meanwhile = new Map<number, () => Promise<unknown>>([
      [2, () => world.request(approve, { token: clinic.staff.token, body: {} })],
      [
        3,
        async () => {
          first = await world.request(path, sent);
        },
      ],
    ]);
    const { db } = world;
    let trips = 0;
    const batch = async (statements: Parameters<typeof db.batch>[0]) => {
      trips += 1;
      const other = meanwhile.get(trips);
      world.deps.db = db;
      await other?.();
      world.deps.db = watched;
      return db.batch(statements);
    };
    const watched = new Proxy(db, {
      get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
    });
    world.deps.db = watched;
    const second = await world.request(path, sent);
    expect(second.body).toEqual(first?.body);
    expect(second.body.data).toHaveLength(4);
  });

  it('ends what is still to come in one step, each with its event', async () => {
    const { world, clinic, id, ids } = await booked();
    expect((await act(world, clinic.staff, ids[0] ?? '', 'check-in')).status).toBe(200);
    expect((await act(world, clinic.patient, ids[1] ?? '', 'cancel')).status).toBe(200);
    const seen = beforeRoundTrip(world, 99, async () => {});
    const { status, body } = await cancel(world, id, clinic.staff.token, { reason: 'Sembuh' });
    expect([status, seen.roundTrips]).toEqual([200, 2]);
    expect(body.data).toMatchObject([
      { booking_id: ids[2], result: 'canceled' },
      { booking_id: ids[3], result: 'canceled', schedule_time: '09:00:00' },
    ]);
    expect((await detail(world, clinic.patient, ids[3] ?? '')).cancellation).toMatchObject({
      by: 'staff',
      reason: 'Sembuh',
    });
    expect((await detail(world, clinic.patient, ids[0] ?? '')).status).toBe('approved');
    expect(await findViolations(world.db)).toEqual([]);
    expect((await cancel(world, id, clinic.staff.token)).body.data).toEqual([]);
  });

  it('keeps what is too late for the patient', async () => {
    const { world, clinic, id, ids } = await booked({ CANCEL_LEAD_MINUTES: '120' });
    world.clock.now = Date.parse('2026-11-30T08:00:00+07:00');
    const { body } = await cancel(world, id, clinic.patient.token);
    expect(body.data.map((one: { result: string }) => one.result)).toEqual(['kept', 'canceled', 'canceled']);
    expect((await detail(world, clinic.patient, ids[1] ?? '')).status).toBe('waiting');
  });

  it('decides again where one of them changed meanwhile', async () => {
    const { world, clinic, id, ids } = await booked();
    beforeRoundTrip(world, 2, () => act(world, clinic.staff, ids[2] ?? '', 'approve'));
    expect((await cancel(world, id, clinic.patient.token)).body.data).toHaveLength(4);
    const states = await world.db.select().from(bookings);
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['canceled']));
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is for those who may know of it', async () => {
    const { world, clinic, id } = await booked();
    expect((await cancel(world, id, clinic.stranger.token)).status).toBe(404);
    expect((await cancel(world, world.deps.newId(), clinic.staff.token)).status).toBe(404);
  });
});
