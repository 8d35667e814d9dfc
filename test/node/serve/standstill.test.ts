import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpServer, listen } from '../../../src/runtime/node/serve/server.ts';

/** More than what the kernel takes off the server's hands on both sides of a connection. */
const length = 32 * 1024 * 1024;
const standstillMs = 500;

let server: Server;
let port: number;
let closed: Promise<unknown>;
beforeEach(async () => {
  server = httpServer(() => new Response('a'.repeat(length)), '127.0.0.1', { standstillMs });
  closed = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
  port = await listen(server, 0, '127.0.0.1');
});
afterEach(() => void server.close());

const ask = (): Socket => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return socket;
};

describe('an answer that is not taken', () => {
  it('is given up, and its connection is cut', async () => {
    const socket = ask();
    await closed;
    expect(socket.bytesRead).toBeLessThan(length);
    socket.destroy();
  });

  it('is given up when its reader begins and then stops', async () => {
    const socket = ask();
    await once(socket, 'data');
    socket.pause();
    await closed;
    expect(socket.bytesRead).toBeLessThan(length);
    socket.destroy();
  });

  it('is not given up while its reader goes on, however slowly', async () => {
    const socket = ask();
    let taken = 0;
    let rested = 0;
    for await (const chunk of socket) {
      taken += (chunk as Buffer).length;
      // More than twice the standstill over the whole answer, and far from it between two windows of the kernel.
      if (taken < rested + 1024 * 1024) continue;
      rested = taken;
      await sleep(standstillMs / 10);
    }
    expect(taken).toBeGreaterThan(length);
  });
});

describe('a request that makes no progress', () => {
  it('is not cut before it is answered with 408', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /health HTTP/1.1\r\n');
    await once(server, 'timeout');
    expect(socket.closed).toBe(false);
    socket.write('Host: x\r\nConnection: close\r\n\r\n');
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
