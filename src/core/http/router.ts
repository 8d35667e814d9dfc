import type { Hono } from 'hono';
import { METHOD_NAME_ALL, type Params, type Result, type Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import type { AppEnv } from './context.ts';

interface Matcher {
  tree: TrieRouter<number>;
  /** The routes without parameters, as method and path. */
  fixed: ReadonlySet<string>;
  fixedPaths: ReadonlySet<string>;
}

/** The routes that an app has so far: apps that add the same routes in the same order share it, and its tree. */
class Shape {
  readonly #before: Shape | null;
  readonly #method: string;
  readonly #path: string;
  readonly #next = new Map<string, Shape>();
  #matcher: Matcher | undefined;

  constructor(before: Shape | null = null, method = '', path = '') {
    this.#before = before;
    this.#method = method;
    this.#path = path;
  }

  with(method: string, path: string): Shape {
    const name = `${method} ${path}`;
    let next = this.#next.get(name);
    if (next === undefined) {
      next = new Shape(this, method, path);
      this.#next.set(name, next);
    }
    return next;
  }

  /** Finds routes by their numbers, in the order in which they were added. */
  get matcher(): Matcher {
    this.#matcher ??= this.#build();
    return this.#matcher;
  }

  #build(): Matcher {
    const routes: { method: string; path: string }[] = [];
    for (let one: Shape = this; one.#before !== null; one = one.#before)
      routes.unshift({ method: one.#method, path: one.#path });
    const tree = new TrieRouter<number>();
    for (const [at, { method, path }] of routes.entries()) tree.add(method, path, at);
    const fixed = routes.filter(({ path }) => !/[:*]/.test(path));
    const ofMethods = fixed.filter(({ method }) => method !== METHOD_NAME_ALL);
    return {
      tree,
      fixed: new Set(fixed.map(({ method, path }) => `${method} ${path}`)),
      fixedPaths: new Set(ofMethods.map(({ path }) => path)),
    };
  }
}

const noRoutes = new Shape();

/**
 * Hono's tree of routes, made once for all apps of the same routes, with the matches of paths without parameters cached,
 * since it searches at every request. Its fast router refuses `/v1/bookings/:id` beside `/v1/bookings/history`, so that
 * it would only make the Worker larger.
 */
export class CachedRouter<T> implements Router<T> {
  readonly name = 'CachedRouter';
  readonly #handlers: T[] = [];
  readonly #fixed = new Map<string, Result<T>>();
  #shape = noRoutes;

  add(method: string, path: string, handler: T): void {
    this.#shape = this.#shape.with(method, path);
    this.#handlers.push(handler);
  }

  match(method: string, path: string): Result<T> {
    const name = `${method} ${path}`;
    const cached = this.#fixed.get(name);
    if (cached !== undefined) return cached;
    const { tree, fixed, fixedPaths } = this.#shape.matcher;
    const isFixed = fixed.has(name);
    // `/v1/bookings/history` never matches `/v1/bookings/:id`, whatever the method: a method that it does not have is
    // 405.
    const isOtherMethod = !isFixed && fixedPaths.has(path);
    const [found] = tree.match(isOtherMethod ? METHOD_NAME_ALL : method, path) as [[number, Params][]];
    const matched: Result<T> = [found.map(([at, params]) => [this.#handlers[at] as T, params])];
    if (isFixed) this.#fixed.set(name, matched);
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
