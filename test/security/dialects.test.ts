import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../src/core/endpoint/errors.ts';
import { bpjsContracts } from '../../src/modules/bpjs/inbound/contract.ts';
import { fhirContracts } from '../../src/modules/fhir/contract.ts';
import { anyText, anything } from '../support/arbitrary-texts.ts';
import { book, createClinic } from '../support/clinic-people.ts';
import { publicUrl } from '../support/fhir.ts';
import { addKey } from '../support/keys.ts';
import { createMobileJkn } from '../support/peers/mobile-jkn.ts';
import { createWorld, runtime, type Sent } from '../support/world.ts';
import { runs } from '../support/zones.ts';

// `world.request` itself holds every answer to its dialect (test/support/dialects.ts): an answer that is no FHIR, or no
// envelope of BPJS with HTTP 200, fails the request that got it.

/** A clinic that speaks both, with a key that may do everything of both. */
const createBoth = async (settings: Record<string, string> = {}) => {
  const world = await createWorld({ FHIR: 'on', PUBLIC_URL: publicUrl, BPJS: 'rs', ...settings });
  const clinic = await createClinic(world);
  const key = await addKey(world, ['fhir:read', 'fhir:write', 'antrean:write']);
  const mobile = createMobileJkn(world, 'rs', key);
  await mobile.login();
  const headers = { 'x-username': key.id, 'x-token': mobile.token ?? '' };
  const ask = (path: string, sent: Sent = {}) =>
    world.request(path, {
      ...(path.startsWith('/fhir') && { token: key.token }),
      ...sent,
      headers: { ...(path.startsWith('/bpjs') ? headers : {}), ...sent.headers },
    });
  return { world, clinic, ask };
};

const bases = [
  ['/fhir/r4', '/fhir/r4/Appointment'],
  ['/bpjs', '/bpjs/rs/antrean/ambil'],
] as const;

describe.each(bases)('no refusal below %s is written in another way', (base, post) => {
  it('not of an unknown path, a wrong method, a body that is too long, of another type or no JSON, or a long URL', async () => {
    const { ask } = await createBoth();
    const raw = (text: string, type = 'application/json') =>
      ({ method: 'POST', raw: text, headers: { 'Content-Type': type } }) satisfies Sent;
    const refusals: [string, Sent?][] = [
      [base],
      [`${base}/`],
      [`${base}/tidak/ada`],
      [`${base}/%E0%A4%A`],
      [`${base}/${'a'.repeat(9_000)}`],
      [`${post}?${'a'.repeat(9_000)}`, raw('{}')],
      [`${base}//Patient`],
      ...['DELETE', 'PATCH', 'PROPFIND'].map((method): [string, Sent] => [post, { method }]),
      [post, raw('{')],
      [post, raw('[]')],
      [post, raw('null')],
      [post, raw('')],
      [post, raw('"teks"')],
      [post, raw(`{"a":${'['.repeat(30_000)}`)],
      [post, raw(`{"a":"${'a'.repeat(70_000)}"}`)],
      [post, raw('<a/>', 'application/fhir+xml')],
      [post, raw('a=b', 'application/x-www-form-urlencoded')],
      [post, raw('{}', 'keine')],
      [post, { ...raw('{}'), token: 'salah', headers: { 'x-token': 'salah' } }],
      [post, { ...raw('{}'), headers: { Accept: 'application/fhir+xml' } }],
      [post, { ...raw('{}'), headers: { 'Idempotency-Key': 'a'.repeat(9_000) } }],
    ];
    for (const [path, sent] of refusals) {
      const { status, body } = await ask(path, sent);
      const refused = base === '/bpjs' ? body.metadata.code === 201 : status >= 400 && status < 500;
      expect([path.slice(0, 60), sent?.method, refused]).toEqual([path.slice(0, 60), sent?.method, true]);
    }
    const head = await ask(`${base}/tidak/ada`, { method: 'HEAD' });
    expect(head.body).toBe('');
  });

  it('not 429, 500 or 503', async () => {
    const { world, ask } = await createBoth({ RATE_LIMIT: 'on', API_KEY_REQUESTS_PER_MINUTE: '2' });
    const body = { resourceType: 'Appointment' };
    const codes = new Set<string>();
    for (let nth = 0; nth < 4; nth++) codes.add(JSON.stringify((await ask(post, { body })).body));
    expect([...codes].some((text) => /Terlalu banyak|throttled/.test(text))).toBe(true);
    world.deps.log.error = () => {};
    world.deps.log.warn = () => {};
    const { batch } = world.deps.db;
    for (const [broken, status] of [
      [new Error('broken'), 500],
      [new Unavailable('gone'), 503],
    ] as const) {
      world.clock.now += 3_600_000;
      world.deps.db.batch = () => Promise.reject(broken);
      const answer = await ask(post, { body });
      world.deps.db.batch = batch;
      expect(answer.status).toBe(base === '/bpjs' ? 200 : status);
    }
  });
});

