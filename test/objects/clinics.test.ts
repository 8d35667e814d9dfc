import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { RpcTarget } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import * as argon2 from '#argon2';
import { mountDeployment } from '../../src/deployment.ts';
import { demoIds, demoPassword } from '../../src/modules/demo/demo.ts';
import type { ObjectBindings } from '../../src/runtime/worker/objects/calls.ts';
import { createObjectsFront } from '../../src/runtime/worker/objects/front.ts';
import { FrontHasher } from '../../src/runtime/worker/objects/front-hasher.ts';
import { askHost, askOperator, bindings, createClinics } from '../support/objects/clinics.ts';

const minute = 60_000;
const registration = (at: number) => ({
  name: `Pasien ${at}`,
  phone_number: '81234567890',
  phone_country_code: '62',
  email: `pasien${at}@contoh.example`,
  password: demoPassword,
  password_confirmation: demoPassword,
  device_id: '',
});

/** A clinic, and logins for which a front hashes that takes its time. */
const withSlowFront = async () => {
  const { objectOf, ask } = await createClinics(['melati']);
  const { clinic, object } = await objectOf('melati');
  let hashing = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  class SlowFront extends RpcTarget {
    hash = argon2.hash;
    async verify(): Promise<boolean> {
      hashing += 1;
      await released;
      return true;
    }
  }
  const logIn = () =>
    object.serve(
      clinic,
      new Request('https://melati.example/v1/auth/login', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'pasien@klinik.example', password: demoPassword }),
      }),
      new SlowFront(),
    );
  return { ask, logIn, hashing: () => hashing, release };
};

