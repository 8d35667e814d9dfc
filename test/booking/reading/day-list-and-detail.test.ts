import { describe, expect, it } from 'vitest';
import { jobs, runJobs } from '../../../src/jobs/jobs.ts';
import { bookingInput, createDoctor, createSchedule } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople } from '../../support/people.ts';
import { createWorld, registerPatient } from '../../support/world.ts';

const ten = { schedule_date: '2026-11-23', schedule_time: '10:00:00' };

describe('reads of bookings', () => {
  it('pages the day list once through every booking, and shows a doctor only the own ones', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 3 });
    const people = await createPeople(world, 7);
    for (const [at, { token }] of people.entries())
      await book(world, clinic, { schedule_time: `${String(8 + (at >> 1)).padStart(2, '0')}:30:00` }, token);
    await world.request('/v1/bookings', { token: clinic.patient.token, body: bookingInput(clinic.others) });
    const seen: string[] = [];
    let path: string | undefined = '/v1/bookings?date=2026-11-23&limit=3';
    while (path !== undefined) {
      const { body, headers } = await world.request(path, { token: clinic.staff.token });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      path = /<(.*)>/.exec(headers.get('Link') ?? '')?.[1];
    }
    expect(new Set(seen).size).toBe(8);
    expect(seen).toHaveLength(8);
    const own = await world.request('/v1/bookings', { token: clinic.doctor.token });
    expect(own.body.data).toHaveLength(7);
    const theirs = `/v1/bookings?doctor_id=${clinic.others.doctorId}`;
    expect((await world.request(theirs, { token: clinic.doctor.token })).body.data).toEqual([]);
    expect((await world.request('/v1/bookings', { token: clinic.patient.token })).status).toBe(403);
  });

  it('finds bookings by name, phone number and, on any date, by booking code', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic, { schedule_date: '2026-11-25' });
    const { booking_code, patient } = await detail(world, clinic.staff, id);
    const found = async (query: string) =>
      (await world.request(`/v1/bookings?${query}`, { token: clinic.staff.token })).body.data.length;
    const day = 'date=2026-11-25';
    expect(await found(`q=${booking_code.toLowerCase()}`)).toBe(1);
    expect(await found(`${day}&q=${encodeURIComponent(patient.name.toUpperCase())}`)).toBe(1);
    expect(await found(`${day}&q=${encodeURIComponent('+62 812-3456')}`)).toBe(1);
    expect(await found(`${day}&q=0812345`)).toBe(1);
    expect(await found(`${day}&q=nobody`)).toBe(0);
    expect(await found('q=2345')).toBe(0);
  });

  it('finds a name of the day list whatever its letters, accents and case', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 3 });
    for (const name of ['Élodie Müller', 'Ольга Петрова', 'I Gusti Ngurah']) {
      const { token } = await registerPatient(world, { name });
      await book(world, clinic, {}, token);
    }
    const names = async (q: string) => {
      const path = `/v1/bookings?date=2026-11-23&q=${encodeURIComponent(q)}`;
      const { body } = await world.request(path, { token: clinic.staff.token });
      return body.data.map(({ patient }: { patient: { name: string } }) => patient.name);
    };
    for (const q of ['ÉLODIE', 'elodie', 'müll', 'MULLER élo'])
      expect([q, await names(q)]).toEqual([q, ['Élodie Müller']]);
    for (const q of ['ОЛЬГА', 'петр']) expect([q, await names(q)]).toEqual([q, ['Ольга Петрова']]);
    expect(await names('ngurah gus')).toEqual(['I Gusti Ngurah']);
    for (const q of ['elodie petrova', 'zz']) expect([q, await names(q)]).toEqual([q, []]);
  });

  it('pages a history once through what was there, however much is booked meanwhile', async () => {
    const world = await createWorld({ MAX_LIVE_BOOKINGS: '0' });
    const clinic = await createClinic(world);
    const on = (day: number) => ({ schedule_date: `2026-11-${day}` });
    const there: string[] = [];
    for (const day of [24, 25, 26, 27, 28]) there.push(await book(world, clinic, on(day)));
    const added = [on(29), on(30), { ...on(26), schedule_time: '11:00:00' }];
    const seen: string[] = [];
    let path: string | undefined = '/v1/bookings/history?limit=2';
    while (path !== undefined) {
      const { body, headers } = await world.request(path, { token: clinic.patient.token });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      path = /<(.*)>/.exec(headers.get('Link') ?? '')?.[1];
      const more = added.shift();
      if (more !== undefined) await book(world, clinic, more);
    }
    expect(seen.filter((id) => there.includes(id))).toEqual(there.toReversed());
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('lets staff book for a patient inside the minimum notice, and nobody for somebody else', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    world.clock.now = Date.parse('2026-11-23T01:55:00Z');
    const body = bookingInput(clinic.practice, { patient_id: clinic.patient.id });
    const asked = (token: string) => world.request('/v1/bookings', { token, body });
    expect((await asked(clinic.stranger.token)).status).toBe(422);
    expect((await asked(clinic.otherDoctor.token)).status).toBe(403);
    expect((await asked(clinic.patient.token)).body).toMatchObject({
      code: 'slot_unavailable',
      reason: 'too_soon',
    });
    const booked = await asked(clinic.staff.token);
    expect(booked.status).toBe(201);
    expect((await detail(world, clinic.patient, booked.body.data.id)).status).toBe('approved');
    const unknown = { ...body, patient_id: crypto.randomUUID() };
    expect(
      (await world.request('/v1/bookings', { token: clinic.staff.token, body: unknown })).body.errors
        .patient_id,
    ).toBeDefined();
  });

  it('offers the free slots of other doctors with the same session once this one has none', async () => {
    const world = await createWorld({ MAX_ADVANCE_DAYS: '1' });
    const clinic = await createClinic(world, {
      startTime: '09:00:00',
      endTime: '09:30:00',
      validUntil: '2026-11-23',
    });
    const { sessionId } = clinic.practice;
    const colleague = await createDoctor(world, { name: 'Budi Santoso' });
    await createSchedule(world, {
      doctorId: colleague,
      sessionId,
      startTime: '10:00:00',
      endTime: '11:00:00',
    });
    await book(world, clinic);
    const full = await world.request('/v1/bookings', {
      token: clinic.stranger.token,
      body: bookingInput(clinic.practice),
    });
    expect(full.body.code).toBe('slot_full');
    expect(full.body.alternatives).toMatchObject([
      { doctor_id: colleague, schedule_date: '2026-11-23', schedule_time: '10:00:00', session_id: sessionId },
      { doctor_id: colleague, schedule_time: '10:30:00' },
    ]);
  });

  it('cancels a waiting booking once its end has passed, as the system, and leaves an approved one', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 2 });
    const waiting = await book(world, clinic);
    const approved = await book(world, clinic, {}, clinic.stranger.token);
    await act(world, clinic.staff, approved, 'approve');
    expect(jobs.map(({ name }) => name)).toContain('expire bookings');
    world.clock.now = Date.parse('2026-11-23T02:30:00Z') - 1;
    await runJobs(world.deps);
    expect((await detail(world, clinic.patient, waiting)).status).toBe('waiting');
    world.clock.now += 1;
    await Promise.all([runJobs(world.deps), runJobs(world.deps)]);
    expect(await detail(world, clinic.patient, waiting)).toMatchObject({
      status: 'canceled',
      version: 2,
      cancellation: { by: 'system', reason_code: 'expired' },
    });
    expect((await detail(world, clinic.staff, approved)).status).toBe('approved');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('has a timeline of who did what and what changed, with names only for the clinic', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'reschedule', ten);
    const path = `/v1/bookings/${id}/events`;
    const whole = (await world.request(path, { token: clinic.staff.token })).body.data;
    expect(whole[1]).toMatchObject({
      type: 'booking.rescheduled',
      by: 'staff',
      version: 2,
      changes: { schedule_time: { from: '09:00:00', to: '10:00:00' } },
    });
    expect(Object.keys(whole[1].changes)).toEqual(['schedule_time']);
    expect(whole[1].by_name).not.toBeNull();
    const first = await world.request(`${path}?limit=1`, { token: clinic.patient.token });
    const second = await world.request(`${path}?limit=1&cursor=${first.body.meta.next_cursor}`, {
      token: clinic.patient.token,
    });
    expect(second.body).toMatchObject({
      data: [{ version: 2, by_name: null, changes: whole[1].changes }],
      meta: { next_cursor: null },
    });
    expect((await world.request(path, { token: clinic.stranger.token })).status).toBe(404);
  });

  it('keeps the answer of a change for a day, queue number and all', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const tomorrow = { schedule_date: '2026-11-25', schedule_time: '09:00:00' };
    for (const [verb, body] of [
      ['approve', {}],
      ['reschedule', tomorrow],
      ['cancel', {}],
    ] as const) {
      const again = () => act(world, clinic.staff, id, verb, body, { 'Idempotency-Key': `kunci-${verb}` });
      const first = await again();
      const second = await again();
      expect(first.status).toBe(200);
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    }
    world.clock.now += 24 * 3_600_000 - 1_000;
    const late = () => act(world, clinic.staff, id, 'cancel', {}, { 'Idempotency-Key': 'kunci-cancel' });
    expect((await late()).status).toBe(200);
    world.clock.now += 500;
    expect((await late()).headers.get('Idempotency-Replayed')).toBe('true');
    expect(await findViolations(world.db)).toEqual([]);
  });
});
