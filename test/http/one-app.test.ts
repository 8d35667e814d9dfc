import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/core/settings/config.ts';
import { fhirFormat } from '../../src/modules/fhir/dialect.ts';
import { createWorld } from '../support/world.ts';

const settingsOf = (host: string, more: Record<string, string> = {}) =>
  parseConfig({ LOG_LEVEL: 'error', RATE_LIMIT: 'off', PUBLIC_URL: `https://${host}`, ...more });

/** Two clinics of one process, whose parts are the same or not. */
const twoClinics = async (first: Record<string, string>, second: Record<string, string>) => {
  const { deps } = await createWorld();
  const counted: string[] = [];
  return {
    counted,
    clinics: [
      ['melati.example', first],
      ['anggrek.example', second],
    ].map(([host, settings]) => {
      const config = settingsOf(host as string, settings as Record<string, string>);
      const metrics = { ...deps.metrics, request: () => void counted.push(host as string) };
      return createApp({ ...deps, config, metrics });
    }),
  };
};

it('clinics with the same parts have one app, and each is answered and counted as its own', async () => {
  const origins = { CORS_ORIGINS: 'https://melati.example', FHIR: 'on' };
  const others = { CORS_ORIGINS: 'https://anggrek.example', FHIR: 'on' };
  const { clinics, counted } = await twoClinics(origins, others);
  const [melati, anggrek] = clinics as [(typeof clinics)[0], (typeof clinics)[0]];
  expect(melati.routes).toBe(anggrek.routes);
  for (const [app, own, other] of [
    [melati, 'https://melati.example', 'https://anggrek.example'],
    [anggrek, 'https://anggrek.example', 'https://melati.example'],
  ] as const) {
    const allowed = async (origin: string, init: RequestInit = {}) =>
      (
        await app.request('/v1/doctors', { ...init, headers: { Origin: origin, ...init.headers } })
      ).headers.get('Access-Control-Allow-Origin');
    expect(await allowed(own)).toBe(own);
    expect(await allowed(other)).toBeNull();
    const preflight = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } };
    expect(await allowed(own, preflight)).toBe(own);
    expect(await allowed(other, preflight)).toBeNull();
    const statement = (await (await app.request('/fhir/r4/metadata')).json()) as {
      implementation: { url: string };
    };
    expect(statement.implementation.url).toBe(`${own}/fhir/r4`);
  }
  expect(counted).toEqual([...Array(5).fill('melati.example'), ...Array(5).fill('anggrek.example')]);
});

it('clinics with other parts have other apps: what one has switched on, the other does not serve', async () => {
  const { clinics } = await twoClinics({ FHIR: 'on' }, {});
  const [melati, anggrek] = clinics as [(typeof clinics)[0], (typeof clinics)[0]];
  expect(melati.routes).not.toBe(anggrek.routes);
  expect((await melati.request('/fhir/r4/metadata')).status).toBe(200);
  expect((await anggrek.request('/fhir/r4/metadata')).status).toBe(404);
});

it('a resource that was made names its place at the clinic that was asked', () => {
  const written = fhirFormat.writeSuccess(
    { status: 201, data: { resourceType: 'Appointment', id: 'a', meta: { versionId: '1' } } },
    {
      language: 'id',
      requestId: 'r',
      header: () => undefined,
      query: () => undefined,
      method: 'POST',
      path: '/fhir/r4/Appointment',
      publicUrl: () => 'https://melati.example',
    },
  );
  expect(written.headers?.Location).toBe('https://melati.example/fhir/r4/Appointment/a/_history/1');
});
