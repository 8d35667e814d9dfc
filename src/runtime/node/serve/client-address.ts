import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * The client's address: the socket's, or the one that the outermost trusted proxy wrote into X-Forwarded-For. Each
 * proxy appends its client's address, so with n proxies it is the n-th from the end; entries before it are not trusted.
 * With a shorter list, the request passed fewer proxies.
 */
export const createClientAddressReader =
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
    // It reads only the bindings of the context.
    return address ?? getConnInfo({ env: bindings } as Context).remote.address ?? '';
  };
