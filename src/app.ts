import type { Hono } from 'hono';
import type { Deps } from './core/deps.ts';
import { type AppEnv, depsOf } from './core/http/context.ts';
import { allowOrigins } from './core/http/cors.ts';
import { isBelow } from './core/http/format.ts';
import { type Serve, unmatched } from './core/http/observed.ts';
import { createObservedApp } from './core/http/observed-app.ts';
import { mountPages } from './core/http/pages/routes.ts';
import { withPublicCache } from './core/http/public-cache.ts';
import { respondFailure } from './core/http/respond.ts';
import { allowedMethods } from './core/http/router.ts';
import type { Config } from './core/settings/config.ts';
import { mounts } from './interface/contracts.ts';
import { failureFormats } from './interface/dialects.ts';
import { mountRoot } from './interface/reference/root.ts';
import { mountReference } from './interface/reference/routes.ts';
import { mountLinkPages } from './modules/booking/links/routes.ts';
import { spokenBpjs } from './modules/bpjs/inbound/routes.ts';
import { mountLogo } from './modules/catalog/clinic/logo-route.ts';
import { mountDoctorPages } from './modules/catalog/pages/page-routes.ts';
import { spokenFhir } from './modules/fhir/routes.ts';
import type { Spoken } from './modules/handler.ts';
import { mountNoticePages } from './modules/notices/page-routes.ts';
import { withTestKeys } from './modules/sandbox/front.ts';
import { mountSandbox, mountTestKeys } from './modules/sandbox/routes.ts';
import { mounter } from './pipeline/mount.ts';

/** Which parts an app has, by the settings of its clinic. */
interface AppParts {
  hasOrigins: boolean;
  speaksFhir: boolean;
  bpjs: Config['BPJS'];
  isSandbox: boolean;
  hasSandbox: boolean;
}

const partsOf = ({ config, sandbox, besideSandbox }: Deps): AppParts => ({
  hasOrigins: config.CORS_ORIGINS.length > 0,
  speaksFhir: config.FHIR === 'on',
  bpjs: config.BPJS,
  isSandbox: sandbox !== undefined,
  hasSandbox: besideSandbox !== undefined,
});

/** What is spoken beside `/v1`. */
const listSpoken = ({ speaksFhir, bpjs }: AppParts): readonly Spoken[] => [
  ...(speaksFhir ? [spokenFhir] : []),
  ...(bpjs === undefined ? [] : [spokenBpjs(bpjs)]),
];

type MountOwn = (serve: Serve) => void;

/** All endpoints, the runtime's own routes, and the answers to errors; whose clinic it is comes with each request. */
const makeApp = (parts: AppParts, spoken: readonly Spoken[], mountOwn?: MountOwn): Hono<AppEnv> => {
  const { app, observe, serve } = createObservedApp(depsOf);

  if (parts.hasOrigins) allowOrigins(app, observe);

  const mount = mounter(serve);
  for (const mountEndpoints of mounts) mountEndpoints(mount);

  if (parts.isSandbox) mountSandbox(mount);
  if (parts.hasSandbox) mountTestKeys(mount, serve);

  for (const { dialect, mountRoutes } of spoken) mountRoutes(mounter(serve, dialect));

  mountRoot(serve);
  mountReference(serve);
  mountPages(serve, (c) => depsOf(c).publicFile);
  mountNoticePages(serve);
  mountLinkPages(serve);
  mountLogo(serve);
  mountDoctorPages(serve);
  mountOwn?.(serve);

  const refuse = observe(unmatched, (c) => {
    const format = spoken.find(({ dialect }) => isBelow(dialect, c.req.path))?.dialect;
    Object.assign(c.get('arrival'), { format, ...(format?.language && { language: format.language }) });
    const methods = allowedMethods(app, c.req.path);
    if (methods.length === 0) return respondFailure(c, 'not_found');
    return respondFailure(c, 'method_not_allowed', { headers: { Allow: methods.join(', ') } });
  });
  app.notFound(refuse);

  return app;
};

/** By their parts, the apps of all clinics of this process: a thousand clinics with the same parts have one. */
const apps = new Map<string, Hono<AppEnv>>();

const sharedApp = (parts: AppParts): Hono<AppEnv> => {
  const key = JSON.stringify(parts);
  const made = apps.get(key) ?? makeApp(parts, listSpoken(parts));
  apps.set(key, made);
  return made;
};

export interface App extends Pick<Hono<AppEnv>, 'routes'> {
  fetch: (request: Request, bindings?: unknown) => Response | Promise<Response>;
  /** Asks by an address or its path alone. */
  request: (address: string, init?: RequestInit) => Response | Promise<Response>;
}

/** The app of a clinic; one with routes of its runtime, or with other dialects, shares nothing. */
export const createApp = (deps: Deps, mountOwn?: MountOwn, spoken?: readonly Spoken[]): App => {
  const parts = partsOf(deps);
  const isOwn = mountOwn !== undefined || spoken !== undefined;
  const app = isOwn ? makeApp(parts, spoken ?? listSpoken(parts), mountOwn) : sharedApp(parts);
  let ask = (request: Request, bindings?: unknown, authorization?: string | null) =>
    app.fetch(request, { deps, bindings, authorization });
  const { publicCache: cache, clock, background } = deps;
  if (deps.config.PUBLIC_CACHE === 'on' && cache !== undefined)
    ask = withPublicCache(ask, { cache, clock, background });
  const fetch: App['fetch'] =
    deps.sandbox === undefined
      ? withTestKeys(ask, deps.besideSandbox, failureFormats, deps.config.CORS_ORIGINS)
      : (request, bindings) => ask(request, bindings);
  const request: App['request'] = (address, init) =>
    fetch(new Request(new URL(address, 'http://localhost'), init));
  return { fetch, request, routes: app.routes };
};
