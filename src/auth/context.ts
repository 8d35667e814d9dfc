import type { Role } from '../endpoint/endpoint.ts';
import type { RequestContext } from '../http/context.ts';
import type { ResponseToStore } from '../idempotency/key.ts';
import type { findLiveLogin } from './queries.ts';

/** What a verified access token says. Only the database says whether it still holds. */
export interface Claims {
  userId: string;
  deviceLoginId: string;
  /** The refresh token that it came with, counted from 0 in its device login; tokens of before have none. */
  generation?: number;
}

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
