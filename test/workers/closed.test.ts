import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { freshDatabase } from '#test-database';
import { ensureClinic } from '../../src/core/clinic/row.ts';
import { doctors } from '../../src/core/tables/catalog.ts';
import { seedDemo } from '../../src/modules/demo/demo.ts';
import { rememberingHasher } from '../support/hasher.ts';
import { freshWorker } from '../support/worker-isolate.ts';

it('answers like any other failure while its settings keep it from serving', async () => {
  const worker = await freshWorker();
  const headers = { 'Accept-Language': 'en', 'X-Request-Id': 'asked-before' };
  const request = new Request('http://localhost/v1/auth/profile', { headers });
  const answer = await worker.fetch(request, { DB: env.DB, JWT_SECRET: 'too-short', LOG_LEVEL: 'silent' });
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(answer.headers.get('Content-Type')).toBe('application/json; charset=UTF-8');
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(answer.headers.get('X-Request-Id')).toBe('asked-before');
  expect(await answer.json()).toEqual({
    status: 'error',
    code: 'unavailable',
    message: 'The service is busy. Please try again in a moment.',
    request_id: 'asked-before',
  });
});

it('answers so too below FHIR and BPJS, in their own way', async () => {
  const worker = await freshWorker();
  const bindings = { DB: env.DB, JWT_SECRET: 'too-short', LOG_LEVEL: 'silent' };
  const ask = (path: string) => worker.fetch(new Request(`http://localhost${path}`), bindings);
  const fhir = await ask('/fhir/r4/metadata');
  expect([fhir.status, fhir.headers.get('Content-Type'), await fhir.json()]).toEqual([
    503,
    'application/fhir+json; charset=utf-8',
    { resourceType: 'OperationOutcome', issue: [expect.objectContaining({ code: 'transient' })] },
  ]);
  const Origin = 'https://klinik.example';
  const request = new Request('http://localhost/v1/doctors', { headers: { Origin } });
  const readable = await worker.fetch(request, { ...bindings, CORS_ORIGINS: Origin });
  expect([readable.status, readable.headers.get('Access-Control-Allow-Origin')]).toEqual([503, Origin]);
  const bpjs = await ask('/bpjs/rs/token');
  expect([bpjs.status, await bpjs.json()]).toEqual([
    200,
    { metadata: { code: 201, message: 'Layanan sedang sibuk. Silakan coba beberapa saat lagi.' } },
  ]);
});

it('answers test keys alone so where the database of its demo clinic is bound as that of the sandbox too', async () => {
  const worker = await freshWorker();
  const db = await freshDatabase();
  await ensureClinic(db, 'Asia/Jakarta');
  await seedDemo(db, rememberingHasher(), Date.now());
  const before = await db.select().from(doctors);
  const bindings = {
    DB: env.DB,
    SANDBOX_DB: env.DB,
    CLINIC_ID: 'of-a-setting',
    JWT_SECRET: 'a-secret-that-is-used-by-tests-only-0123456789',
    DATA_KEY: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
    LOG_LEVEL: 'silent',
  };
  const ask = (method: string, path: string, headers = {}) =>
    worker.fetch(new Request(`http://localhost${path}`, { method, headers }), bindings);
  const headers = { Authorization: `Bearer janji_test_${'a'.repeat(40)}` };
  expect((await ask('POST', '/v1/sandbox/reset', headers)).status).toBe(503);
  expect((await ask('GET', '/v1/doctors')).status).toBe(200);
  expect(await db.select().from(doctors)).toEqual(before);
});
