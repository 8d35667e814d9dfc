import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureFormats } from '../../../src/interface/dialects.ts';
import { type Admission, createAdmission } from '../../../src/runtime/node/load/admission.ts';
import { httpServer, listen } from '../../../src/runtime/node/serve/server.ts';
import { holdToContract } from '../../support/contract.ts';

const targetMs = 25;
const state = { inFlight: 0, waitedMs: 0 };
let logged: [message: string, fields: Record<string, unknown> | undefined][];
let admission: Admission;

const make = (target = targetMs): Admission =>
  createAdmission({
    targetMs: target,
    inFlight: () => state.inFlight,
    waitedMs: () => state.waitedMs,
    originsOf: () => ['https://klinik.example'],
    formats: failureFormats,
    log: {
      debug: () => {},
      info: () => {},
      warn: (message, fields) => void logged.push([message, fields]),
      error: () => {},
    },
  });

beforeEach(() => {
  logged = [];
  Object.assign(state, { inFlight: 0, waitedMs: 0 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  admission = make();
});
afterEach(() => void vi.useRealTimers());

const silent = { writeHead: () => silent, end: () => silent } as unknown as ServerResponse;
const come = (url = '/v1/auth/profile', method = 'GET', answers = silent) =>
  admission.turnAway({ url, method, headers: {} } as IncomingMessage, answers);

/** Twenty come every five milliseconds, and those who came before wait for 100. */
const overload = (ms = 2000): void => {
  Object.assign(state, { inFlight: 300, waitedMs: 100 });
  for (let at = 0; at < ms; at += 5) {
    for (let nth = 0; nth < 20; nth++) come();
    vi.advanceTimersByTime(5);
  }
};

describe('beyond what can be carried', () => {
  it('requests are refused, and logged once', () => {
    overload();
    expect(come()).toBe(true);
    expect(logged).toEqual([['overloaded', { delay_ms: expect.any(Number), in_flight: 300 }]]);
    expect(admission.stats().refused).toBeGreaterThan(1000);
  });

  it('the refusal speaks as its path does', () => {
    overload();
    const refusedAt = (url: string): [status: number, type: unknown, body: unknown] => {
      let said: [number, unknown, unknown] = [0, null, null];
      const outgoing = {
        writeHead: (status: number, headers: Record<string, unknown>) => {
          said = [status, headers['Content-Type'], null];
          return outgoing;
        },
        end: (body: string) => {
          said = [said[0], said[1], JSON.parse(body)];
        },
      } as unknown as ServerResponse;
      expect(come(url, 'GET', outgoing)).toBe(true);
      return said;
    };
    expect(refusedAt('/fhir/r4/Slot?start=ge2026-11-23')).toEqual([
      ...[503, 'application/fhir+json; charset=utf-8'],
      expect.objectContaining({ resourceType: 'OperationOutcome' }),
    ]);
    expect(refusedAt('/bpjs/fktp/auth')).toEqual([
      ...[200, 'application/json; charset=UTF-8'],
      { metadata: { code: 201, message: expect.any(String) } },
    ]);
    expect(refusedAt('/v1/sessions')[2]).toMatchObject({ status: 'error', code: 'unavailable' });
  });

  it('as many are let in as can be carried', () => {
    overload();
    state.inFlight = 10;
    expect(come()).toBe(false);
  });

  it.each([
    ['GET', '/health'],
    ['GET', '/ready'],
    ['GET', '/ready?from=balancer'],
    ['GET', '/metrics'],
    ['OPTIONS', '/v1/bookings'],
  ])('%s %s is answered all the same', (method, url) => {
    overload();
    expect(come(url, method)).toBe(false);
    expect(come('/healthy')).toBe(true);
  });

  it('nothing is refused any more once fewer come, which is logged once', () => {
    overload();
    const { refused } = admission.stats();
    Object.assign(state, { inFlight: 0, waitedMs: 0 });
    vi.advanceTimersByTime(15_000);
    state.inFlight = 300;
    expect(come()).toBe(false);
    expect(logged.slice(1)).toEqual([['overload ended', { seconds: expect.any(Number), refused }]]);
    expect(admission.stats().delayMs).toBe(0);
  });

  it('nothing is refused where the setting is 0', () => {
    admission = make(0);
    overload();
    expect(come()).toBe(false);
  });
});

it('looks at nothing while nothing is under way', () => {
  come();
  vi.advanceTimersByTime(5);
  expect(vi.getTimerCount()).toBe(0);
});

describe('a refusal', () => {
  const ask = async (headers: Record<string, string>) => {
    overload();
    vi.useRealTimers();
    const server = httpServer(() => new Response(), '127.0.0.1', { turnAway: admission.turnAway });
    onTestFinished(() => void server.close());
    const port = await listen(server, 0, '127.0.0.1');
    return fetch(`http://127.0.0.1:${port}/v1/bookings/history`, { headers });
  };

  it('is an answer of the contract, with a sentence and when to come again', async () => {
    const response = await ask({ 'X-Request-Id': 'permintaan-1' });
    const body = await response.json();
    expect(body).toEqual({
      status: 'error',
      code: 'unavailable',
      message: 'Layanan sedang sibuk. Silakan coba beberapa saat lagi.',
      request_id: 'permintaan-1',
    });
    const { status } = response;
    const headers = new Headers(response.headers);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('X-Request-Id')).toBe('permintaan-1');
    const transport = ['connection', 'content-length', 'date', 'keep-alive'];
    for (const name of transport) headers.delete(name);
    holdToContract({ method: 'GET', path: '/v1/bookings/history', status, headers, body });
  });

  it('is in English for clients that prefer it, and can be read by our own pages elsewhere', async () => {
    const response = await ask({ 'Accept-Language': 'en', Origin: 'https://klinik.example' });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://klinik.example');
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('The service is busy') });
  });

  it('is read by nobody elsewhere', async () => {
    const response = await ask({ Origin: 'https://other.example' });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('connections that ask nothing, and one that never reads', () => {
  it('leave the service answering', async () => {
    vi.useRealTimers();
    const long = 'a'.repeat(100_000);
    const fetchOf = (request: Request) => new Response(request.url.endsWith('/long') ? long : 'well');
    const server = httpServer(fetchOf, '127.0.0.1', { turnAway: admission.turnAway });
    const port = await listen(server, 0, '127.0.0.1');
    const sockets = Array.from({ length: 500 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const [deaf] = sockets;
    deaf?.pause();
    deaf?.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000));
    for (let turn = 0; turn < 5; turn++) await sleep(0);
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(await answer.text()).toBe('well');
  });
});
