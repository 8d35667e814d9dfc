import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { deliverWebhooks } from '../../../src/modules/webhooks/delivery/deliver.ts';
import { isReceipt } from '../../../src/modules/webhooks/delivery/rules.ts';
import {
  gatewaySender,
  lookupFor,
  sharedLookup,
  webhookSender,
} from '../../../src/runtime/node/webhooks/webhook-sender.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { createPerson } from '../../support/people.ts';
import { createEndpoint, verifyMessage } from '../../support/receiver.ts';
import { createWorld } from '../../support/world.ts';

let server: Server | undefined;
const listen = async (handle: (request: IncomingMessage, response: ServerResponse) => void) => {
  server = createServer(handle);
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};
const repeated: NodeJS.Timeout[] = [];
const repeat = (write: () => unknown): void => void repeated.push(setInterval(write, 5));
afterEach(() => {
  for (const timer of repeated.splice(0)) clearInterval(timer);
  server?.closeAllConnections();
  server?.close();
});

const message = (url: string) => ({
  url,
  headers: { 'Content-Type': 'application/json' },
  body: '{"a":"é"}',
});
const send = webhookSender(true);

describe('the sender on Node', () => {
  it('delivers a real event that the reference verifier takes', async () => {
    const world = await createWorld({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    world.deps.sendWebhook = send;
    const got: { headers: Record<string, string>; body: string }[] = [];
    const url = await listen(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      got.push({
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      });
      response.writeHead(204).end();
    });
    const { secret } = await createEndpoint(world, { url });
    const { token } = await createPerson(world);
    await world.request('/v1/bookings', { token, body: bookingInput(await createPractice(world)) });
    await deliverWebhooks(world.deps);
    expect(got).toHaveLength(1);
    const [event] = got;
    verifyMessage(secret, world.clock.now, event?.body ?? '', event?.headers ?? {});
  });

  it('follows no redirect', async () => {
    const paths: unknown[] = [];
    const url = await listen(({ url: path }, response) => {
      paths.push(path);
      response.writeHead(307, { Location: '/inside' }).end();
    });
    expect(await send(message(url))).toEqual({ status: 307 });
    expect(paths).toEqual(['/']);
  });

  it.each([
    ['120', { status: 503, retryAfterMs: 120_000 }],
    ['999999', { status: 503, retryAfterMs: 3_600_000 }],
    ['Mon, 23 Nov 2026 00:00:00 GMT', { status: 503 }],
    ['0', { status: 503 }],
  ])('reads Retry-After: %s as %j', async (value, outcome) => {
    const url = await listen((_request, response) => {
      response.writeHead(503, { 'Retry-After': value }).end();
    });
    expect(await send(message(url))).toEqual(outcome);
  });

  it.each([
    ['with the header', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['without the header', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ])('ends at a receiver that switches protocols, %s, and calls it no receipt', async (_how, answer) => {
    const url = await listen((request) => request.socket.write(answer));
    const outcome = await webhookSender(true, 5_000)(message(url));
    expect(isReceipt(outcome)).toBe(false);
    expect(outcome).toEqual({ status: 101 });
  });

  it.each([
    ['says nothing', () => {}],
    [
      'says again and again that it works',
      (socket: Socket) => repeat(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n')),
    ],
    [
      'sends its headers byte by byte',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX: ');
        repeat(() => socket.write('a'));
      },
    ],
  ])('ends by its time limit at a receiver that %s', async (_how, answer) => {
    const url = await listen(({ socket }) => answer(socket));
    expect(await webhookSender(true, 150)(message(url))).toEqual({ failure: 'timeout' });
  });

  it('takes a receipt from the headers, and reads the beginning of a body that comes byte by byte', async () => {
    let isClosed = () => {};
    const closed = new Promise<void>((resolve) => {
      isClosed = resolve;
    });
    const url = await listen(({ socket }, response) => {
      socket.on('close', isClosed);
      response.writeHead(200);
      repeat(() => response.write('a'));
    });
    expect(await webhookSender(true, 60_000)(message(url))).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^a+$/),
    });
    await closed;
  });

  it('ends and lets go of the connection when the caller waits no longer', async () => {
    const ending = new AbortController();
    let isClosed = () => {};
    const closed = new Promise<void>((resolve) => {
      isClosed = resolve;
    });
    const url = await listen(({ socket }) => {
      socket.on('close', isClosed);
      ending.abort();
    });
    expect(await webhookSender(true, 60_000)(message(url), ending.signal)).toEqual({ failure: 'connection' });
    await closed;
  });

  it('calls an early close and a closed port a failed connection', async () => {
    const url = await listen((request) => request.socket.destroy());
    expect(await send(message(url))).toEqual({ failure: 'connection' });
    expect(await send(message('http://127.0.0.1:1/'))).toEqual({ failure: 'connection' });
    expect(await send(message(url.replace('127.0.0.1', 'no-such-name.invalid')))).toEqual({
      failure: 'connection',
    });
  });

  it('connects to no address that is not public, by whatever name', async () => {
    let asked = 0;
    const url = await listen((_request, response) => {
      asked += 1;
      response.end();
    });
    const strict = webhookSender(false);
    expect(await strict(message(url))).toEqual({ failure: 'refused_address' });
    expect(await strict(message(url.replace('127.0.0.1', 'localhost')))).toEqual({
      failure: 'refused_address',
    });
    expect(asked).toBe(0);
  });

  it('refuses a name at the lookup that the connection itself uses', async () => {
    const error = await new Promise((done) => lookupFor(false)('localhost', { all: true }, done));
    expect(error).toBeInstanceOf(Error);
  });
});

