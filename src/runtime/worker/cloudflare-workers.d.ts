declare module 'cloudflare:workers' {
  /** Lets work go on after the answer to the request that is being served. */
  export function waitUntil(work: Promise<unknown>): void;

  /** What an object of the platform is given; @cloudflare/workers-types has all of it. */
  export abstract class DurableObject<Bindings = unknown> {
    protected ctx: import('@cloudflare/workers-types').DurableObjectState;
    protected env: Bindings;
    constructor(ctx: import('@cloudflare/workers-types').DurableObjectState, env: Bindings);
  }

  /** Something that is handed to another Worker, which calls it here. */
  export abstract class RpcTarget {}
}

/** The platform's own cache, which the types of browsers do not have. */
interface CacheStorage {
  readonly default: Cache;
}
