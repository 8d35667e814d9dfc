import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';

/** Answers a request to Node's server. */
export type Fetch = (
  request: Request,
  bindings: HttpBindings | Http2Bindings,
) => Response | Promise<Response>;

/** Counts running requests and responses that are not yet sent. */
export interface Tracked {
  /** Wraps `fetch` so that its requests are counted. It adds no listener for each request, which would cost time. */
  tracking: (fetch: Fetch) => Fetch;
  /** Resolves when no request is running. Does not wait for responses to clients that have disconnected. */
  idle: () => Promise<void>;
  isAnswering: () => boolean;
  /** How many requests are running. */
  running: () => number;
  /** From now on, the last answer of each connection closes it. */
  endConnections: () => void;
}

export const trackRequests = (): Tracked => {
  let running = 0;
  let last = false;
  let resolveIdle = () => {};
  // By connection, not in a Set: a constantly changing Set retained finished responses in its old tables in V8.
  const latest = new Map<Socket, { response: ServerResponse }>();
  const ended = (): void => {
    running -= 1;
    if (running === 0) resolveIdle();
  };
  const note = (socket: Socket, response: ServerResponse): void => {
    if (last) response.shouldKeepAlive = false;
    const known = latest.get(socket);
    if (known !== undefined) {
      known.response = response;
      return;
    }
    latest.set(socket, { response });
    socket.once('close', () => latest.delete(socket));
  };
  return {
    tracking: (fetch) => (request, bindings) => {
      // This service's server only uses HTTP/1.1.
      const { incoming, outgoing } = bindings as HttpBindings;
      note(incoming.socket, outgoing);
      const answer = fetch(request, bindings);
      if (!(answer instanceof Promise)) return answer;
      running += 1;
      answer.then(ended, ended);
      return answer;
    },
    idle: () =>
      new Promise((resolve) => {
        resolveIdle = resolve;
        if (running === 0) resolve();
      }),
    running: () => running,
    // The answers of a connection are sent in order, so its latest one is sent last.
    isAnswering: () => [...latest.values()].some(({ response }) => !response.closed),
    endConnections: () => {
      last = true;
      for (const { response } of latest.values()) if (!response.headersSent) response.shouldKeepAlive = false;
    },
  };
};
