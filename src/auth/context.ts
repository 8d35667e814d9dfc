import type { Claims } from '../crypto/token-keys.ts';
import type { Role } from '../endpoint/endpoint.ts';
import type { RequestContext } from '../http/context.ts';
import type { ResponseToStore } from '../idempotency/key.ts';
import type { findLiveLogin } from './queries.ts';

/** The person who makes the request, as stored in the database at this moment. */
export interface Actor extends Claims {
  role: Role;
  /** For the role `doctor`: the doctor whose bookings this person manages. */
  doctorId: string | null;
}

/** A valid device login with its account. */
export type LiveLogin = ReturnType<typeof findLiveLogin>['_']['result'][number];

/** What an action gets of an authenticated request. */
export interface AuthenticatedContext extends RequestContext {
  actor: Actor;
  login: LiveLogin;
  /** Makes the response to store for a repeated request; null without an idempotency key. */
  storedResponseOf: ResponseToStore;
}
