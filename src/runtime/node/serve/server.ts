import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { isBelow } from '../../../core/http/format.ts';
import { failureFormats } from '../../../interface/dialects.ts';
import { PassingError } from '../passing-error.ts';
import type { AllSettings } from '../settings.ts';
import type { Arrivals } from './arrivals.ts';
import { asResponse, pathOf, type Refusal, refuse } from './refusals.ts';
import { createRequestLines, type RequestLines, withoutRequestLines } from './request-lines.ts';
import type { Fetch, Tracked } from './tracked.ts';

const closing = ({ headers, body }: ReturnType<typeof refuse>) => ({
  ...headers,
  Date: new Date().toUTCString(),
  Connection: 'close',
  'Content-Length': Buffer.byteLength(body),
});

const asText = (refusal: ReturnType<typeof refuse>, method?: string): string => {
  const { status, body } = refusal;
  const lines = Object.entries(closing(refusal)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${method === 'HEAD' ? '' : body}`;
};

const ofParser: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

interface Unread extends NodeJS.ErrnoException {
  /** The bytes in which the parser found the error. */
  rawPacket?: Buffer;
}

const unreadRefuser =
  (lines: RequestLines) =>
  (error: Unread, socket: Socket & { _httpMessage?: ServerResponse }): void => {
    // As Node itself does: writes nothing into an answer that has already begun.
    if (socket.writable && !socket._httpMessage?.headersSent) {
      // Whatever is written now answers the first request that has no answer yet.
      const line = socket._httpMessage?.req ?? lines.lineOf(socket, error.rawPacket);
      const refusal = refuse(ofParser[error.code ?? ''] ?? 'invalid_header', { path: pathOf(line?.url) });
      socket.write(asText(refusal, line?.method));
    }
    socket.destroySoon();
  };

/** The number of Host headers; RFC 9112, 3.2 requires exactly one. */
const hostsIn = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
};

const refuseHost = ({ url }: IncomingMessage, outgoing: ServerResponse): void => {
  const refusal = refuse('invalid_header', { path: pathOf(url) });
  outgoing.writeHead(refusal.status, closing(refusal)).end(refusal.body);
};

const isHostWrong = (incoming: IncomingMessage): boolean => {
  const hosts = hostsIn(incoming);
  return hosts > 1 || (hosts === 0 && incoming.httpVersion === '1.1');
};

/**
 * How long the sending of an answer may make no progress. A slow client that reads at least some bytes is accepted; one
 * that reads none is disconnected, at the latest after twice this time.
 */
const maxStandstillMs = 30_000;

/**
 * How long a connection stays open between two requests: longer than proxies keep it (nginx and load balancers 60 s, Caddy
 * 120 s). A request that a proxy sends while the service closes the connection would be lost, as a 502.
 */
const keepAliveMs = 125_000;

export interface ServerOptions {
  standstillMs?: number;
  /** Answers a request itself if there are too many; false if the service should answer it. */
  turnAway?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Whose refusals are written as a dialect also where the request line came in an earlier packet. */
  lines?: RequestLines;
}

/** An HTTP server that answers unparseable requests in the envelope of all failures too. */
export const httpServer = (
  fetch: Parameters<typeof getRequestListener>[0],
  hostname: string,
  { standstillMs = maxStandstillMs, turnAway = () => false, lines = withoutRequestLines }: ServerOptions = {},
): Server => {
  const answering = (path: string) => {
    const errorHandler = (error: unknown) =>
      asResponse(refuse(error instanceof RequestError ? 'invalid_header' : 'internal', { path }));
    return getRequestListener(fetch, { hostname, errorHandler });
  };
  // The handler of errors does not see the request: each dialect has a listener of its own.
  const answer = answering('/');
  const dialects = failureFormats.map(({ base }) => ({ base, answer: answering(base) }));
  const answerOf = (url: string) => {
    for (const dialect of dialects) if (isBelow(dialect, url)) return dialect.answer;
    return answer;
  };
  // Node itself would refuse a missing Host header with an empty body, and use the first of two.
  const listener: RequestListener = (incoming, outgoing) => {
    lines.read(incoming);
    if (isHostWrong(incoming)) refuseHost(incoming, outgoing);
    else if (!turnAway(incoming, outgoing)) answerOf(incoming.url ?? '')(incoming, outgoing);
  };
  const server = createServer({ requireHostHeader: false }, listener);
  server.timeout = standstillMs;
  server.keepAliveTimeout = keepAliveMs;
  server.on('timeout', (socket) => {
    // Silence between requests has its own limit; a request that does not arrive in time is answered with 408.
    if (socket.timeout !== standstillMs || socket.writableLength > 0) socket.destroy();
  });
  lines.of(server);
  // An unknown expectation is ignored (RFC 9110, 10.1.1).
  return server.on('checkExpectation', listener).on('clientError', unreadRefuser(lines));
};

const reasons: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `PORT ${port} is taken on ${host}: end what listens there, or set another PORT.`,
  EACCES: (port) => `PORT ${port} may not be listened on by this user: set another PORT.`,
  EADDRNOTAVAIL: (_port, host) => `HOST is ${host}, which is no address of this machine.`,
  ENOTFOUND: (_port, host) => `HOST is ${host}, which is no address of this machine.`,
};

/** The functions that count the requests and connections of a server, and that refuse some. */
interface Watching {
  requests: Pick<Tracked, 'tracking'>;
  arrivals: Pick<Arrivals, 'of'>;
  turnAway: NonNullable<ServerOptions['turnAway']>;
}

/** A server that listens by the settings, and its port. */
export const startServer = async (
  fetch: Fetch,
  { HOST, PORT, FHIR, BPJS, CLINICS }: Pick<AllSettings, 'HOST' | 'PORT' | 'FHIR' | 'BPJS' | 'CLINICS'>,
  { requests, arrivals, turnAway }: Watching,
): Promise<{ server: Server; port: number }> => {
  // Of several clinics each may set a dialect for itself.
  const speaksDialects = FHIR === 'on' || BPJS !== undefined || CLINICS !== undefined;
  const lines = speaksDialects ? createRequestLines() : withoutRequestLines;
  const server = httpServer(requests.tracking(fetch), HOST, { turnAway, lines });
  arrivals.of(server);
  return { server, port: await listen(server, PORT, HOST) };
};

/** Listens and returns the port; throws a PassingError with the reason if it cannot. */
export const listen = async (server: Server, port: number, host: string): Promise<number> => {
  const listening = once(server, 'listening');
  server.listen(port, host);
  try {
    await listening;
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
    throw reason === undefined ? error : new PassingError(reason(port, host));
  }
  return (server.address() as AddressInfo).port;
};
