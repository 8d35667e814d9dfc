import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * Hono's tree of routes, with the matches of paths without parameters cached, since it searches at every request. Its fast
 * router refuses `/v1/bookings/:id` beside `/v1/bookings/history`, so that it would only make the Worker larger.
 */
export class CachedRouter<T> implements Router<T> {
  readonly name = 'CachedRouter';
  readonly #router = new TrieRouter<T>();
  readonly #fixed = new Map<string, Map<string, Result<T> | undefined>>();

  add(method: string, path: string, handler: T): void {
    this.#router.add(method, path, handler);
    if (/[:*]/.test(path)) return;
    const paths = this.#fixed.get(method);
    if (paths === undefined) this.#fixed.set(method, new Map([[path, undefined]]));
    else paths.set(path, undefined);
  }

  match(method: string, path: string): Result<T> {
    const paths = this.#fixed.get(method);
    const cached = paths?.get(path);
    if (cached !== undefined) return cached;
    const matched = this.#router.match(method, path);
    if (paths?.has(path)) paths.set(path, matched);
    return matched;
  }
}
