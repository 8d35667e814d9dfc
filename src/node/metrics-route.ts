import { createHash, timingSafeEqual } from 'node:crypto';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { AppEnv } from '../http/context.ts';
import type { Serve } from '../http/observed.ts';
import { respond, respondFailure } from '../http/respond.ts';
import type { Prometheus } from './prometheus.ts';

interface Access {
  METRICS_TOKEN: string | undefined;
  TRUST_PROXY: 'on' | 'off';
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const proxyHeaders = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via'];

/** The socket alone says where a request comes from; one that a proxy handed on comes from elsewhere. */
const isLocal = (c: Context<AppEnv>, trustProxy: boolean): boolean => {
  if (trustProxy || proxyHeaders.some((name) => c.req.header(name) !== undefined)) return false;
  const address = getConnInfo(c).remote.address ?? '';
  return address === '::1' || /^(::ffff:)?127\./.test(address);
};

/** `GET /metrics`, for this machine or for whoever has the token. */
export const mountMetrics = (serve: Serve, prometheus: Prometheus, access: Access): void => {
  const token = access.METRICS_TOKEN;
  const expected = token === undefined ? null : digest(`Bearer ${token}`);
  const isAllowed = (c: Context<AppEnv>): boolean =>
    (expected !== null && timingSafeEqual(digest(c.req.header('Authorization') ?? ''), expected)) ||
    isLocal(c, access.TRUST_PROXY === 'on');
  serve('GET', '/metrics', async (c) => {
    if (!isAllowed(c)) return respondFailure(c, expected === null ? 'not_found' : 'unauthenticated');
    const headers = { 'Content-Type': prometheus.contentType };
    return respond(c, { status: 200, raw: await prometheus.expose(), headers });
  });
};
