import type { Hono } from 'hono';
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
import { mountOfferPages } from './booking/waitlist/page-routes.ts';
import { mountWaitlist } from './booking/waitlist/routes.ts';
import { mountLogo } from './catalog/clinic/logo-route.ts';
import { mountClinicProfile } from './catalog/clinic/routes.ts';
import { mountClosuresAdmin } from './catalog/closures/routes.ts';
import { mountDoctorsAdmin } from './catalog/doctors/routes.ts';
import { mountHolidays } from './catalog/holidays/routes.ts';
import { mountSchedulesAdmin } from './catalog/schedules/routes.ts';
import { mountSessionsAdmin } from './catalog/sessions/routes.ts';
import { mountCatalog } from './catalog/slots/routes.ts';
import type { Deps } from './deps.ts';
import { mountDataExport } from './exports/routes.ts';
import { spokenFhir } from './fhir/routes.ts';
import type { Spoken } from './handler.ts';
import { mountHealth } from './health/routes.ts';
import type { AppEnv } from './http/context.ts';
import { allowOrigins } from './http/cors.ts';
import { failureAnswer } from './http/failed.ts';
import { isBelow } from './http/format.ts';
import { observer, type Serve, unmatched } from './http/observed.ts';
import { respondFailure } from './http/respond.ts';
import { allowedMethods, CachedRouter } from './http/router.ts';
import { mountNoticePages } from './notices/page-routes.ts';
import { mountNotices } from './notices/routes.ts';
import { mountPages } from './pages/routes.ts';
import { mountClaims } from './patients/claim/routes.ts';
import { mountPatients } from './patients/desk/routes.ts';
import { mountErasure } from './patients/erasure/routes.ts';
import { mountExport } from './patients/export/routes.ts';
import { mountFamily } from './patients/family/routes.ts';
import { mountImports } from './patients/import/routes.ts';
import { mountMerges } from './patients/merge/routes.ts';
import { mountPeople } from './people/routes.ts';
import { mounter } from './pipeline/mount.ts';
import { mountRoot } from './reference/root.ts';
import { mountReference } from './reference/routes.ts';
import { mountSetup } from './setup/routes.ts';
import { mountWebhooks } from './webhooks/routes.ts';

/** What is spoken beside `/v1`, where its setting is on. */
const listSpoken = (deps: Deps): readonly Spoken[] => [
  ...(deps.config.FHIR === 'on' ? [spokenFhir(deps)] : []),
];

/** The Hono app: all endpoints, the runtime's own routes, and the answers to errors. */
export const createApp = (
  deps: Deps,
  mountOwn?: (serve: Serve) => void,
  spoken = listSpoken(deps),
): Hono<AppEnv> => {
  const app: Hono<AppEnv> = new HonoBase<AppEnv>({ router: new CachedRouter() });
  const failed = failureAnswer(deps);
  const observe = observer(deps, failed);
  const serve: Serve = (method, path, handle, format) =>
    void app.on([method], [path], observe(path, handle, format));

  allowOrigins(app, deps.config.CORS_ORIGINS, observe);

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
  mountHolidays(mount);
  mountSetup(mount);
  mountPeople(mount);
  mountFamily(mount);
  mountPatients(mount);
  mountImports(mount);
  mountExport(mount);
  mountDataExport(mount);
  mountErasure(mount);
  mountMerges(mount);
  mountClaims(mount);
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

  for (const { dialect, mountRoutes } of spoken) mountRoutes(mounter(serve, deps, dialect));

  mountRoot(serve);
  mountReference(serve, deps);
  mountPages(serve, deps);
  mountNoticePages(serve, deps);
  mountOfferPages(serve, deps);
  mountLogo(serve, deps);
  mountOwn?.(serve);

  const refuse = observe(unmatched, (c) => {
    c.get('arrival').format = spoken.find(({ dialect }) => isBelow(dialect, c.req.path))?.dialect;
    const methods = allowedMethods(app, c.req.path);
    if (methods.length === 0) return respondFailure(c, 'not_found');
    return respondFailure(c, 'method_not_allowed', { headers: { Allow: methods.join(', ') } });
  });
  app.notFound(refuse);
  app.onError(failed);

  return app;
};
