import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createRequestLines } from '../../../src/runtime/node/serve/request-lines.ts';
import { httpServer, listen, startServer } from '../../../src/runtime/node/serve/server.ts';
import type { Fetch } from '../../../src/runtime/node/serve/tracked.ts';
import { parseAllSettings } from '../../../src/runtime/node/settings.ts';
import { holdToFhir } from '../../support/fhir-validators.node.ts';
import { until } from '../../support/node/embedded-files.ts';

let server: Server;
let port: number;
/** The server's end of the newest connection. */
let theirs: Socket;
const waits = '/fhir/r4/waits';
const fetch = async (request: Request): Promise<Response> => {
  if (new URL(request.url).pathname === waits) return new Promise(() => {});
  return Response.json({ body: await request.text() });
};
beforeEach(async () => {
  server = httpServer(fetch, '127.0.0.1', { lines: createRequestLines() });
  server.on('connection', (socket: Socket) => {
    theirs = socket;
  });
  port = await listen(server, 0, '127.0.0.1');
});
afterEach(() => void server.close());

/** The last answer of a connection that sends these texts, each once the server has read those before. */
const lastAnswerTo = async (...packets: readonly string[]) => {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const [received] = [text(socket), await once(socket, 'connect')];
  let sent = 0;
  for (const packet of packets) {
    socket.write(packet);
    sent += packet.length;
    await until(() => theirs.destroyed || theirs.bytesRead === sent);
  }
  const answer = (await received).split(/(?=HTTP\/1\.1 )/).at(-1) ?? '';
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
};

const line = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n`;
const whole = (path: string) => `${line(path)}\r\n`;
const posted = (path: string, body: string, length = body.length) =>
  `${line(path, 'POST')}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
const chunked = (path: string, body: string) =>
  `${line(path, 'POST')}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const tooLong = `X-A: ${'a'.repeat(20_000)}\r\n\r\n`;
const broken = 'X-A: a\0b\r\n\r\n';

const sendings: [string, (path: string) => string[]][] = [
  ['headers too long', (path) => [line(path), tooLong]],
  [
    'headers too long, in many packets',
    (path) => [line(path), ...(`X-A: ${'a'.repeat(20_000)}`.match(/.{1,3000}/g) ?? [])],
  ],
  ['a broken header', (path) => [line(path), broken]],
  [
    'a target in two packets',
    (path) => [`GET ${path.slice(0, 4)}`, `${path.slice(4)} HTTP/1.1\r\n${broken}`],
  ],
  ['a target too long', (path) => [`GET ${path}?a=`, 'a'.repeat(10_000), 'a'.repeat(10_000)]],
  ['a method that Node does not know', (path) => [`${line(path, 'get')}\r\n`]],
  ['behind empty lines', (path) => ['\r\n', line(path), broken]],
  ['the name of a path in a header', (path) => [`${line(path)}X-B: GET /v1/doctors HTTP/1.1\r\n`, broken]],
  ['the second of a connection', (path) => [whole('/health'), line(path), broken]],
  ['behind a body', (path) => [posted('/v1/login', '{"a":\r\n\r\n1}'), line(path), broken]],
  ['behind a body of two packets', (path) => [posted('/v1/login', '{"a', 7), `":1}${line(path)}`, broken]],
  ['behind a chunked body', (path) => [chunked('/v1/login', '{"a":\r\n\r\n1}') + line(path), broken]],
  ['behind a head of two packets', (path) => [`${line('/health')}\r`, `\n${line(path)}`, broken]],
];

describe('a request whose line came in an earlier packet', () => {
  it.each(sendings)('is refused as its path speaks: %s', async (_name, packets) => {
    const fhir = await lastAnswerTo(...packets('/fhir/r4/Slot'));
    expect([fhir.status >= 400, fhir.body.resourceType]).toEqual([true, 'OperationOutcome']);
    await holdToFhir(fhir.body);
    const bpjs = await lastAnswerTo(...packets('/bpjs/rs/antrean/sisa'));
    expect([bpjs.status, bpjs.body]).toEqual([
      200,
      { metadata: { code: 201, message: expect.stringMatching(/^Header permintaan .*\.$/) } },
    ]);
    const own = await lastAnswerTo(...packets('/v1/doctors'));
    expect([own.status >= 400, own.body.status]).toEqual([true, 'error']);
  });

  it('of a HEAD is refused without a body', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(line('/v1/doctors', 'HEAD') + tooLong);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 431 [\s\S]*\r\n\r\n$/);
  });

  it('is refused so, too, when the rest of it does not come in time', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(server, 'connection');
    socket.write(line('/fhir/r4/Slot'));
    await until(() => theirs.bytesRead > 0);
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), theirs);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*"resourceType":"OperationOutcome"/s);
  });

  it('is not taken for the one before it on its connection', async () => {
    const { body } = await lastAnswerTo(whole('/fhir/r4/metadata'), '\0');
    expect(body).toMatchObject({ status: 'error', code: 'invalid_header' });
  });

  it('is answered as the one before it where that has no answer yet: it takes its place', async () => {
    const { body } = await lastAnswerTo(`${whole(waits)}${line('/v1/doctors')}`, broken);
    expect(body.resourceType).toBe('OperationOutcome');
  });
});

it.each([
  ['nothing is on', {}, 1],
  ['FHIR is on', { FHIR: 'on', PUBLIC_URL: 'https://klinik.example' }, 2],
  ['BPJS is on', { BPJS: 'rs' }, 2],
  ['clinics may have either', { CLINICS: 'files' }, 2],
])('packets are followed only where a dialect may be spoken: %s', async (_name, settings, listeners) => {
  const requests = { tracking: (each: Fetch) => each };
  const watching = { requests, arrivals: { of: () => {} }, turnAway: () => false };
  const parsed = parseAllSettings({ HOST: '127.0.0.1', PORT: '0', ...settings });
  const started = await startServer(fetch, parsed, watching);
  onTestFinished(() => void started.server.close());
  const [[arrived]] = await Promise.all([
    once(started.server, 'connection'),
    once(connect(started.port, '127.0.0.1').end(), 'close'),
  ]);
  expect((arrived as Socket).listenerCount('data')).toBe(listeners);
});
