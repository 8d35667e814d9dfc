import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** The client's address: the socket's, or behind a trusted proxy the last one that X-Forwarded-For names. */
export const clientAddressOf =
  (trustProxy: boolean) =>
  (request: Request, bindings: unknown): string => {
    const forwarded = trustProxy
      ? request.headers.get('X-Forwarded-For')?.split(',').at(-1)?.trim()
      : undefined;
    // Of the context it reads the bindings alone.
    return forwarded || (getConnInfo({ env: bindings } as Context).remote.address ?? '');
  };
