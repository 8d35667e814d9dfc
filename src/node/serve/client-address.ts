import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * The client's address: the socket's, or the one that the outermost of the trusted proxies wrote into X-Forwarded-For.
 * Each proxy appends whom it was asked by, so that is the one so many places from the end; what a client adds before
 * it counts for nothing. A shorter list is a request that passed fewer proxies.
 */
export const clientAddressOf =
  (trustedProxies: number) =>
  (request: Request, bindings: unknown): string => {
    const forwarded =
      trustedProxies === 0
        ? []
        : (request.headers.get('X-Forwarded-For') ?? '')
            .split(',')
            .map((address) => address.trim())
            .filter(Boolean);
    const address = forwarded.at(-Math.min(trustedProxies, forwarded.length));
    // Of the context it reads the bindings alone.
    return address ?? getConnInfo({ env: bindings } as Context).remote.address ?? '';
  };
