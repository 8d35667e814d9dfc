import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { mountAccount } from './auth/account/routes.ts';
import { mountAudit } from './auth/audit/routes.ts';
import { mountAuth } from './auth/routes.ts';
import { mountClosuresAdmin } from './booking/catalog/admin/closures/routes.ts';
import { mountDoctorsAdmin } from './booking/catalog/admin/doctors/routes.ts';
import { mountSchedulesAdmin } from './booking/catalog/admin/schedules/routes.ts';
import { mountSessionsAdmin } from './booking/catalog/admin/sessions/routes.ts';
import { mountCatalog } from './booking/catalog/routes.ts';
import { mountClinic } from './booking/clinic/routes.ts';
import { mountWebhooks } from './booking/events/routes.ts';
import { mountBookings } from './booking/routes.ts';
import type { Deps } from './deps.ts';
import { Failure, Unavailable } from './errors.ts';
import { mountHealth } from './health/routes.ts';
import type { AppEnv } from './http/context.ts';
import { mounter } from './http/mount.ts';
import { observed } from './http/observed.ts';
import { mountReference } from './http/reference.ts';
import { respondFailure } from './http/respond.ts';
import { allowedMethods } from './http/routes-of.ts';
import { mountPeople } from './people/routes.ts';

const exposedHeaders = [
  'X-Request-Id',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
];

/** The first cause of a kind down the chain, since drivers wrap what they throw. */
const causeOf = <T extends Error>(error: unknown, kind: abstract new (...args: never) => T): T | null => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof kind) return cause;
  return null;
};

/** Names of the errors down the chain: enough to find the place, and none of the parameters they may quote. */
const describe = (error: unknown): string[] => {
  const names: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Told by its shape, since a bundle keeps no names of classes; its message quotes the parameters.
    const isQuery = 'query' in cause && 'params' in cause;
    names.push(isQuery ? 'DrizzleQueryError' : `${cause.name}: ${cause.message.split('\n')[0]}`);
  }
  return names;
};

/** Where an error arose: the lines of its stack without those of its text. */
const placesOf = ({ stack = '' }: Error): string[] =>
  stack
    .split('\n')
    .filter((line) => /^ +at /.test(line))
    .slice(0, 7);

/** The one app: middleware, the mounts, and the answers to whatever goes wrong. */
export const createApp = (deps: Deps): Hono<AppEnv> => {
  const app = new Hono<AppEnv>();

  app.use(observed(deps));
  if (deps.config.CORS_ORIGINS.length > 0)
    app.use(cors({ origin: deps.config.CORS_ORIGINS, exposeHeaders: exposedHeaders, maxAge: 600 }));

  const mount = mounter(app, deps);
  mountHealth(mount);
  mountAuth(mount);
  mountAccount(mount, deps);
  mountAudit(mount);
  mountCatalog(mount);
  mountDoctorsAdmin(mount);
  mountSessionsAdmin(mount);
  mountSchedulesAdmin(mount);
  mountClosuresAdmin(mount);
  mountPeople(mount);
  mountBookings(mount);
  mountWebhooks(mount);
  mountClinic(mount);

  mountReference(app, deps);

  app.notFound((c) => {
    const methods = allowedMethods(app, c.req.path);
    if (methods.length === 0) return respondFailure(c, 'not_found');
    return respondFailure(c, 'method_not_allowed', { headers: { Allow: methods.join(', ') } });
  });

  app.onError((error, c) => {
    if (error instanceof Failure) return respondFailure(c, error.code, error.details);
    if (error instanceof HTTPException && error.status === 400) return respondFailure(c, 'malformed_json');
    const unavailable = causeOf(error, Unavailable);
    const fields = {
      request_id: c.var.requestId,
      method: c.req.method,
      route: c.req.routePath,
      causes: describe(error),
    };
    if (unavailable !== null) {
      deps.log.warn('unavailable', fields);
      return respondFailure(c, 'unavailable');
    }
    deps.log.error('internal', { ...fields, stack: placesOf(error) });
    return respondFailure(c, 'internal');
  });

  return app;
};
