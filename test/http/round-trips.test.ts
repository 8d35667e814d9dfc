import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { act, book, createClinic } from '../support/clinic-people.ts';
import { copyRow, otherId } from '../support/copies.ts';
import { createPerson } from '../support/people.ts';
import { counted } from '../support/round-trips.ts';
import { createWorld } from '../support/world.ts';

describe('round trips to the database, session check included', () => {
  it.each(['/v1/auth/profile', '/v1/bookings/history'])('reads %s in one', async (path) => {
    const world = await createWorld();
    const { token } = await createPerson(world);

    expect(await counted(world)(path, { token })).toMatchObject({ status: 200, trips: 1 });
  });

  it('reads 31 days of slots in one', async () => {
    const world = await createWorld();
    const { doctorId } = await createPractice(world);
    const path = `/v1/doctors/${doctorId}/slots?from=2026-11-23&to=2026-12-23`;

    expect(await counted(world)(path, {})).toMatchObject({ status: 200, trips: 1 });
  });

  it('reads one day over all doctors, and the next free slot of each, in one, with a token too', async () => {
    const world = await createWorld();
    const { sessionId } = await createPractice(world);
    for (let nth = 0; nth < 4; nth++) await createPractice(world);
    const staff = await createPerson(world, 'staff');
    for (const sent of [{}, { token: staff.token }])
      for (const path of [
        '/v1/slots?date=2026-11-24',
        `/v1/slots?from=2026-11-24&session_id=${sessionId}`,
        '/v1/doctors?include=next_available',
        '/v1/doctors?include=next_available&q=sari',
        '/v1/clinic',
      ])
        expect(await counted(world)(path, sent)).toMatchObject({ status: 200, trips: 1 });
  });

  it('books, replays and cancels in at most two, with an idempotency key too', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await createPerson(world);
    const request = counted(world);
    const body = bookingInput(practice);
    const headers = { 'Idempotency-Key': 'once' };

    const made = await request('/v1/bookings', { token, body, headers });
    expect(made).toMatchObject({ status: 201, trips: 2 });
    expect(await request('/v1/bookings', { token, body, headers })).toMatchObject({ status: 201, trips: 1 });
    const canceled = await request(`/v1/bookings/${made.data.id}/cancel`, { token, body: {}, headers: {} });
    expect(canceled).toMatchObject({ status: 200, trips: 2 });
  });

  it('reads a booking, its timeline and its calendar file in one each', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await createPerson(world);
    const request = counted(world);
    const made = await request('/v1/bookings', { token, body: bookingInput(practice) });

    for (const part of ['', '/events', '/calendar.ics'])
      expect(await request(`/v1/bookings/${made.data.id}${part}`, { token })).toMatchObject({
        status: 200,
        trips: 1,
      });
  });

  it('approves, and moves a booking at the same doctor or to another, in at most two', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const other = await createPractice(world);
    const { token } = await createPerson(world);
    const staff = await createPerson(world, 'staff');
    const request = counted(world);
    const made = await request('/v1/bookings', { token, body: bookingInput(practice) });
    const path = `/v1/bookings/${made.data.id}`;
    const { schedule_date, doctor_id } = bookingInput(other);

    expect(await request(`${path}/approve`, { token: staff.token, body: {} })).toMatchObject({
      status: 200,
      trips: 2,
    });
    const later = { schedule_date, schedule_time: '10:00:00' };
    expect(await request(`${path}/reschedule`, { token, body: later })).toMatchObject({
      status: 200,
      trips: 2,
    });
    const elsewhere = { ...later, doctor_id, session_id: bookingInput(other).session_id };
    expect(await request(`${path}/reschedule`, { token, body: elsewhere })).toMatchObject({
      status: 200,
      trips: 2,
      data: { doctor_id },
    });
  });

  it('makes and checks in a walk-in, overbooks, undoes a step in two each, and refuses a full slot in three', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await createPerson(world, 'staff');
    const request = counted(world);
    const ask = async (fields: Record<string, unknown>) =>
      request('/v1/bookings', {
        token,
        body: bookingInput(practice, { ...fields, patient_id: (await createPerson(world)).id }),
      });
    const made = await ask({ check_in: true });
    expect(made).toMatchObject({ status: 201, trips: 2 });
    expect(await ask({ overbook: true })).toMatchObject({ status: 201, trips: 2 });
    const undone = await request(`/v1/bookings/${made.data.id}/undo`, { token, body: { version: 1 } });
    expect(undone).toMatchObject({ status: 200, trips: 2, data: { visit: null } });
    // With the reason of the refusal, and then the alternatives of the doctor.
    expect(await ask({})).toMatchObject({ status: 409, trips: 3 });
  });

  it('makes a walk-in of somebody without a record in two requests of two round trips each', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await createPerson(world, 'staff');
    const request = counted(world);
    const record = { name: 'Pak Darmo', birth_date: '1960-08-17' };
    const added = await request('/v1/patients', { token, body: record });
    expect(added).toMatchObject({ status: 201, trips: 2 });
    const body = bookingInput(practice, { patient_id: added.data.id, check_in: true });
    expect(await request('/v1/bookings', { token, body })).toMatchObject({ status: 201, trips: 2 });
  });

  it('reads the queues in one, and calls, skips and gives notice in two', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await createPerson(world);
    const staff = await createPerson(world, 'staff');
    const request = counted(world);
    const made = await request('/v1/bookings', { token, body: bookingInput(practice) });
    const does = (path: string, body = {}, headers = {}) =>
      request(path, { token: staff.token, body, headers });
    for (const verb of ['approve', 'check-in']) await does(`/v1/bookings/${made.data.id}/${verb}`);
    const ofDoctor = `/v1/doctors/${practice.doctorId}/queue`;

    const next = await does(`${ofDoctor}/next`, {}, { 'Idempotency-Key': 'berikutnya' });
    expect(next).toMatchObject({ status: 200, trips: 2, data: { id: made.data.id } });
    expect(await does(`${ofDoctor}/next`)).toMatchObject({ status: 409, trips: 1 });
    expect(await does(`/v1/bookings/${made.data.id}/skip`)).toMatchObject({ status: 200, trips: 2 });
    for (const path of ['/v1/queues', `/v1/queues?doctor_id=${practice.doctorId}`, ofDoctor])
      expect(await request(path, {})).toMatchObject({ status: 200, trips: 1 });
  });

  it('reads the list of the clinic with its counts, and what changed since, in one each, for each of its roles, and with its line in the audit trail in two, once an hour', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'cancel');
    const values = { id: otherId('id'), writeId: otherId('write_id'), bookingCode: sql`'kode-' || i` };
    await copyRow(world, bookings, 299, values);
    const request = counted(world);

    for (const { token } of [clinic.staff, clinic.doctor, clinic.admin])
      for (const path of [
        '/v1/bookings?date=2026-11-23',
        '/v1/bookings?q=MAHENDR',
        `/v1/bookings?from=2026-11-01&to=2026-12-31&patient_id=${clinic.patient.id}&order=desc`,
        `/v1/bookings?doctor_id=${clinic.practice.doctorId}&visit=expected,called`,
        '/v1/bookings/changes?after=0',
      ]) {
        expect([path, await request(path, { token })]).toMatchObject([path, { status: 200, trips: 2 }]);
        expect([path, await request(path, { token })]).toMatchObject([path, { status: 200, trips: 1 }]);
      }
  });

  it('reads statistics and a history with details in one each, and a record with its line in the audit trail in two', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    await book(world, clinic);
    const request = counted(world);

    for (const [{ token }, path, trips] of [
      [clinic.admin, '/v1/admin/statistics?from=2026-01-01&to=2026-12-31&by=doctor', 1],
      [clinic.patient, '/v1/bookings/history?include=detail&when=upcoming', 1],
      [clinic.patient, '/v1/bookings/history?include=detail&when=past', 1],
      [clinic.patient, '/v1/family', 1],
      [clinic.staff, `/v1/patients/${clinic.patient.id}`, 2],
      [clinic.staff, `/v1/patients/${clinic.patient.id}/bookings`, 2],
    ] as const)
      expect([path, await request(path, { token })]).toMatchObject([path, { status: 200, trips }]);
  });

  it('counts a query that is awaited outside a batch', async () => {
    const world = await createWorld();
    const { email } = await createPerson(world);
    const before = counted(world);
    const body = { email, password: 'salah-sekali-2026' };

    expect((await before('/v1/auth/login', { body })).trips).toBeGreaterThan(0);
  });
});
