import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { AppEnv } from './context.ts';
import { type Observe, unmatched } from './observed.ts';
import { personalHeaders } from './respond.ts';

const exposedHeaders = [
  'X-Request-Id',
  'ETag',
  'Link',
  'Deprecation',
  'Sunset',
  'Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'X-Device-Token',
];

/** Lets pages of the given origins read answers; a preflight is observed as every request is. */
export const allowOrigins = (app: Hono<AppEnv>, origins: readonly string[], observe: Observe): void => {
  if (origins.length === 0) return;
  const allow = cors({ origin: [...origins], exposeHeaders: exposedHeaders, maxAge: 600 });
  const preflight = observe(unmatched, (c) => {
    const headers = { ...personalHeaders, 'X-Request-Id': c.get('arrival').requestId };
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return allow(c, async () => {}) as Promise<Response>;
  });
  app.use(async (c, next) => {
    if (c.req.method !== 'OPTIONS') return allow(c, next);
    return c.req.header('Access-Control-Request-Method') === undefined ? next() : preflight(c);
  });
};
