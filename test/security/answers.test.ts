import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/core/endpoint/errors.ts';
import { createPerson } from '../support/people.ts';
import { createScene, endpoints, nameOf, tokenFor } from '../support/scene.ts';
import { requestPath } from '../support/shapes.ts';
import { createWorld, type Got, password, registerPatient, type Sent, type World } from '../support/world.ts';

const app = 'https://app.klinik.example';
const other = 'https://kasir.klinik.example:8443';
const settings = { CORS_ORIGINS: `${app}, ${other}` };

const preflight = (world: World, origin: string, method = 'POST', headers = 'authorization,content-type') =>
  world.request('/v1/bookings', {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': headers,
    },
  });

const corsOf = ({ headers }: Got) => [...headers].filter(([name]) => name.startsWith('access-control-'));

describe('pages of other origins', () => {
  it.each([app, other])('may read answers when the setting names them exactly: %s', async (origin) => {
    const world = await createWorld(settings);
    const answer = await world.request('/v1/sessions', { headers: { Origin: origin } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(answer.headers.get('Vary')).toContain('Origin');
    expect(answer.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });

  it.each([
    'https://evil.example',
    'http://app.klinik.example',
    'https://app.klinik.example:444',
    'https://app.klinik.example.evil.example',
    'https://evil-app.klinik.example',
    'https://APP.klinik.example',
    'https://sub.app.klinik.example',
    'null',
    '*',
    '',
  ])('may not, when the setting does not: %s', async (origin) => {
    const world = await createWorld(settings);
    expect((await preflight(world, origin)).headers.get('Access-Control-Allow-Origin')).toBeNull();
    const answer = await world.request('/v1/sessions', { headers: { Origin: origin } });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(answer.headers.get('Vary')).toContain('Origin');
  });

  it('may not at all, when the setting is empty', async () => {
    const world = await createWorld();
    expect(corsOf(await world.request('/v1/sessions', { headers: { Origin: app } }))).toEqual([]);
    expect(corsOf(await preflight(world, app))).toEqual([]);
  });

  it.each(['GET', 'POST', 'PATCH', 'DELETE'])('get a preflight answer that allows %s', async (method) => {
    const world = await createWorld(settings);
    const requested = 'authorization,content-type,idempotency-key,if-none-match,x-request-id,accept-language';
    const answer = await preflight(world, app, method, requested);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('Access-Control-Allow-Methods')).toContain(method);
    expect(answer.headers.get('Access-Control-Allow-Headers')?.toLowerCase()).toBe(requested);
    expect(answer.headers.get('Access-Control-Max-Age')).toBe('600');
  });

  it('are refused by an answer with the usual headers and request id', async () => {
    const world = await createWorld(settings);
    const headers = { Origin: app, 'Access-Control-Request-Method': 'POST', 'X-Request-Id': 'asked-before' };
    const answer = await world.request('/v1/bookings', { method: 'OPTIONS', headers });
    expect([answer.status, isGuardedWell(answer)]).toEqual([204, []]);
    expect(answer.headers.get('X-Request-Id')).toBe('asked-before');
  });

  it('change nothing about OPTIONS that asks nothing of the kind', async () => {
    const world = await createWorld(settings);
    const answer = await world.request('/v1/bookings', { method: 'OPTIONS', headers: { Origin: app } });
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await world.request('/v1/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  it('may read the headers that tell of limits, pages, replays, devices and requests', async () => {
    const world = await createWorld(settings);
    const answer = await world.request('/v1/sessions', { headers: { Origin: app } });
    expect(answer.headers.get('Access-Control-Expose-Headers')?.split(',').sort()).toEqual([
      'Deprecation',
      'ETag',
      'Idempotency-Replayed',
      'Link',
      'Location',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Sunset',
      'X-Device-Token',
      'X-Request-Id',
      'X-Sandbox',
    ]);
  });

  it.each([
    ['401', '/v1/auth/profile', {}],
    ['404', '/v1/nothing', {}],
    ['405', '/v1/sessions', { method: 'DELETE' }],
    ['413', '/v1/auth/login', { raw: ' '.repeat(65_537) }],
    ['422', '/v1/auth/login', { body: {} }],
  ] as const)('may read failures, too: %s', async (status, path, sent: Sent) => {
    const world = await createWorld(settings);
    const answer = await world.request(path, { ...sent, headers: { Origin: app } });
    expect(answer.status).toBe(Number(status));
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(app);
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-Request-Id');
  });

  it('are never allowed by a setting that names no exact origin', async () => {
    for (const list of ['*', 'https://*.klinik.example', 'klinik.example', `${app}/`, `${app}/path`, 'null'])
      await expect(createWorld({ CORS_ORIGINS: list })).rejects.toThrow('CORS_ORIGINS');
  });
});

/** Every header of an answer that is data, and no other: all of them go with each answer. */
const guards: Readonly<Record<string, RegExp>> = {
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /^frame-ancestors 'none'$/,
  'referrer-policy': /^no-referrer$/,
  'strict-transport-security': /^max-age=31536000; includeSubDomains$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'x-request-id': /^[\w-]{8,128}$/,
  'cache-control':
    /^(no-store(, no-transform)?|(public|private), no-cache|public, max-age=0, s-maxage=(2|60|3, stale-while-revalidate=10))$/,
};

/** Additional headers of single answers. */
const occasional = new Set([
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'allow',
  'content-disposition',
  'content-language',
  'content-length',
  'content-type',
  'etag',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'vary',
  'www-authenticate',
]);

const isGuardedWell = ({ headers }: Got): string[] => {
  const missing = Object.entries(guards)
    .filter(([name, form]) => !form.test(headers.get(name) ?? ''))
    .map(([name]) => name);
  const needless = [...headers.keys()].filter((name) => !(name in guards) && !occasional.has(name));
  return [...missing, ...needless];
};

describe('every answer carries the headers that protect data, and no others', () => {
  it('of every route, when it goes well and when nobody is logged in', async () => {
    const scene = await createScene();
    for (const contract of endpoints.filter(({ method }) => method === 'get'))
      for (const token of [tokenFor(scene, contract), undefined]) {
        const answer = await scene.world.request(requestPath(scene, contract), { token });
        expect(`${nameOf(contract)} ${isGuardedWell(answer)}`).toBe(`${nameOf(contract)} `);
      }
  });

  it.each([
    ['400', '/v1/auth/login', { raw: '{' }],
    ['404', '/v1/nothing', {}],
    ['405', '/v1/sessions', { method: 'DELETE' }],
    ['413', '/v1/auth/login', { raw: ' '.repeat(65_537) }],
    ['415', '/v1/auth/login', { raw: 'x', headers: { 'Content-Type': 'text/plain' } }],
    ['422', '/v1/auth/login', { body: {} }],
  ] as const)('of a %s', async (status, path, sent: Sent) => {
    const world = await createWorld();
    const answer = await world.request(path, sent);
    expect([answer.status, isGuardedWell(answer)]).toEqual([Number(status), []]);
  });

  it.each([
    ['500', new Error('gangguan')],
    ['503', new Failure('unavailable')],
  ] as const)('of a %s', async (status, error) => {
    const world = await createWorld({ LOG_LEVEL: 'silent' });
    const { token } = await createPerson(world);
    world.deps.clock = () => {
      throw error;
    };
    const answer = await world.request('/v1/auth/profile', { token });
    expect([answer.status, isGuardedWell(answer)]).toEqual([Number(status), []]);
  });

  it('of a 429, which says when to come again', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const body = { email: 'nobody@klinik.example', password: 'wrong-password' };
    for (let nth = 0; nth < 5; nth++) await world.request('/v1/auth/login', { body });
    const answer = await world.request('/v1/auth/login', { body });
    expect([answer.status, isGuardedWell(answer)]).toEqual([429, []]);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

it('an answer with tokens asks every proxy, and the platform, to send it as it is', async () => {
  const world = await createWorld();
  const { email, refreshToken, token } = await registerPatient(world);
  const answers = [
    await world.request('/v1/auth/login', { body: { email, password } }),
    await world.request('/v1/auth/refresh', { body: { refresh_token: refreshToken } }),
  ];
  for (const { status, headers } of answers)
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store, no-transform']);
  const read = await world.request('/v1/auth/profile', { token });
  expect(read.headers.get('Cache-Control')).toBe('no-store');
});
