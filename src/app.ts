import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import { HonoBase } from 'hono/hono-base';
import { mountAccount } from './auth/account/routes.ts';
import { mountAudit } from './auth/audit/routes.ts';
import { mountConsents } from './auth/consents/routes.ts';
import { mountEmail } from './auth/email/routes.ts';
import { mountFactors } from './auth/factors/routes.ts';
import { mountKeys } from './auth/keys/routes.ts';
import { mountAuth } from './auth/login/routes.ts';
import { mountClosureResolving } from './booking/closures/routes.ts';
import { mountFeeds } from './booking/feeds/routes.ts';
import { mountListing } from './booking/listing/routes.ts';
import { mountQueues } from './booking/queue/routes.ts';
import { mountBookings } from './booking/routes.ts';
import { mountSeries } from './booking/series/routes.ts';
import { mountClinic } from './booking/staff/routes.ts';
import { mountStatistics } from './booking/statistics/routes.ts';
import { mountWaitlist } from './booking/waitlist/routes.ts';
import { mountLogo } from './catalog/clinic/logo-route.ts';
import { mountClinicProfile } from './catalog/clinic/routes.ts';
import { mountClosuresAdmin } from './catalog/closures/routes.ts';
import { mountDoctorsAdmin } from './catalog/doctors/routes.ts';
import { mountSchedulesAdmin } from './catalog/schedules/routes.ts';
import { mountSessionsAdmin } from './catalog/sessions/routes.ts';
import { mountCatalog } from './catalog/slots/routes.ts';
import type { Deps } from './deps.ts';
import { mountHealth } from './health/routes.ts';
import type { AppEnv } from './http/context.ts';
import { failureAnswer } from './http/failed.ts';
import { observer, type Serve } from './http/observed.ts';
import { personalHeaders, respondFailure } from './http/respond.ts';
import { CachedRouter } from './http/router.ts';
import { allowedMethods } from './http/routes-of.ts';
import { mountNoticePages } from './notices/page-routes.ts';
import { mountNotices } from './notices/routes.ts';
import { mountPages } from './pages/routes.ts';
import { mountPatients } from './patients/desk-routes.ts';
import { mountFamily } from './patients/family-routes.ts';
import { mountMerges } from './patients/merge-routes.ts';
import { mountPrivacy } from './patients/privacy-routes.ts';
import { mountPeople } from './people/routes.ts';
import { mounter } from './pipeline/mount.ts';
import { mountRoot } from './reference/root.ts';
import { mountReference } from './reference/routes.ts';
import { mountWebhooks } from './webhooks/routes.ts';

const exposedHeaders = [
  'X-Request-Id',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'X-Device-Token',
];

const unmatched = 'none';

/** The Hono app: all endpoints, the runtime's own routes, and the answers to errors. */
export const createApp = (deps: Deps, mountOwn?: (serve: Serve) => void): Hono<AppEnv> => {
  const app: Hono<AppEnv> = new HonoBase<AppEnv>({ router: new CachedRouter() });
  const failed = failureAnswer(deps);
  const observe = observer(deps, failed);
  const serve: Serve = (method, path, handle) => void app.on([method], [path], observe(path, handle));

  if (deps.config.CORS_ORIGINS.length > 0) {
    const allow = cors({ origin: deps.config.CORS_ORIGINS, exposeHeaders: exposedHeaders, maxAge: 600 });
    const preflight = observe(unmatched, (c) => {
      const headers = { ...personalHeaders, 'X-Request-Id': c.get('arrival').requestId };
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      return allow(c, async () => {}) as Promise<Response>;
    });
    app.use(async (c, next) => {
      if (c.req.method !== 'OPTIONS') return allow(c, next);
      return c.req.header('Access-Control-Request-Method') === undefined ? next() : preflight(c);
    });
  }

  const mount = mounter(serve, deps);
  mountHealth(mount);
  mountAuth(mount);
  mountAccount(mount, deps);
  mountConsents(mount);
  mountEmail(mount);
  mountFactors(mount);
  mountAudit(mount);
  mountKeys(mount);
  mountCatalog(mount);
  mountClinicProfile(mount);
  mountDoctorsAdmin(mount);
  mountSessionsAdmin(mount);
  mountSchedulesAdmin(mount);
  mountClosuresAdmin(mount);
  mountPeople(mount);
  mountFamily(mount);
  mountPatients(mount);
  mountPrivacy(mount);
  mountMerges(mount);
  mountStatistics(mount);
  mountListing(mount);
  mountBookings(mount);
  mountWaitlist(mount);
  mountSeries(mount);
  mountFeeds(mount);
  mountClosureResolving(mount);
  mountWebhooks(mount);
  mountClinic(mount);
  mountQueues(mount);
  mountNotices(mount);

  mountRoot(serve);
  mountReference(serve, deps);
  mountPages(serve, deps);
  mountNoticePages(serve, deps);
  mountLogo(serve, deps);
  mountOwn?.(serve);

  const refuse = observe(unmatched, (c) => {
    const methods = allowedMethods(app, c.req.path);
    if (methods.length === 0) return respondFailure(c, 'not_found');
    return respondFailure(c, 'method_not_allowed', { headers: { Allow: methods.join(', ') } });
  });
  app.notFound(refuse);
  app.onError(failed);

  return app;
};
