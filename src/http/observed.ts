import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Deps } from '../deps.ts';
import type { AppEnv } from './context.ts';

const unmatched = '/*';
const noRoute = 'none';

/** Tells the metrics of each answer, and the deliverer of each booking that may have changed. Sets no header. */
export const observed =
  (deps: Deps): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const began = performance.now();
    await next();
    const matched = routePath(c, -1);
    const route = matched === unmatched ? noRoute : matched;
    const { status } = c.res;
    const { method } = c.req;
    deps.metrics.request({
      method,
      route,
      status,
      code: c.var.failure ?? 'ok',
      seconds: (performance.now() - began) / 1000,
      requestId: c.var.requestId,
    });
    if (status < 300 && method === 'POST' && route.startsWith('/v1/bookings')) deps.eventsWritten();
  };
