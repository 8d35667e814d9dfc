import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Shot } from './load.ts';
import type { Served } from './processes.ts';

/** The answer to one request, in milliseconds since its scheduled time. */
export interface Answered {
  status: number;
  ms: number;
}

interface Connection {
  socket: Socket;
  /** When the request under way was to be sent; null while there is none. */
  dueAt: number | null;
}

const headEnd = Buffer.from('\r\n\r\n');

const bytesOf = ({ method = 'GET', path, headers = {}, body = '' }: Shot): Buffer => {
  const all = {
    host: 'bench',
    ...headers,
    ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
};

const known = new WeakMap<Shot, Buffer>();
const encoded = (shot: Shot): Buffer => {
  let bytes = known.get(shot);
  if (bytes === undefined) {
    bytes = bytesOf(shot);
    known.set(shot, bytes);
  }
  return bytes;
};

/** Reads one answer after another off a connection. */
const reader = (answered: (status: number) => void) => {
  let kept: Buffer = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    for (;;) {
      const end = kept.indexOf(headEnd);
      if (end < 0) return;
      const head = kept.toString('latin1', 0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const size = end + headEnd.length + length;
      if (kept.length < size) return;
      kept = kept.subarray(size);
      answered(Number(head.slice(9, 12)));
    }
  };
};

/**
 * Sends requests at a rate whatever comes back, as people do who know nothing of each other: each on one of so many connections
 * on which nothing is under way. Its time counts from when it was to be sent.
 */
export const openLoad = async ({ port }: Served, connections: number) => {
  const idle: Connection[] = [];
  let lost = 0;
  let record: (answered: Answered) => void = () => {};
  let onIdle = () => {};
  let isOver = false;

  const open = (): Promise<unknown> => {
    const connection: Connection = { socket: connect(port, '127.0.0.1'), dueAt: null };
    const { socket } = connection;
    socket.setNoDelay(true);
    const read = reader((status) => {
      const { dueAt } = connection;
      connection.dueAt = null;
      idle.push(connection);
      if (dueAt !== null) record({ status, ms: performance.now() - dueAt });
      onIdle();
    });
    socket.on('data', read);
    socket.on('error', () => {});
    socket.on('close', () => {
      if (connection.dueAt !== null) lost += 1;
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      if (!isOver) void open();
    });
    socket.once('connect', () => idle.push(connection));
    return Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  };
  const send = (shot: Shot, dueAt: number): boolean => {
    // The one that rested longest, so that none rests until the service closes it.
    const connection = idle.shift();
    if (connection === undefined) return false;
    connection.dueAt = dueAt;
    connection.socket.write(encoded(shot));
    return true;
  };

  // A few at a time: a listener keeps only so many waiting.
  for (let left = connections; left > 0; left -= 50)
    await Promise.all(Array.from({ length: Math.min(50, left) }, open));

  return {
    lost: () => lost,
    /** So many connections, each of which sends its next request when the last one is answered: the top rate. */
    closed: (shot: () => Shot, at: number, seconds: number): Promise<Answered[]> => {
      const answers: Answered[] = [];
      const until = performance.now() + seconds * 1000;
      record = (answered) => void answers.push(answered);
      onIdle = () => {
        if (performance.now() < until) send(shot(), performance.now());
      };
      for (let sent = 0; sent < at; sent++) send(shot(), performance.now());
      return new Promise((resolve) =>
        setTimeout(() => {
          onIdle = () => {};
          record = () => {};
          resolve(answers);
        }, seconds * 1000),
      );
    },
    /** This many requests a second; those without a free connection are counted as unsent. */
    open: async (shot: () => Shot, perSecond: number, seconds: number) => {
      const answers: Answered[] = [];
      record = (answered) => void answers.push(answered);
      const began = performance.now();
      const all = Math.round(perSecond * seconds);
      let next = 0;
      let unsent = 0;
      while (next < all) {
        const now = performance.now();
        while (next < all && began + (next / perSecond) * 1000 <= now) {
          if (!send(shot(), began + (next / perSecond) * 1000)) unsent += 1;
          next += 1;
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      // The last ones are still on their way.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      record = () => {};
      return { answers, unsent };
    },
    end: (): void => {
      isOver = true;
      for (const { socket } of idle.splice(0)) socket.destroy();
    },
  };
};

export const quantile = (values: readonly number[], share: number): number =>
  Float64Array.from(values).sort()[Math.floor(values.length * share)] ?? Number.NaN;
