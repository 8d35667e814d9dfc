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
  readonly #cached = new Map<string, Result<T>>();
  readonly #tree = new TrieRouter<T>();
  /** The routes without parameters, as method and path. */
  readonly #fixed = new Set<string>();
  readonly #fixedPaths = new Set<string>();

  add(method: string, path: string, handler: T): void {
    this.#tree.add(method, path, handler);
    if (/[:*]/.test(path)) return;
    this.#fixed.add(`${method} ${path}`);
    if (method !== METHOD_NAME_ALL) this.#fixedPaths.add(path);
  }

  match(method: string, path: string): Result<T> {
    const name = `${method} ${path}`;
    const cached = this.#cached.get(name);
    if (cached !== undefined) return cached;
    const isFixed = this.#fixed.has(name);
    // `/v1/bookings/history` never matches `/v1/bookings/:id`, whatever the method: a method that it does not have is
    // 405.
    const isOtherMethod = !isFixed && this.#fixedPaths.has(path);
    const matched = this.#tree.match(isOtherMethod ? METHOD_NAME_ALL : method, path);
    if (isFixed) this.#cached.set(name, matched);
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
