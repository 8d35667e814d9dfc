import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookMessage, WebhookOutcome } from '../../../core/deps.ts';
import {
  answered,
  attemptTimeoutMs,
  maxTextBytes,
  textTimeoutMs,
} from '../../../modules/webhooks/delivery/rules.ts';
import { isPublicAddress } from './public-address.ts';

class RefusedAddress extends Error {}

type Resolve = (hostname: string, options: { all: true }) => Promise<LookupAddress[]>;

/**
 * Attempts to one host name share a DNS look-up in progress. Each look-up occupies one of libuv's few threads, and a
 * name whose servers do not answer could otherwise occupy them all.
 */
export const sharedLookup = (resolve: Resolve): Resolve => {
  const underWay = new Map<string, Promise<LookupAddress[]>>();
  return (hostname, options) => {
    const found =
      underWay.get(hostname) ?? resolve(hostname, options).finally(() => underWay.delete(hostname));
    underWay.set(hostname, found);
    return found;
  };
};
const lookUpAddresses = sharedLookup(lookup);

/**
 * Resolves a name, and refuses it if any of its addresses is not public (unless private ones are allowed): the connection
 * uses exactly the addresses that were checked.
 */
export const lookupFor =
  (allowPrivate: boolean): LookupFunction =>
  (hostname, options, callback) => {
    const answer = (addresses: LookupAddress[]): void => {
      const [first] = addresses;
      if (first === undefined) callback(new RefusedAddress(), []);
      else if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
        callback(new RefusedAddress(), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    lookUpAddresses(hostname, { ...options, all: true }).then(answer, (error: NodeJS.ErrnoException) =>
      callback(error, []),
    );
  };

/** After an answer that is longer the connection is not used again. */
const maxReadBytes = 65_536;

/** Reads an answer to its end, so that its connection can serve another request. */
const readToEnd = (response: IncomingMessage, limit: NodeJS.Timeout, request: ClientRequest): void => {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxReadBytes) request.destroy();
  });
  response.on('close', () => clearTimeout(limit));
};

/** The beginning of an answer: the part that arrived in time. */
const readStart = (response: IncomingMessage, ending?: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const done = (): void => {
      clearTimeout(limit);
      ending?.removeEventListener('abort', done);
      resolve(new TextDecoder().decode(read.subarray(0, maxTextBytes)));
    };
    const limit = setTimeout(done, textTimeoutMs);
    ending?.addEventListener('abort', done);
    response.on('data', (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      if (read.length >= maxTextBytes) done();
    });
    response.on('close', done);
  });

/** The connections that stay open for a receiver whom the operator has named, by the protocol of its address. */
interface Agents {
  'http:': HttpAgent;
  'https:': HttpsAgent;
}

/** Sends one request. It always ends: with the first event from the receiver, the connection, the time limit or the signal. */
const sender =
  (allowPrivate: boolean, timeoutMs: number, agents?: Agents) =>
  ({ url, headers, body }: WebhookMessage, ending?: AbortSignal): Promise<WebhookOutcome> =>
    new Promise((resolve) => {
      const target = new URL(url);
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      if (!allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal))
        return resolve({ failure: 'refused_address' });
      const request = (target.protocol === 'http:' ? requestHttp : requestHttps)(target, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        // A reused connection could go to an address that was checked at another time.
        agent: agents?.[target.protocol as keyof Agents] ?? false,
        lookup: lookupFor(allowPrivate),
      });
      const settle = (outcome: WebhookOutcome, answer?: IncomingMessage): void => {
        ending?.removeEventListener('abort', end);
        resolve(outcome);
        if (answer !== undefined && agents !== undefined) readToEnd(answer, limit, request);
        else {
          clearTimeout(limit);
          request.destroy();
        }
      };
      const fail = (error?: Error): void =>
        settle({ failure: error instanceof RefusedAddress ? 'refused_address' : 'connection' });
      const end = (): void => fail();
      const limit = setTimeout(() => settle({ failure: 'timeout' }), timeoutMs);
      ending?.addEventListener('abort', end);
      const answer = (response: IncomingMessage): void => {
        response.on('error', () => {});
        const outcome = answered(response.statusCode ?? 0, response.headers['retry-after']);
        if (agents !== undefined) {
          settle(outcome, response);
          return;
        }
        // The outcome is known: neither the time limit nor a broken connection changes it any more.
        clearTimeout(limit);
        request.off('error', fail).on('error', () => {});
        request.off('close', end);
        ending?.removeEventListener('abort', end);
        void readStart(response, ending).then((text) =>
          settle({ ...outcome, ...(text !== '' && { text }) }, response),
        );
      };
      request.on('response', answer);
      // A receiver that switches protocols has not accepted the event: reported as its status, 101.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        answer(response);
      });
      request.on('error', fail);
      request.on('close', end);
      request.end(body);
    });

/** Sends a webhook with node:https to the addresses that were checked, each by a connection of its own. */
export const webhookSender = (allowPrivate: boolean, timeoutMs = attemptTimeoutMs) =>
  sender(allowPrivate, timeoutMs);

/** Shorter than servers leave an idle connection open: one that they have just closed would lose a message. */
const idleMs = 4_000;

/** Sends to the gateway that the operator has named, perhaps in the clinic's own network, and reuses its connections. */
export const gatewaySender = (timeoutMs = attemptTimeoutMs) => {
  const reuse = { keepAlive: true, timeout: idleMs };
  return sender(true, timeoutMs, { 'http:': new HttpAgent(reuse), 'https:': new HttpsAgent(reuse) });
};
