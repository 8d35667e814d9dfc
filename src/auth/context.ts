import type { Claims } from '../crypto/token-keys.ts';
import type { Role } from '../endpoint/endpoint.ts';
import type { RequestContext } from '../http/context.ts';
import type { ResponseToStore } from '../idempotency/key.ts';
import type { findLiveLogin } from './queries.ts';

/** Who asks, as the database has it at this request. */
export interface Actor extends Claims {
  role: Role;
  /** The doctor whose bookings this person runs, for the role `doctor`. */
  doctorId: string | null;
}

/** The device login that holds, with the account behind it. */
export type LiveLogin = ReturnType<typeof findLiveLogin>['_']['result'][number];

/** What an action is told of the request of somebody whose login holds. */
export interface AuthenticatedContext extends RequestContext {
  actor: Actor;
  login: LiveLogin;
  /** The response to store for a repetition of the request; null without an idempotency key. */
  storedResponseOf: ResponseToStore;
}
