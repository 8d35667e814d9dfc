import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Db } from '../../src/db/db.ts';
import { bookings } from '../../src/tables/bookings.ts';
import { clinic as clinicOf } from '../../src/tables/catalog.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { act, book, createClinic } from '../support/clinic-people.ts';
import { copyRow, otherId } from '../support/copies.ts';
import { createGuarded } from '../support/factors.ts';
import { createPasskeyHolder } from '../support/passkeys.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient, type Sent, type World } from '../support/world.ts';

/** The same world with a database that counts: a batch is one round trip, and so is a query awaited by itself. */
const counted = (world: World) => {
  let trips = 0;
  const db = new Proxy(world.db as Db & Record<string, unknown>, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (name === 'batch') trips += 1;
        const result = Reflect.apply(value, target, given);
        return name === 'batch' ? result : counting(result);
      };
    },
  }) as unknown as Db;
  const counting = (built: unknown): unknown =>
    typeof built !== 'object' || built === null
      ? built
      : new Proxy(built, {
          get: (target, name) => {
            const value = Reflect.get(target, name, target);
            if (typeof value !== 'function') return value;
            if (name === 'then') trips += 1;
            return (...given: unknown[]) => {
              const result = Reflect.apply(value, target, given);
              return name === 'then' || name === '_prepare' ? result : counting(result);
            };
          },
        });
  const app = createApp({ ...world.deps, db });
  return async (path: string, { method, token, body, headers }: Sent) => {
    const before = trips;
    const response = await app.request(`http://localhost${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    return {
      status: response.status,
      trips: trips - before,
      data: answer.startsWith('{') ? JSON.parse(answer).data : null,
    };
  };
};

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
    for (let nth = 0; nth < 5; nth++) await createPractice(world);
    const staff = await createPerson(world, 'staff');
    for (const sent of [{}, { token: staff.token }])
      for (const path of [
        '/v1/slots?date=2026-11-24',
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
    // With what stood in the way, and then the alternatives of the doctor.
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

  it('gives a copy of everything, notes consent and deletes an account in two each', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    await book(world, clinic);
    const request = counted(world);
    const { token } = clinic.patient;
    const asked = (path: string, body?: object, method = 'POST') => request(path, { method, token, body });
    await world.db.update(clinicOf).set({ consentVersion: '2026-11' });
    expect(await request('/v1/auth/consents', { token })).toMatchObject({ status: 200, trips: 1 });
    const said = await asked('/v1/auth/consents', { consent_version: '2026-11' });
    expect(said).toMatchObject({ status: 200, trips: 2 });
    expect(await request('/v1/auth/notices', { token })).toMatchObject({ status: 200, trips: 1 });
    expect(await asked('/v1/auth/notices', { email: false }, 'PATCH')).toMatchObject({
      status: 200,
      trips: 2,
    });
    expect(await asked('/v1/auth/export')).toMatchObject({ status: 200, trips: 2 });
    expect(await asked('/v1/auth/account', undefined, 'DELETE')).toMatchObject({ status: 200, trips: 2 });
  });

  it('logs in in two, and with a second factor of either kind in four', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const request = counted(world);
    const plain = await registerPatient(world);
    const logIn = (email: string) => request('/v1/auth/login', { body: { email, password } });
    expect(await logIn(plain.email)).toMatchObject({ status: 200, trips: 2 });

    const guarded = await createGuarded(world);
    const first = await logIn(guarded.email);
    expect(first).toMatchObject({ status: 401, trips: 2 });
    const body = { challenge: await guarded.challenge(), code: guarded.code() };
    expect(await request('/v1/auth/login/second-factor', { body })).toMatchObject({ status: 200, trips: 2 });

    const holder = await createPasskeyHolder(world);
    expect(await logIn(holder.email)).toMatchObject({ status: 401, trips: 2 });
    const answer = { body: await holder.answer() };
    expect(await request('/v1/auth/login/second-factor', answer)).toMatchObject({ status: 200, trips: 2 });
  });

  it('starts a page that is logged in, profile included, in two, one of which counts the try', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { email } = await registerPatient(world);
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    const body = { email, password, app: 'pasien' };
    const opened = await world.request('/v1/auth/session', { body, headers: own });
    const Cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const request = counted(world);
    expect(await request('/v1/auth/session', { body, headers: own })).toMatchObject({
      status: 200,
      trips: 2,
    });
    const refresh = { body: { app: 'pasien' }, headers: { ...own, Cookie } };
    const again = await request('/v1/auth/session/refresh', refresh);
    expect(again).toMatchObject({ status: 200, trips: 2, data: { user: { email }, role: 'patient' } });
    const nobody = { ...refresh, headers: own };
    expect(await request('/v1/auth/session/refresh', nobody)).toMatchObject({ status: 200, trips: 0 });
  });

  it('counts a query that is awaited outside a batch', async () => {
    const world = await createWorld();
    const { email } = await createPerson(world);
    const before = counted(world);
    const body = { email, password: 'salah-sekali-2026' };

    expect((await before('/v1/auth/login', { body })).trips).toBeGreaterThan(0);
  });
});