const paths = [...fhirContracts, ...bpjsContracts].map(({ path }) => path);
const values = fc.oneof(
  anyText,
  fc.constantFrom('Patient', 'Slot', 'ge2026-11-24', '2026-11-23', 'ANA', '12346', '08:00-16:00', '50', '-1'),
);
const field = fc.tuple(
  fc.constantFrom(
    ...['_id', '_count', '_include', '_format', '_summary', 'start', 'date', 'patient', 'identifier'],
    ...['status', 'actor', 'cursor', 'kodepoli', 'tanggalperiksa', 'nik', 'kodebooking', 'resourceType'],
    ...['participant', 'slot', 'parameter', 'comment', 'jampraktek', 'kodedokter', 'meta', 'id'],
  ),
  fc.oneof(values, anything),
);
const inUrl = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed());
};
const drafted = fc.record({
  path: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...paths) },
    { weight: 1, arbitrary: fc.constantFrom('/fhir/r4/X', '/bpjs/rs/x/y') },
  ),
  inPath: values,
  method: fc.constantFrom('GET', 'POST', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD'),
  query: fc.array(field, { maxLength: 3 }),
  body: fc.oneof(fc.array(field, { maxLength: 6 }).map(Object.fromEntries), anything),
  type: fc.constantFrom(
    'application/fhir+json',
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/fhir+xml',
  ),
  accept: fc.constantFrom('application/fhir+json', '*/*', 'application/fhir+xml', ''),
  prefer: fc.constantFrom('', 'handling=strict', 'return=minimal', 'return=representation'),
  who: fc.constantFrom('key', 'key', 'key', 'patient', 'doctor', 'none'),
});

/** A search that is refused for what it asks: of 300 random requests it may be that none is. */
const refusedSearch: typeof drafted extends fc.Arbitrary<infer T> ? T : never = {
  path: '/fhir/r4/Patient',
  inPath: '',
  method: 'GET',
  query: [['_count', 'keine']],
  body: {},
  type: 'application/fhir+json',
  accept: '*/*',
  prefer: '',
  who: 'key',
};

it('whatever comes is answered as its dialect speaks, and never with a failure of the service', async () => {
  const { world, clinic, ask } = await createBoth();
  await book(world, clinic);
  const mix = new Map<number, number>();
  const property = fc.asyncProperty(drafted, async (draft) => {
    const { inPath, method, query, body, type, accept, prefer, who } = draft;
    const mayCarry = !['GET', 'HEAD'].includes(method);
    const path = draft.path.replaceAll(/\{\w+\}/g, inUrl(inPath));
    const pairs = query.map(([name, value]) => `${name}=${inUrl(value)}`).join('&');
    const { status } = await ask(`${path}${pairs && '?'}${pairs}`, {
      method,
      headers: { Accept: accept, Prefer: prefer, 'Content-Type': type },
      ...(mayCarry && { raw: typeof body === 'string' ? body : (JSON.stringify(body) ?? '') }),
      ...(who === 'none' && { token: undefined, headers: { 'x-token': '' } }),
      ...((who === 'patient' || who === 'doctor') && { token: clinic[who].token }),
    });
    mix.set(status, (mix.get(status) ?? 0) + 1);
    if (status >= 500) throw new Error(`${method} ${path}?${pairs}: ${status}`);
  });
  await fc.assert(property, {
    numRuns: runs(runtime === 'node' ? 1_500 : 300),
    examples: [[refusedSearch]],
  });
  // They came further than the first check.
  expect([...mix.keys()]).toEqual(expect.arrayContaining([200, 400, 404]));
});
