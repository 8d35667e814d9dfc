import type { Context } from 'hono';
import type { Compress, Deps } from '../deps.ts';
import type { ErrorCode } from '../endpoint/errors.ts';
import type { Language } from '../endpoint/messages.ts';

export interface RequestFacts {
  requestId: string;
  language: Language;
}

/** What an action is told of the request. */
export interface RequestContext extends RequestFacts {
  deps: Deps;
  now: number;
  header: (name: string) => string | undefined;
  clientAddress: () => string;
}

export type AppEnv = {
  Bindings: object;
  Variables: RequestFacts & {
    failure?: ErrorCode;
    compress?: Compress;
    /** Asks the database whether the caller may ask at all, and throws where not; `params` once they are valid. */
    assertMayAsk?: (params: unknown) => Promise<unknown>;
  };
};

/** What is told of a request before anything of it is judged. */
export const requestContext = (c: Context<AppEnv>, deps: Deps, now: number): RequestContext => ({
  deps,
  now,
  requestId: c.get('requestId'),
  language: c.get('language'),
  header: (name) => c.req.header(name),
  clientAddress: () => deps.clientAddress(c.req.raw, c.env),
});
