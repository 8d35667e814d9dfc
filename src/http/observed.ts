import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Deps, Logger } from '../deps.ts';
import type { AnsweredRequest } from '../metrics.ts';
import type { AppEnv } from './context.ts';

const unmatched = '/*';
const noRoute = 'none';

const logRequest = (log: Logger, { requestId, seconds, ...answered }: AnsweredRequest): void =>
  log.info('request', { ...answered, ms: Math.round(seconds * 1e5) / 100, request_id: requestId });

/**
 * Tells the metrics and the log of each answer, and the deliverer of each booking that may have changed. Sets no
 * header, and makes no line that the log's level would drop.
 */
export const observed = (deps: Deps): MiddlewareHandler<AppEnv> => {
  const isLogged = deps.config.LOG_LEVEL === 'info' || deps.config.LOG_LEVEL === 'debug';
  return async (c, next) => {
    const began = performance.now();
    await next();
    const matched = routePath(c, -1);
    const route = matched === unmatched ? noRoute : matched;
    const { status } = c.res;
    const { method } = c.req;
    const answered = {
      method,
      route,
      status,
      code: c.var.failure ?? 'ok',
      seconds: (performance.now() - began) / 1000,
      requestId: c.var.requestId,
    };
    deps.metrics.request(answered);
    if (isLogged) logRequest(deps.log, answered);
    if (status < 300 && method === 'POST' && route.startsWith('/v1/bookings')) deps.eventsWritten();
  };
};
