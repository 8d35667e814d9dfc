import { createHash, timingSafeEqual } from 'node:crypto';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { AppEnv } from '../../../core/http/context.ts';
import type { Serve } from '../../../core/http/observed.ts';
import { respond, respondFailure } from '../../../core/http/respond.ts';
import { cameByProxy } from '../serve/proxy-headers.ts';
import type { NodeSettings } from '../settings.ts';
import type { Prometheus } from './prometheus.ts';

type Access = Pick<NodeSettings, 'METRICS_TOKEN' | 'TRUST_PROXY' | 'NODE_ENV'>;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Whether a request comes from this machine: judged by its socket, unless a proxy forwarded it. In production no socket
 * is trusted, because there may be a proxy that adds no header.
 */
const isLocal = (c: Context<AppEnv>, { NODE_ENV, TRUST_PROXY }: Access): boolean => {
  if (NODE_ENV === 'production' || TRUST_PROXY > 0 || cameByProxy(c.req.header())) return false;
  // It reads only the bindings of the context.
  const address = getConnInfo({ env: c.env.bindings } as Context).remote.address ?? '';
  return address === '::1' || /^(::ffff:)?127\./.test(address);
};

/** Whether anybody may read the metrics: in production only with a token. */
export const mayBeRead = ({ METRICS_TOKEN, NODE_ENV }: Omit<Access, 'TRUST_PROXY'>): boolean =>
  METRICS_TOKEN !== undefined || NODE_ENV !== 'production';

/** `GET /metrics`: for clients with the token and, outside production, for this machine. */
export const mountMetrics = (serve: Serve, prometheus: Prometheus, access: Access): void => {
  const token = access.METRICS_TOKEN;
  const expected = token === undefined ? null : digest(`Bearer ${token}`);
  const isAllowed = (c: Context<AppEnv>): boolean =>
    (expected !== null && timingSafeEqual(digest(c.req.header('Authorization') ?? ''), expected)) ||
    isLocal(c, access);
  serve('GET', '/metrics', async (c) => {
    if (!isAllowed(c)) return respondFailure(c, expected === null ? 'not_found' : 'unauthenticated');
    const headers = { 'Content-Type': prometheus.contentType };
    return respond(c, { status: 200, raw: await prometheus.expose(), headers });
  });
};