describe('clinics in objects', () => {
  it('book, each in its own database; a token of one is 401 at another', async () => {
    const { ask, login, book } = await createClinics(['melati', 'mawar']);
    const token = await login('melati');
    expect((await book('melati', token)).status).toBe(201);
    expect((await ask('mawar', '/v1/bookings/history', { token })).status).toBe(401);
    const there = await ask('mawar', '/v1/bookings/history', { token: await login('mawar') });
    expect(there.body.data).toEqual([]);
    const here = await ask('melati', '/v1/bookings/history', { token });
    expect(here.body.data).toHaveLength(1);
  });

  it('give one seat to exactly one of a hundred at once', async () => {
    const { ask, firstSlot } = await createClinics(['melati']);
    const tokens: string[] = [];
    for (let at = 0; at < 100; at++) {
      const { body } = await ask('melati', '/v1/auth/register', { body: registration(at) });
      tokens.push(body.data.access_token);
    }
    const body = await firstSlot('melati');
    const answers = await Promise.all(tokens.map((token) => ask('melati', '/v1/bookings', { token, body })));
    const counted = Object.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim());
    expect(Object.fromEntries(Object.entries(counted).map(([got, all]) => [got, all?.length]))).toEqual({
      201: 1,
      '409 slot_full': 99,
    });
  });

  it('hash no password: a queue is read while sixteen people log in and the front hashes', async () => {
    const { ask, logIn, hashing, release } = await withSlowFront();
    const logins = Array.from({ length: 16 }, logIn);
    await vi.waitUntil(() => hashing() === 4, { timeout: 60_000, interval: 5 });
    const [doctor] = demoIds.doctors;
    expect((await ask('melati', `/v1/doctors/${doctor}/queue`)).status).toBe(200);
    release();
    const statuses = (await Promise.all(logins)).map(({ status }) => status);
    expect(statuses).toEqual(Array(16).fill(200));
  });

  it('let so many logins of one clinic wait for a hash, and refuse the next at once', async () => {
    const { ask, logIn, hashing, release } = await withSlowFront();
    const early: { status: number; after: string | null }[] = [];
    const logins = Array.from({ length: 90 }, async () => {
      const { status, headers } = await logIn();
      early.push({ status, after: headers.get('Retry-After') });
    });
    await vi.waitUntil(() => early.length >= 10, { timeout: 60_000, interval: 5 });
    expect(early).toEqual(Array(10).fill({ status: 503, after: '1' }));
    expect(hashing()).toBe(4);
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
    release();
    await Promise.all(logins);
    expect(early.slice(10)).toEqual(Array(80).fill({ status: 200, after: null }));
  });

  it('are found by their host alone: an unknown one is 404, a closed one 503, the rest are served', async () => {
    const { ask, idOf } = await createClinics(['melati', 'mawar']);
    expect(await askHost('anggrek.janji.example', '/v1/doctors')).toMatchObject({
      status: 404,
      body: { code: 'clinic_not_found' },
    });
    // Closed before this front has read anything of it: the directory is read once a minute.
    expect((await askOperator(`/${idOf('mawar')}/close`, { method: 'POST' })).body.data.state).toBe('closed');
    expect(await ask('mawar', '/v1/doctors')).toMatchObject({ status: 503, body: { code: 'clinic_closed' } });
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
    expect((await askHost('anggrek.janji.example', '/health')).body.data).toEqual({ name: 'janji' });
    expect((await askHost('anggrek.janji.example', '/ready')).status).toBe(200);
  });

  it('tell search engines their own pages alone, under their first address whichever of theirs is asked', async () => {
    const { ask, idOf, host, login } = await createClinics(['melati', 'mawar']);
    const second = `praktik-${idOf('melati')}.janji.example`;
    const hosts = [host('melati'), second];
    const changed = await askOperator(`/${idOf('melati')}`, { method: 'PATCH', body: { hosts } });
    expect(changed.status).toBe(200);
    for (const [at, name] of ['melati', 'mawar'].entries()) {
      const token = await login(name, 'admin@klinik.example');
      const path = `/v1/admin/doctors/${demoIds.doctors[at]}/page`;
      const body = { slug: `dr-${name}`, published: true };
      expect((await ask(name, path, { method: 'PATCH', token, body })).status).toBe(200);
    }
    for (const [asked, own] of [
      [host('melati'), 'melati'],
      [second, 'melati'],
      [host('mawar'), 'mawar'],
    ] as const) {
      const origin = `https://${host(own)}`;
      const listed = await askHost(asked, '/sitemap.xml');
      expect([...listed.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)).toEqual([
        `${origin}/pasien/dokter`,
        `${origin}/dokter/dr-${own}`,
      ]);
      expect((await askHost(asked, '/robots.txt')).body).toContain(`Sitemap: ${origin}/sitemap.xml\n`);
      expect((await askHost(asked, `/dokter/dr-${own}`)).body).toContain(
        `<link rel="canonical" href="${origin}/dokter/dr-${own}"`,
      );
    }
    expect((await ask('mawar', '/dokter/dr-melati')).status).toBe(404);
  });

  it('fail alone: one whose database is of a newer version is 503, and says why to the operator', async () => {
    const { ask, idOf, objectOf } = await createClinics(['melati', 'rusak']);
    const { object } = await objectOf('rusak');
    const Origin = 'https://rusak.example';
    const settings = { CORS_ORIGINS: Origin };
    await askOperator(`/${idOf('rusak')}`, { method: 'PATCH', body: { settings } });
    await runInDurableObject(object as never, (_, state) => {
      state.storage.sql.exec(
        "insert into __drizzle_migrations (hash, created_at) values ('of another version', 9999999999999)",
      );
    });
    await evictDurableObject(object as never);
    const failed = await ask('rusak', '/v1/doctors', { headers: { Origin } });
    expect(failed).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(failed.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    const preflight = { Origin, 'Access-Control-Request-Method': 'GET' };
    expect((await ask('rusak', '/v1/doctors', { method: 'OPTIONS', headers: preflight })).status).toBe(204);
    const spoken = await ask('rusak', '/bpjs/rs/antrean/status', { body: {} });
    expect([spoken.status, spoken.body.metadata?.code]).toEqual([200, 201]);
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
    expect((await askOperator(`/${idOf('rusak')}`)).body.data).toMatchObject({
      state: 'broken',
      problem: expect.stringContaining('newer version'),
    });
    expect((await askOperator(`/${idOf('melati')}`)).body.data).toMatchObject({
      state: 'open',
      problem: null,
      is_current: true,
    });
  });

  it('go by what they were told, not by what a front still knows from before', async () => {
    const { ask, idOf, host } = await createClinics(['melati']);
    const stale = createObjectsFront(bindings, mountDeployment);
    const Origin = 'https://melati.example';
    const askStale = async () => {
      const request = new Request(`https://${host('melati')}/v1/doctors`, { headers: { Origin } });
      const answer = await stale(request, {});
      const body = (await answer.json()) as { code?: string };
      const { headers } = answer;
      return [
        answer.status,
        body.code,
        headers.get('Access-Control-Allow-Origin'),
        headers.get('Retry-After'),
      ];
    };
    expect(await askStale()).toEqual([200, undefined, null, null]);
    const settings = { CORS_ORIGINS: Origin };
    await askOperator(`/${idOf('melati')}`, { method: 'PATCH', body: { settings } });
    expect(await askStale()).toEqual([200, undefined, Origin, null]);
    await askOperator(`/${idOf('melati')}/close`, { method: 'POST' });
    expect(await askStale()).toEqual([503, 'clinic_closed', Origin, '60']);
    await askOperator(`/${idOf('melati')}/open`, { method: 'POST' });
    expect(await askStale()).toEqual([200, undefined, Origin, null]);
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
  });

  it('stay closed after an eviction to a front that knows them from before, at once and in an outage of the directory', async () => {
    const { objectOf, idOf, host } = await createClinics(['melati']);
    const { clinic: before, object } = await objectOf('melati');
    const ask = async () => {
      const asked = new Request(`https://${host('melati')}/v1/doctors`);
      const answer = await object.serve(before, asked, new FrontHasher());
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await ask()).toBe(200);
    await askOperator(`/${idOf('melati')}/close`, { method: 'POST' });
    const now = Date.now();
    for (const later of [0, 30 * minute]) {
      vi.spyOn(Date, 'now').mockImplementation(() => now + later);
      await evictDurableObject(object as never);
      expect([later, await ask()]).toEqual([later, 503]);
      expect((await object.describe()).wakesAt).toBeNull();
    }
    vi.restoreAllMocks();
    await askOperator(`/${idOf('melati')}/open`, { method: 'POST' });
    expect(await ask()).toBe(200);
  });

  it('keep what they were told through an eviction, for the minute in which a front may know less', async () => {
    const { objectOf, idOf, host } = await createClinics(['melati']);
    const { clinic: before, object } = await objectOf('melati');
    const Origin = 'https://melati.example';
    const allowed = async () => {
      const asked = new Request(`https://${host('melati')}/v1/doctors`, { headers: { Origin } });
      const answer = await object.serve(before, asked, new FrontHasher());
      await answer.arrayBuffer();
      return answer.headers.get('Access-Control-Allow-Origin');
    };
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    const settings = { CORS_ORIGINS: Origin };
    await askOperator(`/${idOf('melati')}`, { method: 'PATCH', body: { settings } });
    await evictDurableObject(object as never);
    expect(await allowed()).toBe(Origin);
    // Whoever asks later has read the directory since.
    vi.spyOn(Date, 'now').mockImplementation(() => now + minute);
    expect(await allowed()).toBeNull();
    vi.restoreAllMocks();
  });

  it('get their pages from the front, which asks no object for them', async () => {
    const { host } = await createClinics(['melati']);
    const asked: string[] = [];
    const ASSETS = {
      fetch: async (url: string) => {
        asked.push(new URL(url).pathname);
        return new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
      },
    };
    const unasked = (): never => {
      throw new Error('An object was asked.');
    };
    const CLINIC = { idFromName: unasked, get: unasked };
    const front = createObjectsFront({ ...bindings, ASSETS, CLINIC }, mountDeployment);
    const get = (path: string) => front(new Request(`https://${host('melati')}${path}`), {});
    for (const app of ['pasien', 'konsol', 'layar', 'kios', 'mulai']) {
      const page = await get(`/${app}/`);
      expect([app, page.status, await page.text()]).toEqual([app, 200, '<!doctype html>']);
    }
    expect(asked.slice(0, 4)).toEqual(
      ['pasien', 'konsol', 'layar', 'kios'].map((app) => `/${app}/index.html`),
    );
    expect((await get('/v1/doctors')).status).toBe(503);
  });

  it('keep their settings and their zone', async () => {
    const { ask, idOf } = await createClinics(['melati']);
    const set = await askOperator(`/${idOf('melati')}`, {
      method: 'PATCH',
      body: { settings: { CORS_ORIGINS: 'https://melati.example' } },
    });
    expect(set.body.data.settings).toEqual({ CORS_ORIGINS: 'https://melati.example' });
    const answer = await ask('melati', '/v1/doctors', { headers: { Origin: 'https://melati.example' } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('https://melati.example');
  });
});

describe('the operator', () => {
  it('is known by the secret alone', async () => {
    for (const token of ['another-secret', 'another-secret-of-the-same-length-0123456789ab'])
      expect((await askHost('operator.example', '/operator/api/clinics', { token })).status).toBe(401);
    const { OPERATOR_SECRET: secret, ...without } = bindings;
    const asked = async (given: object) => {
      const front = createObjectsFront(given as ObjectBindings, mountDeployment);
      const headers = { Authorization: `Bearer ${secret}` };
      return (await front(new Request('https://operator.example/operator/api/clinics', { headers }), {}))
        .status;
    };
    expect(await asked(without)).toBe(401);
    // Too short to be a secret.
    expect(await asked({ ...without, OPERATOR_SECRET: 'short' })).toBe(401);
    expect(await asked(bindings)).toBe(200);
  });

  it('adds a clinic, whose first admin is made by its link, and cannot add its host twice', async () => {
    const body = { name: 'Klinik Kenanga', hosts: ['Kenanga.Janji.Example'], time_zone: 'Asia/Makassar' };
    const made = await askOperator('', { body });
    expect(made).toMatchObject({
      status: 201,
      body: { data: { hosts: ['kenanga.janji.example'], admin: null } },
    });
    expect(made.body.data.link).toMatch(/^https:\/\/kenanga\.janji\.example\/mulai\/#/);
    expect(await askOperator('', { body })).toMatchObject({
      status: 422,
      body: { errors: { hosts: [expect.any(String)] } },
    });
    const taken = made.body.data.id.toUpperCase();
    for (const id of ['directory', 'Other', 'kenanga-archive', 'kenanga-SANDBOX', taken])
      expect(await askOperator('', { body: { ...body, hosts: [`${id}.example`], id } })).toMatchObject({
        status: 422,
        body: { errors: { id: [expect.any(String)] } },
      });
    const listed = await askOperator('?q=kenanga');
    expect(listed.body.data.map(({ name }: { name: string }) => name)).toContain('Klinik Kenanga');
    const clinic = await askHost('kenanga.janji.example', '/v1/clinic');
    expect(clinic.body.data.time_zone).toBe('Asia/Makassar');
  });

  it('deletes a clinic only after it was closed, and for long enough', async () => {
    const { idOf, ask } = await createClinics(['melati']);
    const remove = () => askOperator(`/${idOf('melati')}`, { method: 'DELETE' });
    expect((await remove()).status).toBe(409);
    await askOperator(`/${idOf('melati')}/close`, { method: 'POST' });
    expect((await remove()).body).toMatchObject({ code: 'clinic_in_use', seconds: expect.any(Number) });
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now + 3 * minute);
    expect((await remove()).status).toBe(200);
    vi.restoreAllMocks();
    expect((await ask('melati', '/v1/doctors')).status).toBe(404);
  });
});
