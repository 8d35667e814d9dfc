import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../../src/app.ts';
import type { Endpoint } from '../../../src/core/endpoint/endpoint.ts';
import { contracts } from '../../../src/interface/contracts.ts';
import { openApiDocument } from '../../../src/interface/reference/document.ts';
import { acceptedEncoding, compress } from '../../../src/runtime/node/serve/compress.ts';
import { httpServer, listen } from '../../../src/runtime/node/serve/server.ts';
import { createPractice } from '../../support/clinic.ts';
import { createWorld, password, registerPatient } from '../../support/world.ts';

describe('Accept-Encoding', () => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['BR;q=0.1, gzip;q=0.2', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0,gzip;q=0', null],
    ['gzip;q=0.000, *', 'br'],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *;q=0.5', 'gzip'],
    ['identity', null],
    ['identity;q=0.5, gzip;q=1.0', 'gzip'],
    ['gzip;q=0.5, identity', null],
    ['deflate', null],
    ['xgzip', null],
    ['gzip-not', null],
    ['', null],
    [' , ;,', null],
  ])('%j is answered with %s', (header, encoding) => expect(acceptedEncoding(header)).toBe(encoding));
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const serve = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const app = createApp({ ...world.deps, compress });
  const server = httpServer(app.fetch, '127.0.0.1');
  const port = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => void server.close());
  const ask = async (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
    body?: unknown,
  ): Promise<Answer> => {
    const request = httpRequest({ port, host: '127.0.0.1', path, method, agent: false });
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    if (body !== undefined) request.setHeader('Content-Type', 'application/json');
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(request, 'response');
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
  };
  const practice = await createPractice(world);
  const slots = `/v1/doctors/${practice.doctorId}/slots?from=2026-11-24&to=2026-11-30`;
  return { world, ask, practice, slots };
};

const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

describe('a large answer to a read', () => {
  it.each(['br', 'gzip'] as const)(
    'comes in %s to who takes it, the same when unpacked',
    async (encoding) => {
      const { ask, slots } = await serve();
      const plain = await ask(slots);
      const packed = await ask(slots, { 'Accept-Encoding': encoding });
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.body.length).toBeGreaterThan(10_000);
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.body.length).toBeLessThan(plain.body.length / 5);
      expect(packed.headers['content-length']).toBe(String(packed.body.length));
      expect(unpack[encoding](packed.body).equals(plain.body)).toBe(true);
      for (const { headers } of [plain, packed]) expect(headers.vary).toBe('Authorization, Accept-Encoding');
      for (const name of ['content-type', 'cache-control', 'x-content-type-options'])
        expect(packed.headers[name]).toBe(plain.headers[name]);
    },
  );

  it('has a weak tag, which is known again in whatever form it came', async () => {
    const { ask, slots } = await serve();
    const { headers } = await ask(slots, { 'Accept-Encoding': 'br' });
    expect(headers.etag).toMatch(/^W\/"[\w-]{20}"$/);
    const etag = headers.etag ?? '';
    for (const encoding of ['br', 'gzip', 'identity'])
      for (const known of [etag, etag.slice(2), `"x", ${etag}`]) {
        const again = await ask(slots, { 'Accept-Encoding': encoding, 'If-None-Match': known });
        expect([again.status, again.body.length, again.headers.vary]).toEqual([
          304,
          0,
          'Authorization, Accept-Encoding',
        ]);
        expect(again.headers.etag).toBe(etag);
        expect(again.headers['content-encoding']).toBeUndefined();
      }
  });

  it('says the same to HEAD, without a body', async () => {
    const { ask, slots } = await serve();
    const whole = await ask(slots, { 'Accept-Encoding': 'gzip' });
    const head = await ask(slots, { 'Accept-Encoding': 'gzip' }, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['content-encoding', 'content-type', 'etag', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
  });

  it('keeps what it says of origins', async () => {
    const { ask, slots } = await serve({ CORS_ORIGINS: 'https://app.klinik.example' });
    const headers = { Origin: 'https://app.klinik.example', 'Accept-Encoding': 'br' };
    const answer = await ask(slots, headers);
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.headers.vary?.split(', ').sort()).toEqual(['Accept-Encoding', 'Authorization', 'Origin']);
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.klinik.example');
    expect(JSON.parse(brotliDecompressSync(answer.body).toString()).status).toBe('success');
  });
});

describe('what is never packed', () => {
  it('is a small answer, nor one to who did not ask', async () => {
    const { world, ask, slots } = await serve();
    const { token } = await registerPatient(world);
    const small = await ask('/v1/auth/profile', {
      'Accept-Encoding': 'br',
      Authorization: `Bearer ${token}`,
    });
    expect([small.headers['content-encoding'], small.headers.vary]).toEqual([undefined, undefined]);
    expect((await ask(slots, { 'Accept-Encoding': 'br;q=0' })).headers['content-encoding']).toBeUndefined();
  });

  it('is the answer to a write, however large: there are the tokens, and what the client chose', async () => {
    const { ask } = await serve();
    const device = 'd'.repeat(255);
    const body = {
      name: 'N'.repeat(100),
      phone_number: '81234567890',
      phone_country_code: '62',
      email: `${'e'.repeat(200)}@klinik.example`,
      password,
      password_confirmation: password,
      device_id: device,
    };
    const answer = await ask('/v1/auth/register', { 'Accept-Encoding': 'br, gzip' }, 'POST', body);
    const text = answer.body.toString();
    expect([answer.status, text.includes('access_token'), text.length > 1_024]).toEqual([201, true, true]);
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, undefined]);
  });

  it('holds for every secret: no read of the interface answers with one', () => {
    const document = openApiDocument() as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
      components: { schemas: Record<string, unknown> };
    };
    const secretName = /token|secret|password|otpauth|recovery|private|api_key/i;
    /** Whether some field of that name says more than yes or no, which gives no secret away. */
    const holdsSecret = (part: unknown): boolean =>
      typeof part === 'object' &&
      part !== null &&
      Object.entries(part as Record<string, { type?: unknown } | null>).some(
        ([name, field]) => (secretName.test(name) && field?.type !== 'boolean') || holdsSecret(field),
      );
    /** A part of the document and every shape that it refers to. */
    const wholeOf = (part: unknown, seen = new Set<string>()): unknown[] => {
      const refs = [...JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)];
      const fresh = refs.map(([, name = '']) => name).filter((name) => !seen.has(name));
      for (const name of fresh) seen.add(name);
      return [part, ...fresh.flatMap((name) => wholeOf(document.components.schemas[name], seen))];
    };
    const answersOf = ({ method, path }: Endpoint) =>
      Object.entries(document.paths[path]?.[method]?.responses ?? {})
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, answer]) => wholeOf(answer));
    const all = Object.entries<Endpoint>(contracts);
    const withSecret = all.filter(([, contract]) => answersOf(contract).some(holdsSecret));
    // Those that hand out tokens are found at all.
    expect(withSecret.map(([name]) => name)).toEqual(
      expect.arrayContaining(['Register', 'LogIn', 'Refresh']),
    );
    // The poster's secret hangs on a wall of the clinic, and nothing that a client chose stands beside it in the answer.
    expect(withSecret.filter(([, { method }]) => method === 'get').map(([name]) => name)).toEqual([
      'GetPoster',
    ]);
  });
});
