import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { answered, attemptTimeoutMs, type Outcome } from '../booking/events/rules.ts';
import type { Message } from '../booking/events/signing.ts';
import { isPublicAddress } from './public-address.ts';

class RefusedAddress extends Error {}

/** Resolves a name and refuses it if any of its addresses is not public: what was checked is what is connected to. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new RefusedAddress(), []);
    const [first] = addresses;
    if (options.all || first === undefined) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

/**
 * Sends a webhook by node:https; the connection is pinned to the addresses that were checked. It ends in every case:
 * with the first thing that the receiver, the connection, the time limit or the caller's signal says.
 */
export const webhookSender =
  (allowPrivate: boolean, timeoutMs = attemptTimeoutMs) =>
  ({ url, headers, body }: Message, ending?: AbortSignal): Promise<Outcome> =>
    new Promise((resolve) => {
      const target = new URL(url);
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      if (!allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal))
        return resolve({ failure: 'refused_address' });
      const request = (target.protocol === 'http:' ? requestHttp : requestHttps)(target, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        // A kept connection would be one to an address that was checked another time.
        agent: false,
        ...(!allowPrivate && { lookup: publicLookup }),
      });
      const settle = (outcome: Outcome): void => {
        clearTimeout(limit);
        ending?.removeEventListener('abort', end);
        resolve(outcome);
        request.destroy();
      };
      const fail = (error?: Error): void =>
        settle({ failure: error instanceof RefusedAddress ? 'refused_address' : 'connection' });
      const end = (): void => fail();
      const limit = setTimeout(() => settle({ failure: 'timeout' }), timeoutMs);
      ending?.addEventListener('abort', end);
      const answer = (response: IncomingMessage): void => {
        response.on('error', () => {});
        settle(answered(response.statusCode ?? 0, response.headers['retry-after']));
      };
      request.on('response', answer);
      // A receiver that switches protocols has not answered the event: it is told as its status, 101.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        answer(response);
      });
      request.on('error', fail);
      request.on('close', end);
      request.end(body);
    });
