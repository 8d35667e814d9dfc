import { beforeAll, describe, expect, it } from 'vitest';
import { deviceLogins } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { familyRelations, patients } from '../../src/core/tables/patients.ts';
import { bookingInput } from '../support/clinic.ts';
import { book } from '../support/clinic-people.ts';
import { addDevice, createPerson } from '../support/people.ts';
import { createScene, endpoints, nameOf, refusedRoles, type Scene } from '../support/scene.ts';
import { bodyFor, requestPath } from '../support/shapes.ts';

let scene: Scene;
let before: unknown;
const stored = async () => [
  await scene.world.db.select().from(bookings),
  await scene.world.db.select().from(patients),
  await scene.world.db.select().from(familyRelations),
  (await scene.world.db.select().from(deviceLogins)).map(({ id, revokedAt }) => [id, revokedAt]),
];

beforeAll(async () => {
  scene = await createScene();
  before = await stored();
});

const ask = async (contract: (typeof endpoints)[number], token: string, id?: string) => {
  const method = contract.method.toUpperCase();
  const sent = { method, token, ...(method !== 'GET' && { body: bodyFor(scene, contract) }) };
  const { status, body, headers } = await scene.world.request(requestPath(scene, contract, id), sent);
  const shownHeaders = [...headers].filter(([name]) => name !== 'x-request-id');
  return { status, body: { ...body, request_id: '' }, shownHeaders };
};

const named = (prefix: string) =>
  endpoints
    .filter(({ path }) => path.startsWith(`${prefix}{id}`))
    .map((contract) => [nameOf(contract), contract] as const);

describe("another patient's booking is to a patient as if there were none:", () => {
  it.each(named('/v1/bookings/'))('%s', async (_name, contract) => {
    const { stranger } = scene.clinic;
    const answer = await ask(contract, stranger.token);
    expect(answer).toEqual(await ask(contract, stranger.token, crypto.randomUUID()));
    expect(answer.status).toBe(refusedRoles(contract).includes('patient') ? 403 : 404);
  });

  it('and in no list of theirs', async () => {
    const { token } = scene.clinic.stranger;
    const { body } = await scene.world.request('/v1/bookings/history', { token });
    expect(body.data).toEqual([]);
  });
});

describe("another doctor's booking is to a doctor as if there were none:", () => {
  it.each(named('/v1/bookings/'))('%s', async (_name, contract) => {
    const { otherDoctor } = scene.clinic;
    const answer = await ask(contract, otherDoctor.token);
    expect(answer).toEqual(await ask(contract, otherDoctor.token, crypto.randomUUID()));
    expect(answer.status).toBe(404);
  });

  it('and in no list of theirs, even when they ask for the colleague', async () => {
    const { token } = scene.clinic.otherDoctor;
    const { practice } = scene.clinic;
    for (const query of ['', `&doctor_id=${practice.doctorId}`]) {
      const { body } = await scene.world.request(`/v1/bookings?date=2026-11-23${query}`, { token });
      expect(body.data).toEqual([]);
    }
  });
});

describe('one of the family of another is to an account as if there were none:', () => {
  it.each(named('/v1/family/'))('%s, even to an admin', async (_name, contract) => {
    for (const { token } of [scene.clinic.stranger, scene.clinic.staff, scene.clinic.admin]) {
      const answer = await ask(contract, token);
      expect(answer).toEqual(await ask(contract, token, crypto.randomUUID()));
      expect(answer.status).toBe(404);
    }
  });
});

describe('a patient whom a doctor never had a booking with is as if there were none:', () => {
  it.each(named('/v1/patients/'))('%s', async (_name, contract) => {
    const { otherDoctor } = scene.clinic;
    const answer = await ask(contract, otherDoctor.token);
    expect(answer).toEqual(await ask(contract, otherDoctor.token, crypto.randomUUID()));
    expect(answer.status).toBe(refusedRoles(contract).includes('doctor') ? 403 : 404);
  });
});

describe("another person's device is as if there were none:", () => {
  it.each(named('/v1/auth/devices/'))('%s, even to an admin', async (_name, contract) => {
    for (const { token } of [scene.clinic.stranger, scene.clinic.staff, scene.clinic.admin]) {
      const answer = await ask(contract, token);
      expect(answer).toEqual(await ask(contract, token, crypto.randomUUID()));
      expect(answer.status).toBe(404);
    }
  });
});

describe('all that asking', () => {
  it('has changed no booking and no record, and ended no device', async () => {
    expect(await stored()).toEqual(before);
  });
});

describe('what belongs to a person', () => {
  it('is not taken by a patient_id in the body of another patient', async () => {
    const { world, clinic } = scene;
    const { stranger, patient, practice } = clinic;
    const body = { ...bookingInput(practice, { schedule_time: '11:00:00' }), patient_id: patient.id };
    const history = async () =>
      (await world.request('/v1/bookings/history', { token: patient.token })).body.data;
    const known = await history();
    expect(known.length).toBeGreaterThan(0);
    const answer = await world.request('/v1/bookings', { token: stranger.token, body });
    const own = await world.request('/v1/bookings/history', { token: stranger.token });
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(own.body.data).toEqual([]);
    expect(await history()).toEqual(known);
  });

  it('is not shown by a replay of the idempotency key of another', async () => {
    const { world, clinic } = scene;
    const headers = { 'Idempotency-Key': 'kunci-milik-pasien' };
    const body = bookingInput(clinic.practice, { schedule_time: '14:00:00' });
    const first = await world.request('/v1/bookings', { token: clinic.patient.token, body, headers });
    const other = await createPerson(world);
    const second = await world.request('/v1/bookings', { token: other.token, body, headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get('Idempotency-Replayed')).toBeNull();
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it('is not replayed to a device that was logged out', async () => {
    const { world, clinic } = scene;
    const { token } = await addDevice(world, clinic.patient.id);
    const headers = { 'Idempotency-Key': 'kunci-perangkat-lama' };
    const body = bookingInput(clinic.practice, { schedule_time: '15:00:00' });
    expect((await world.request('/v1/bookings', { token, body, headers })).status).toBe(201);
    await world.request('/v1/auth/logout', { method: 'POST', token });
    expect((await world.request('/v1/bookings', { token, body, headers })).status).toBe(401);
  });

  it('is not shown to other patients by the public queue and the public slots', async () => {
    const { world, clinic } = scene;
    const { practice, patient } = clinic;
    await book(world, clinic, { schedule_time: '13:00:00', notes: 'catatan rahasia' });
    const paths = ['queue?date=2026-11-23', 'slots?from=2026-11-23&to=2026-11-23&include=unavailable'];
    for (const path of paths) {
      const { status, body } = await world.request(`/v1/doctors/${practice.doctorId}/${path}`);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(patient.id);
      expect(JSON.stringify(body)).not.toContain('catatan rahasia');
    }
  });

  it('is named to staff by id, name and phone, and not by e-mail, in the lists of bookings', async () => {
    const { world, clinic } = scene;
    const { body } = await world.request('/v1/bookings?date=2026-11-23', { token: clinic.staff.token });
    expect(body.data.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('@');
    expect(JSON.stringify(body)).not.toContain('password');
  });
});
