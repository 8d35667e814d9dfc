import type { Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { type AppEnv, depsOf } from './context.ts';
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
  'X-Sandbox',
];

/** Lets pages of the clinic's origins read answers; a preflight is observed as every request is. */
export const allowOrigins = (app: Hono<AppEnv>, observe: Observe): void => {
  const origin = (asking: string, c: Context<AppEnv>) =>
    depsOf(c).config.CORS_ORIGINS.includes(asking) ? asking : null;
  const allow = cors({ origin, exposeHeaders: exposedHeaders, maxAge: 600 });
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