describe('the connections', () => {
  /** Sends one after another, and gives how many connections that took. */
  const connectionsOf = async (by: typeof send, answer: (response: ServerResponse) => void, count = 5) => {
    let opened = 0;
    const url = await listen((request, response) => {
      request.resume().on('end', () => answer(response));
    });
    server?.on('connection', () => {
      opened += 1;
    });
    for (let times = 0; times < count; times++) expect(await by(message(url))).toMatchObject({ status: 200 });
    return opened;
  };
  /** Lets the answer, which came in one piece, be read to its end. */
  const calmly =
    (by: typeof send): typeof send =>
    async (...given) => {
      const outcome = await by(...given);
      for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
      return outcome;
    };
  const short = (response: ServerResponse) => void response.end('{"messages":[]}');
  it('to the gateway, which the operator has named, are reused for the next message', async () => {
    expect(await connectionsOf(calmly(gatewaySender()), short)).toBe(1);
  });

  it('to a receiver of webhooks are each new, and go to the address that was just checked', async () => {
    expect(await connectionsOf(calmly(send), short)).toBe(5);
  });

  it('to a gateway that never ends its answer are let go of', async () => {
    const closed: Promise<void>[] = [];
    const endless = (response: ServerResponse) => {
      closed.push(new Promise((resolve) => response.socket?.on('close', () => resolve())));
      response.writeHead(200);
      repeat(() => response.write('a'.repeat(10_000)));
    };
    expect(await connectionsOf(gatewaySender(60_000), endless, 2)).toBe(2);
    await Promise.all(closed);
  });
});

it('attempts to one name at once ask for its addresses once, and later ones again', async () => {
  let asked = 0;
  let found = () => {};
  const lookup = sharedLookup(async () => {
    asked += 1;
    await new Promise<void>((resolve) => {
      found = resolve;
    });
    return [{ address: '8.8.8.8', family: 4 }];
  });
  for (let times = 1; times <= 2; times++) {
    const both = [lookup('a.example', { all: true }), lookup('a.example', { all: true })];
    expect(asked).toBe(times);
    found();
    expect(await Promise.all(both)).toHaveLength(2);
  }
});
