import type { Hono } from 'hono';
import { METHOD_NAME_ALL, type Result, type Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import type { AppEnv } from './context.ts';

/**
 * Hono's tree of routes, with the matches of paths without parameters cached, since it searches at every request. Its fast
 * router refuses `/v1/bookings/:id` beside `/v1/bookings/history`, so that it would only make the Worker larger.
 */
export class CachedRouter<T> implements Router<T> {
  readonly name = 'CachedRouter';
  readonly #router = new TrieRouter<T>();
  readonly #fixed = new Map<string, Map<string, Result<T> | undefined>>();
  readonly #fixedPaths = new Set<string>();

  add(method: string, path: string, handler: T): void {
    this.#router.add(method, path, handler);
    if (/[:*]/.test(path)) return;
    if (method !== METHOD_NAME_ALL) this.#fixedPaths.add(path);
    const paths = this.#fixed.get(method);
    if (paths === undefined) this.#fixed.set(method, new Map([[path, undefined]]));
    else paths.set(path, undefined);
  }

  match(method: string, path: string): Result<T> {
    const paths = this.#fixed.get(method);
    const cached = paths?.get(path);
    if (cached !== undefined) return cached;
    // `/v1/bookings/history` never matches `/v1/bookings/:id`, whatever the method: a method that it does not have is
    // 405.
    const isOtherMethod = paths?.has(path) !== true && this.#fixedPaths.has(path);
    const matched = this.#router.match(isOtherMethod ? METHOD_NAME_ALL : method, path);
    if (paths?.has(path)) paths.set(path, matched);
    return matched;
  }
}

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replace(/\/\*$/, '(/.*)?')}$`);

/** The methods that a path knows, for `Allow` (RFC 9110, 10.2.1); none when the path is unknown. */
export const allowedMethods = (app: Hono<AppEnv>, path: string): string[] => {
  const routes = app.routes.filter((route) => route.method !== 'ALL');
  const exact = routes.filter((route) => route.path === path);
  // A fixed segment, such as `history`, never matches `{id}`.
  const matching = exact.length > 0 ? exact : routes.filter((route) => toPattern(route.path).test(path));
  const methods = matching.map((route) => route.method);
  const known = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return [...known];
};
