import { HonoBase } from 'hono/hono-base';
import type { AppEnv } from '../../core/http/context.ts';
import { isBelow } from '../../core/http/format.ts';
import { introduce } from '../../core/http/observed.ts';
import { respondFailure } from '../../core/http/respond.ts';
import { CachedRouter } from '../../core/http/router.ts';
import { consoleLogger } from '../../core/log.ts';
import { failureFormats } from '../../interface/dialects.ts';

const closed = new HonoBase<AppEnv>({ router: new CachedRouter() }).notFound((c) => {
  introduce(c);
  const format = failureFormats.find((one) => isBelow(one, c.req.path));
  Object.assign(c.get('arrival'), { format, ...(format?.language && { language: format.language }) });
  return respondFailure(c, 'unavailable', { headers: { 'Retry-After': '5' } });
});

/** Answers while the service cannot be put together, and logs why. */
export const cannotServe = (error: unknown, request: Request): Response | Promise<Response> => {
  consoleLogger('error').error('cannot start', { cause: error instanceof Error ? error.message : 'unknown' });
  return closed.fetch(request);
};
