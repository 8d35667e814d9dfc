import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookingInput, createSchedule } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople, createPerson } from '../../support/people.ts';
import { createWorld, type Got } from '../../support/world.ts';

const countOf = (answers: readonly Got[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;
const codesOf = (answers: readonly Got[]) =>
  new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code));

describe('simultaneous changes', () => {
  it('leave one winner of an approval and a cancellation of the same version, and a timeline that says so', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const colleague = await createPerson(world, 'staff');
    const answers = await Promise.all([
      act(world, clinic.staff, id, 'approve', { version: 1 }),
      act(world, colleague, id, 'cancel', { version: 1 }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(codesOf(answers)).toEqual(new Set(['version_mismatch']));
    const { body } = await world.request(`/v1/bookings/${id}/events`, { token: clinic.staff.token });
    const winner = answers[0]?.status === 200 ? 'booking.approved' : 'booking.canceled';
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['booking.created', winner]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('never lose an approval beneath a cancellation that did not name a version', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const [approval, cancellation] = await Promise.all([
      act(world, clinic.staff, id, 'approve'),
      act(world, clinic.admin, id, 'cancel'),
    ]);
    expect(cancellation?.status).toBe(200);
    const after = await detail(world, clinic.staff, id);
    expect(after).toMatchObject({ status: 'canceled', version: approval?.status === 200 ? 3 : 2 });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('cancel once, however often it is asked', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => act(world, clinic.patient, id, 'cancel')),
    );
    expect(countOf(answers, 200)).toBe(1);
    expect(codesOf(answers)).toEqual(new Set(['invalid_transition']));
  });

  it('give one free seat to one of 200 who want to move there, and leave the 199 the seat they had', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 200, endTime: '10:00:00' });
    const { practice } = clinic;
    for (const weekday of [1])
      await createSchedule(world, {
        ...practice,
        weekday,
        startTime: '12:00:00',
        endTime: '12:30:00',
        capacity: 1,
      });
    const patients = await createPeople(world, 200);
    const ids = await Promise.all(patients.map(({ token }) => book(world, clinic, {}, token)));
    const before = await Promise.all(ids.map((id) => detail(world, clinic.staff, id)));
    const noon = { schedule_date: '2026-11-23', schedule_time: '12:00:00' };
    const answers = await Promise.all(
      patients.map((patient, at) => act(world, patient, ids[at] as string, 'reschedule', noon)),
    );
    expect(countOf(answers, 200)).toBe(1);
    expect(codesOf(answers)).toEqual(new Set(['slot_full']));
    for (const [at, id] of ids.entries()) {
      const after = await detail(world, clinic.staff, id);
      if (answers[at]?.status === 200)
        expect(after).toMatchObject({ ...noon, version: 2, queue_number: before[at].queue_number });
      else expect(after).toEqual(before[at]);
    }
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('neither overbook a full slot nor leave a free seat that cannot be booked, in 100 cancels and bookings', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 50 });
    const holders = await createPeople(world, 50);
    const seekers = await createPeople(world, 50);
    const ids = await Promise.all(holders.map(({ token }) => book(world, clinic, {}, token)));
    const send = (token: string) =>
      world.request('/v1/bookings', { token, body: bookingInput(clinic.practice) });
    const [canceled, booked] = await Promise.all([
      Promise.all(holders.map((holder, at) => act(world, holder, ids[at] as string, 'cancel'))),
      Promise.all(seekers.map(({ token }) => send(token))),
    ]);
    expect(countOf(canceled, 200)).toBe(50);
    const won = countOf(booked, 201);
    expect(countOf(booked, 409)).toBe(50 - won);
    expect(await findViolations(world.db)).toEqual([]);
    const late = await Promise.all((await createPeople(world, 60)).map(({ token }) => send(token)));
    expect(countOf(late, 201)).toBe(50 - won);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('does nothing for a member of staff who lost the role while the change was on its way', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const { batch } = world.db;
    let batches = 0;
    // The role goes between the first round trip, which reads it, and the second, which writes.
    world.db.batch = (async (statements: Parameters<typeof batch>[0]) => {
      if (++batches === 2) {
        await world.db.update(users).set({ role: 'patient' }).where(eq(users.id, clinic.staff.id));
      }
      return batch.call(world.db, statements);
    }) as unknown as typeof batch;
    expect((await act(world, clinic.staff, id, 'approve')).status).toBe(403);
    world.db.batch = batch;
    expect(await detail(world, clinic.patient, id)).toMatchObject({ status: 'waiting', version: 1 });
  });
});
