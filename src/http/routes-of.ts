import type { Hono } from 'hono';
import type { AppEnv } from './context.ts';

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replace(/\/\*$/, '(/.*)?')}$`);

/** The methods that a path knows, for `Allow` (RFC 9110, 10.2.1); none when the path is unknown. */
export const allowedMethods = (app: Hono<AppEnv>, path: string): string[] => {
  const routes = app.routes.filter((route) => route.method !== 'ALL');
  const exact = routes.filter((route) => route.path === path);
  // A name of its own, such as `history`, is no `{id}`.
  const matching = exact.length > 0 ? exact : routes.filter((route) => patternOf(route.path).test(path));
  const methods = matching.map((route) => route.method);
  const known = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return [...known];
};
