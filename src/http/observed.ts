import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Deps, Logger } from '../deps.ts';
import type { AnsweredRequest } from '../metrics.ts';
import type { AppEnv } from './context.ts';
import { preferredLanguage } from './language.ts';

const requestIdForm = /^[\w-]{8,128}$/;
const unmatched = '/*';
const noRoute = 'none';

const logRequest = (log: Logger, { requestId, seconds, ...answered }: AnsweredRequest): void =>
  log.info('request', { ...answered, ms: Math.round(seconds * 1e5) / 100, request_id: requestId });

/**
 * Gives each request its id and its language, and tells the metrics and the log of each answer, and the deliverer of
 * each booking that may have changed. Sets no header, and makes no line that the log's level would drop.
 */
export const observed = (deps: Deps): MiddlewareHandler<AppEnv> => {
  const isLogged = deps.config.LOG_LEVEL === 'info' || deps.config.LOG_LEVEL === 'debug';
  return async (c, next) => {
    const began = performance.now();
    const given = c.req.header('X-Request-Id');
    const requestId = given !== undefined && requestIdForm.test(given) ? given : crypto.randomUUID();
    c.set('requestId', requestId);
    c.set('language', preferredLanguage(c));
    await next();
    const matched = routePath(c, -1);
    const route = matched === unmatched ? noRoute : matched;
    const { status } = c.res;
    const { method } = c.req;
    // `c.var` would copy all of them.
    const code = c.get('failure') ?? 'ok';
    const seconds = (performance.now() - began) / 1000;
    const answered = { method, route, status, code, seconds, requestId };
    deps.metrics.request(answered);
    if (isLogged) logRequest(deps.log, answered);
    if (status < 300 && method === 'POST' && route.startsWith('/v1/bookings')) deps.eventsWritten();
  };
};
