import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * Hono's own choice of routers, with the matches of paths without parameters cached: its fast router refuses
 * `/v1/bookings/:id` beside `/v1/bookings/history`, and the other searches its tree at every request.
 */
export class CachedRouter<T> implements Router<T> {
  readonly name = 'CachedRouter';
  readonly #router = new SmartRouter<T>({ routers: [new RegExpRouter(), new TrieRouter()] });
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
