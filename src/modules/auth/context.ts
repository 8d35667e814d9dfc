import type { Claims } from '../../core/crypto/token-keys.ts';
import type { Role, Scope } from '../../core/endpoint/endpoint.ts';
import type { RequestContext } from '../../core/http/context.ts';
import type { ResponseToStore } from '../../core/idempotency/key.ts';
import type { findLiveLogin } from './queries.ts';

/** The content of a presented key; the database decides whether the key is active. */
export interface KeyClaims {
  /** The key's id: it acts under it as a person acts under theirs. */
  userId: string;
  hash: string;
  /** Whether the key was surely issued: it has this server's mark, or was active a moment ago. */
  isProved: boolean;
}

/** An API key that makes the request: it acts for the clinic, and never as one of its people. */
export interface KeyActor {
  /** The key's id, used in place of a person's id. */
  userId: string;
  deviceLoginId: null;
  role: 'api_key';
  doctorId: null;
  scopes: readonly Scope[];
}

/** The person who makes the request, as stored in the database at this moment. */
export interface Actor extends Claims {
  role: Role;
  /** For the role `doctor`: the doctor whose bookings this person manages. */
  doctorId: string | null;
}

export type AnyActor = Actor | KeyActor;

/** A valid device login with its account. */
export type LiveLogin = ReturnType<typeof findLiveLogin>['_']['result'][number];

/** The context of an action that a person or an API key can request. */
export interface AnyContext extends RequestContext {
  actor: AnyActor;
  /** How long before its start a patient may last cancel a booking, as it was read together with the caller. */
  cancelLeadMinutes: number;
  /** Makes the response to store for a repeated request; null without an idempotency key. */
  toStoredResponse: ResponseToStore;
}

/** The context of an action that only a person can request. */
export interface AuthenticatedContext extends AnyContext {
  actor: Actor;
  login: LiveLogin;
}
