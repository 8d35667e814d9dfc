import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { deviceLogins, users } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingInput, createPractice, createSchedule } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';

const later = { schedule_date: '2026-11-25', schedule_time: '10:00:00' };

/** The first round trip reads, the second writes: only the write sees changes between them. */
const beforeWrite = (world: World, meanwhile: () => Promise<unknown>) => beforeRoundTrip(world, 2, meanwhile);

describe('between reading and writing', () => {
  // When the clock skips an hour, an hour's visit from 01:30 lasts until 03:30 and lies over the slot at 03:00.
  const springForward = async () => {
    const world = await createWorld(
      { CLINIC_TIME_ZONE: 'Europe/Berlin' },
      Date.parse('2027-03-20T00:00:00Z'),
    );
    const clinic = await createClinic(world);
    const night = { ...clinic.practice, weekday: 7, validFrom: '2027-03-28' };
    await createSchedule(world, { ...night, startTime: '01:30:00', endTime: '02:30:00', slotMinutes: 60 });
    await createSchedule(world, { ...night, startTime: '03:00:00', endTime: '04:00:00' });
    const early = { schedule_date: '2027-03-28', schedule_time: '01:30:00' };
    const three = { ...early, schedule_time: '03:00:00' };
    return { world, clinic, early, three };
  };

  it('a doctor is not booked across another start', async () => {
    const { world, clinic, early, three } = await springForward();
    beforeWrite(world, () => book(world, clinic, early));
    const body = bookingInput(clinic.practice, three);
    const answer = await world.request('/v1/bookings', { token: clinic.stranger.token, body });
    expect(answer).toMatchObject({ status: 409, body: { code: 'slot_full' } });
    expect(await findViolations(world.db)).toEqual([]);
  });

  // As after a change of the zone, which keeps the times on the clock.
  it('a doctor is not booked during a long visit that a shorter one overlaps', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const long = await book(world, clinic);
    await book(world, clinic, { schedule_time: '10:00:00' }, clinic.stranger.token);
    const until = Date.parse('2026-11-23T11:00:00+07:00');
    await world.db.update(bookings).set({ endsAt: until }).where(eq(bookings.id, long));
    const { token } = await createPerson(world);
    const body = bookingInput(clinic.practice, { schedule_time: '10:30:00' });
    expect((await world.request('/v1/bookings', { token, body })).body.code).toBe('slot_full');
  });

  it('a booking is not moved across another start', async () => {
    const { world, clinic, early, three } = await springForward();
    const id = await book(world, clinic, { schedule_date: '2027-03-29' }, clinic.stranger.token);
    beforeWrite(world, () => book(world, clinic, early));
    expect((await act(world, clinic.staff, id, 'reschedule', three)).body.code).toBe('slot_full');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('a patient is not booked, nor moved, into a time that another booking has taken', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const long = await createPractice(world, { slotMinutes: 60 });
    const body = bookingInput(long);
    const token = clinic.patient.token;
    beforeWrite(world, () => book(world, clinic, { schedule_time: '09:30:00' }));
    expect((await world.request('/v1/bookings', { token, body })).body.code).toBe('patient_busy');
    const id = await book(world, clinic, { schedule_date: '2026-11-24' });
    beforeWrite(world, () => book(world, clinic, { ...later, schedule_time: '10:30:00' }));
    const there = { ...later, doctor_id: long.doctorId, session_id: long.sessionId };
    expect((await act(world, clinic.patient, id, 'reschedule', there)).body.code).toBe('patient_busy');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('a patient stays within the limit of upcoming bookings', async () => {
    const world = await createWorld({ MAX_LIVE_BOOKINGS: '1' });
    const clinic = await createClinic(world);
    beforeWrite(world, () => book(world, clinic, later));
    const answer = await world.request('/v1/bookings', {
      token: clinic.patient.token,
      body: bookingInput(clinic.practice),
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_bookings' } });
  });

  it.each(['approve', 'reschedule'] as const)('%s does not touch what was canceled', async (verb) => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    beforeWrite(world, () => act(world, clinic.patient, id, 'cancel'));
    expect((await act(world, clinic.staff, id, verb, later)).body.code).toBe('invalid_transition');
    expect(await detail(world, clinic.staff, id)).toMatchObject({ status: 'canceled', version: 2 });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('a move decides again on what the booking has become', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    beforeWrite(world, () => act(world, clinic.staff, id, 'approve'));
    const moved = await act(world, clinic.staff, id, 'reschedule', later);
    expect(moved.body.data).toMatchObject({ ...later, status: 'approved', version: 3 });
    expect(await findViolations(world.db)).toEqual([]);
  });

  const logins = {
    'was revoked': { revokedAt: 1 },
    'has expired': { expiresAt: 1 },
  } as const;
  const writes = ['book', 'approve', 'reschedule'] as const;
  const ask = async (
    world: World,
    verb: (typeof writes)[number],
    meanwhile: (id: string) => Promise<unknown>,
  ) => {
    const clinic = await createClinic(world);
    const { token, id: staffId } = clinic.staff;
    const id = await book(world, clinic);
    beforeWrite(world, () => meanwhile(staffId));
    const body = bookingInput(clinic.practice, { ...later, patient_id: clinic.patient.id });
    const answer =
      verb === 'book'
        ? await world.request('/v1/bookings', { token, body })
        : await act(world, clinic.staff, id, verb, later);
    const rows = await world.db.select().from(bookings);
    expect(rows.map(({ version }) => version)).toEqual([1]);
    return answer;
  };

  describe.each(writes)('%s is refused where the login of who asks', (verb) => {
    it.each(Object.entries(logins))('%s', async (_what, fields) => {
      const world = await createWorld();
      const answer = await ask(world, verb, async (userId) =>
        world.db.update(deviceLogins).set(fields).where(eq(deviceLogins.userId, userId)),
      );
      expect(answer.status).toBe(401);
    });

    it('lost the role', async () => {
      const world = await createWorld();
      const answer = await ask(world, verb, async (userId) =>
        world.db.update(users).set({ role: 'patient' }).where(eq(users.id, userId)),
      );
      expect(answer.status).toBe(403);
    });
  });

  it('a doctor who was linked to another one changes nothing more', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    beforeWrite(world, async () =>
      world.db.update(users).set({ doctorId: clinic.others.doctorId }).where(eq(users.id, clinic.doctor.id)),
    );
    expect((await act(world, clinic.doctor, id, 'approve')).status).toBe(403);
    expect(await detail(world, clinic.staff, id)).toMatchObject({ status: 'waiting', version: 1 });
  });

  it.each(['approve', 'reschedule'] as const)(
    'the same %s under one key is done once, and answered alike',
    async (verb) => {
      const world = await createWorld();
      const clinic = await createClinic(world);
      const id = await book(world, clinic);
      const headers = { 'Idempotency-Key': 'kunci-1' };
      const once = () => act(world, clinic.staff, id, verb, later, headers);
      let first: Awaited<ReturnType<typeof once>> | undefined;
      beforeWrite(world, async () => {
        first = await once();
      });
      const second = await once();
      expect([second.status, second.headers.get('Idempotency-Replayed')]).toEqual([200, 'true']);
      expect(second.body).toEqual(first?.body);
      expect((await detail(world, clinic.staff, id)).version).toBe(2);
    },
  );

  it('a move to the slot that the booking has changes nothing, and writes no event', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const same = { schedule_date: '2026-11-23', schedule_time: '09:00:00' };
    const headers = { 'Idempotency-Key': 'di-sini-saja' };
    const first = await act(world, clinic.patient, id, 'reschedule', same, headers);
    expect(first.body.data).toMatchObject({ version: 1 });
    const ten = { ...same, schedule_time: '10:00:00' };
    expect((await act(world, clinic.staff, id, 'reschedule', ten)).body.data.version).toBe(2);
    // Its repeat does not move the booking back.
    const again = await act(world, clinic.patient, id, 'reschedule', same, headers);
    expect([again.body, again.headers.get('Idempotency-Replayed')]).toEqual([first.body, 'true']);
    expect((await act(world, clinic.staff, id, 'reschedule', same)).body.data.version).toBe(3);
    // Decided again where somebody else moved it meanwhile.
    beforeRoundTrip(world, 2, () => act(world, clinic.staff, id, 'reschedule', ten));
    const key = { 'Idempotency-Key': 'di-sini-lagi' };
    const back = await act(world, clinic.patient, id, 'reschedule', same, key);
    expect(back.body.data).toMatchObject({ version: 5, schedule_time: '09:00:00' });
    const { token } = await createPerson(world);
    const after = await world.request('/v1/bookings', { token, body: bookingInput(clinic.practice, same) });
    expect(after.body.code).toBe('slot_full');
  });
});
