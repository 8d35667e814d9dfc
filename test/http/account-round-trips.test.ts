import { describe, expect, it } from 'vitest';
import { clinic as clinicOf } from '../../src/core/tables/catalog.ts';
import { book, createClinic } from '../support/clinic-people.ts';
import { createGuarded } from '../support/factors.ts';
import { createPasskeyHolder } from '../support/passkeys.ts';
import { counted } from '../support/round-trips.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

describe('round trips to the database, session check included', () => {
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
});
