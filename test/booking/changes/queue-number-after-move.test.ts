import { expect, it } from 'vitest';
import { createDoctor, createSchedule, createSession } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createWorld } from '../../support/world.ts';

/** A queue is a doctor's, of one date and one session. */
const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world, { endTime: '12:00:00', capacity: 3 });
  const { doctorId, sessionId } = clinic.practice;
  const afternoon = await createSession(world, 'Imunisasi');
  const colleague = await createDoctor(world, { name: 'Budi Santoso' });
  const hours = { weekday: 1, startTime: '13:00:00', capacity: 3 };
  await createSchedule(world, { doctorId, sessionId: afternoon, ...hours });
  await createSchedule(world, { doctorId: colleague, sessionId, ...hours });
  const id = await book(world, clinic);
  const at = { schedule_date: '2026-11-23', schedule_time: '13:00:00' };
  const places = {
    'another session': { ...at, session_id: afternoon },
    'another doctor': { ...at, doctor_id: colleague },
    'another date': { schedule_date: '2026-11-24', schedule_time: '09:00:00' },
  };
  return { world, clinic, id, places };
};

it.each(['another session', 'another doctor', 'another date'] as const)(
  'a move to %s takes the next number there, and a repeat of the move tells the same one',
  async (where) => {
    const { world, clinic, id, places } = await setUp();
    for (const other of [clinic.stranger, clinic.otherDoctor])
      await book(world, clinic, places[where], other.token);
    expect((await detail(world, clinic.patient, id)).queue_number).toBe(1);
    const move = () =>
      act(world, clinic.staff, id, 'reschedule', places[where], { 'Idempotency-Key': 'pindah' });
    const moved = await move();
    expect(moved.body.data.queue_number).toBe(3);
    const again = await move();
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toEqual(moved.body);
    expect(await findViolations(world.db)).toEqual([]);
  },
);

it('a move within the queue keeps the number', async () => {
  const { world, clinic, id } = await setUp();
  await book(world, clinic, { schedule_time: '10:00:00' }, clinic.stranger.token);
  const later = { schedule_date: '2026-11-23', schedule_time: '11:00:00' };
  expect((await act(world, clinic.staff, id, 'reschedule', later)).body.data.queue_number).toBe(1);
});
