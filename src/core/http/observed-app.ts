import type { Context, Hono } from 'hono';
import { HonoBase } from 'hono/hono-base';
import type { AppEnv } from './context.ts';
import { failureAnswer } from './failed.ts';
import { type ObservedBy, observer, type Serve, unmatched } from './observed.ts';
import { respondFailure } from './respond.ts';
import { CachedRouter } from './router.ts';

/** An app each of whose answers is observed, to errors and to unknown paths too. */
export const createObservedApp = (observedBy: (c: Context<AppEnv>) => ObservedBy) => {
  const app: Hono<AppEnv> = new HonoBase<AppEnv>({ router: new CachedRouter() });
  const failed = failureAnswer((c) => observedBy(c).log);
  const observe = observer(observedBy, failed);
  const serve: Serve = (method, path, handle, format, headers) =>
    void app.on([method], [path], observe(path, handle, format, headers));
  app.notFound(observe(unmatched, (c) => respondFailure(c, 'not_found')));
  app.onError(failed);
  return { app, observe, serve };
};
