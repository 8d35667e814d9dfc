import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SettingError } from '../../../src/core/settings/parse-settings.ts';
import { introduction } from '../../../src/interface/reference/words.ts';
import { httpServer, listen } from '../../../src/runtime/node/serve/server.ts';
import { holdToFhir } from '../../support/fhir-validators.node.ts';
import { createWorld } from '../../support/world.ts';

let server: Server;
let port: number;
beforeEach(async () => {
  const { app } = await createWorld();
  server = httpServer(app.fetch, '127.0.0.1');
  port = await listen(server, 0, '127.0.0.1');
});
afterEach(() => void server.close());

/** The answer to these bytes until the server closes. */
const answerTo = async (sent: string) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(sent);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((one) => one.split(': ') as [string, string]));
  return { status: Number(line.split(' ')[1]), headers, body };
};

const get = (headers: string, target = '/health') => `GET ${target} HTTP/1.1\r\n${headers}\r\n\r\n`;
const closing = 'Host: x\r\nConnection: close';

describe('what cannot be read', () => {
  it.each([
    ['no HTTP', 'HALO\r\n\r\n', 400, 'invalid_header'],
    ['a method that nobody knows', `HALO /health HTTP/1.1\r\n${closing}\r\n\r\n`, 400, 'invalid_header'],
    ['no host', get('Connection: close'), 400, 'invalid_header'],
    ['two hosts', get(`${closing}\r\nHost: y`), 400, 'invalid_header'],
    ['one host twice', get(`${closing}\r\nhOST: x`), 400, 'invalid_header'],
    ['two hosts of HTTP/1.0', 'GET /health HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n', 400, 'invalid_header'],
    ['a host that is none', get('Host: a b/c?\r\nConnection: close'), 400, 'invalid_header'],
    ['a target that is none', get(closing, 'http://[::z/health'), 400, 'invalid_header'],
    ['a NUL in a header', get(`${closing}\r\nX-Request-Id: a\0b`), 400, 'invalid_header'],
    ['two lengths', get(`${closing}\r\nContent-Length: 2\r\nContent-Length: 3`), 400, 'invalid_header'],
    ['a header of 20,000 bytes', get(`${closing}\r\nX-A: ${'a'.repeat(20_000)}`), 431, 'headers_too_large'],
    ['a URL of 20,000 bytes', get(closing, `/health?${'a'.repeat(20_000)}`), 431, 'headers_too_large'],
  ])('is refused in the envelope of all failures: %s', async (_name, sent, status, code) => {
    const answer = await answerTo(sent);
    expect([answer.status, answer.headers.get('Connection')]).toEqual([status, 'close']);
    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=UTF-8');
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(Date.parse(answer.headers.get('Date') ?? '')).toBeGreaterThan(0);
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(answer.headers.get('Content-Language')).toBe('id');
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 'error',
      code,
      message: expect.stringMatching(/^Header permintaan .*\.$/),
      request_id: answer.headers.get('X-Request-Id'),
    });
    expect(introduction.replaceAll(/\s+/g, ' ')).toContain(`${status} \`${code}\``);
  });

  it.each([
    ['no host', (path: string) => get('Connection: close', path)],
    ['a method that nobody knows', (path: string) => `HALO ${path} HTTP/1.1\r\n${closing}\r\n\r\n`],
    ['a host that is none', (path: string) => get('Host: a b/c?\r\nConnection: close', path)],
    ['a NUL in a header', (path: string) => get(`${closing}\r\nX-A: a\0b`, path)],
    ['a header of 20,000 bytes', (path: string) => get(`${closing}\r\nX-A: ${'a'.repeat(20_000)}`, path)],
    ['a URL of 20,000 bytes', (path: string) => get(closing, `${path}?a=${'a'.repeat(20_000)}`)],
  ])('is refused below a dialect as that is written: %s', async (_name, sent) => {
    const fhir = await answerTo(sent('/fhir/r4/Slot'));
    expect([fhir.headers.get('Content-Type'), JSON.parse(fhir.body).resourceType]).toEqual([
      'application/fhir+json; charset=utf-8',
      'OperationOutcome',
    ]);
    await holdToFhir(JSON.parse(fhir.body));
    expect(fhir.status).toBeGreaterThanOrEqual(400);
    const bpjs = await answerTo(sent('/bpjs/rs/antrean/sisa'));
    expect([bpjs.status, JSON.parse(bpjs.body)]).toEqual([
      200,
      { metadata: { code: 201, message: expect.stringMatching(/^Header permintaan .*\.$/) } },
    ]);
  });

  it('is answered so when it does not come in time', async () => {
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), {
      writable: true,
      write: (answer: string) => expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s),
      destroySoon: () => {},
    });
    expect.assertions(1);
  });

  it('never falls into an answer that has begun', async () => {
    const written: string[] = [];
    server.emit('clientError', new Error(), {
      writable: true,
      _httpMessage: { headersSent: true },
      write: (answer: string) => written.push(answer),
      destroySoon: () => written.push('closed'),
    });
    expect(written).toEqual(['closed']);
  });

  it('is no HTTP/1.0 without a host, as checks of health speak it', async () => {
    expect((await answerTo('GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('is no expectation: one that nobody knows is let be', async () => {
    expect((await answerTo(get(`${closing}\r\nExpect: miracles`))).status).toBe(200);
  });
});

describe('a connection between two requests', () => {
  it('stays open for longer than proxies keep it, and says so', async () => {
    const { headers } = await fetch(`http://127.0.0.1:${port}/health`);
    const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('Keep-Alive') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(120);
    expect(server.keepAliveTimeout).toBe(Number(seconds) * 1000);
  });
});

describe('listening', () => {
  it.each([
    ['PORT', '127.0.0.1', () => (server.address() as AddressInfo).port],
    ['HOST', '192.0.2.1', () => 0],
    ['HOST', 'nowhere.invalid', () => 0],
  ])('names %s when it is in the way: %s', async (name, host, wanted) => {
    const other = httpServer(() => new Response(), host);
    const refusal = await listen(other, wanted(), host).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SettingError);
    expect((refusal as Error).message).toMatch(new RegExp(`^${name} .*\\.$`));
  });
});
