import type { Context } from 'hono';
import type { Compress, Deps } from '../deps.ts';
import type { ErrorCode } from '../endpoint/errors.ts';
import type { Language } from '../endpoint/messages.ts';
import type { Format } from './format.ts';

interface RequestFacts {
  requestId: string;
  language: Language;
}

/** The state of a request from its arrival, in one variable: Hono stores each variable in a map. */
export interface Arrival extends RequestFacts {
  compress: Compress | undefined;
  /** How it is answered, if not as `/v1` is. */
  format: Format | undefined;
}

/** The context that an action gets from every request. */
export interface RequestContext extends RequestFacts {
  deps: Deps;
  now: number;
  header: (name: string) => string | undefined;
  clientAddress: () => string;
  /** Aborts when the client has gone. */
  gone: () => AbortSignal;
}

/** What is handed in with a request: whose clinic it is for, and what the runtime says of it. */
interface Handed {
  /** Those of the clinic; the routes of a deployment have none. */
  deps?: Deps;
  bindings: unknown;
  /** The Authorization header where it was read before the app: Node's server searches all headers for it. */
  authorization?: string | null | undefined;
}

export type AppEnv = {
  Bindings: Handed;
  Variables: {
    arrival: Arrival;
    failure?: ErrorCode;
    /** Throws unless the caller may make this request; gets `params` only once they are valid. */
    assertAuthorized?: (params: object | undefined) => Promise<unknown>;
  };
};

/** The dependencies of the clinic that a request is for: one app serves all clinics of a process. */
export const depsOf = (c: Context<AppEnv>): Deps => {
  const { deps } = c.env;
  if (deps === undefined) throw new Error('A route of a clinic was asked without one.');
  return deps;
};

export const headerOf = (c: Context<AppEnv>, name: string): string | undefined => {
  const { authorization } = c.env;
  const isRead = authorization !== undefined && name === 'authorization';
  return isRead ? (authorization ?? undefined) : c.req.header(name);
};

/** The context of a request before any check of it. */
export const requestContext = (c: Context<AppEnv>, deps: Deps, now: number): RequestContext => {
  const { requestId, language } = c.get('arrival');
  return {
    deps,
    now,
    requestId,
    language,
    header: (name) => c.req.header(name),
    clientAddress: () => deps.clientAddress(c.req.raw, c.env.bindings),
    gone: () => c.req.raw.signal,
  };
};
