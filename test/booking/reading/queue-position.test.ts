import { describe, expect, it } from 'vitest';
import { act, book, createClinic } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';

const ten = { schedule_date: '2026-11-23', schedule_time: '10:00:00' };

describe('reads of bookings', () => {
  it('counts the queue, estimates the wait, and answers 304 until a number changes', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 5 });
    const ids = [];
    for (const { token } of await createPeople(world, 4)) ids.push(await book(world, clinic, {}, token));
    for (const id of ids) await act(world, clinic.staff, id, 'approve');
    const { doctorId, sessionId } = clinic.practice;
    const path = `/v1/doctors/${doctorId}/queue?date=2026-11-23&session_id=${sessionId}`;
    const first = await world.request(path);
    expect(first.body.data).toMatchObject({
      total: 4,
      called: null,
      remaining: 4,
      estimated_waiting_minutes: null,
    });
    const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' };
    expect((await world.request(path, { headers })).status).toBe(304);
    const [one = ''] = ids;
    await act(world, clinic.staff, one, 'check-in');
    await act(world, clinic.staff, one, 'call');
    expect((await world.request(path)).body.data.called).toBe(1);
    world.clock.now += 10 * 60_000;
    await act(world, clinic.staff, one, 'complete');
    const later = await world.request(path, { headers });
    expect(later.body.data).toMatchObject({
      total: 4,
      called: null,
      remaining: 3,
      minutes_per_visit: 10,
      estimated_waiting_minutes: 30,
    });
    expect((await world.request(`/v1/doctors/${crypto.randomUUID()}/queue`)).status).toBe(404);
  });

  it('never gives a queue number again: who comes back to a queue takes a new one', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'reschedule', {
      schedule_date: '2026-11-24',
      schedule_time: '09:00:00',
    });
    const back = await act(world, clinic.staff, id, 'reschedule', ten);
    expect(back.body.data.queue_number).toBe(2);
    expect(await findViolations(world.db)).toEqual([]);
  });
});
