import { run } from '../../../core/db/db.ts';
import type { Deps, KeyUse } from '../../../core/deps.ts';
import type { Scope } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { rateLimited } from '../../../core/endpoint/rate-limited.ts';
import { refusedToken } from '../../../core/endpoint/refused-token.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { toNetwork, toSite } from '../../../core/http/network.ts';
import type { KeyActor, KeyClaims } from '../context.ts';
import { keyRefused } from '../sentences.ts';
import type { Policy } from '../throttle/rules.ts';
import { throttled } from '../throttle/throttled.ts';
import { keyClaims } from './key.ts';
import { findKnownKey, type KnownKey, touchKey } from './queries.ts';
import { buildLimitHeaders, computeStatus, computeWait, lastUsedAgeMs, toLimit } from './rules.ts';

/** Throws if the key has used up its allowance. */
const assertRoom = ({ config }: Deps, emptyAt: number, now: number): Policy | null => {
  if (config.RATE_LIMIT === 'off') return null;
  const limit = toLimit(config.API_KEY_REQUESTS_PER_MINUTE);
  const wait = computeWait(limit, emptyAt, now);
  if (wait > 0) throw rateLimited(Math.ceil(wait / 1000), buildLimitHeaders(limit, emptyAt, now));
  return limit;
};

/**
 * Returns the claims of an API key that was sent as a bearer token. If the key was active a moment ago and has used up
 * its allowance, it throws without a query.
 */
export const identifyKey = async (deps: Deps, key: string, now: number): Promise<KeyClaims> => {
  const claims = await keyClaims(deps.tokenKeys, key);
  if (claims === null) throw refusedToken(keyRefused);
  const use = deps.keyUse.get(claims.userId);
  if (use === undefined) return claims;
  assertRoom(deps, use.emptyAt, now);
  return { ...claims, isProved: true };
};

/**
 * Counts a request of a key, or throws if its allowance is used up. Each process counts for itself: the limit protects
 * the clinic's database from a faulty program, and costs no write.
 */
const countRequest = (deps: Deps, use: KeyUse, now: number): Record<string, string> => {
  const limit = assertRoom(deps, use.emptyAt, now);
  if (limit === null) return {};
  use.emptyAt = Math.max(use.emptyAt, now) + limit.drainMs;
  return buildLimitHeaders(limit, use.emptyAt, now);
};

/** After the answer: stores that the key was used, at most once a minute. */
const noteUsed = (deps: Deps, use: KeyUse, { id, lastUsedAt }: KnownKey, now: number): void => {
  const before = now - lastUsedAgeMs;
  if (Math.max(lastUsedAt ?? 0, use.notedAt) > before) return;
  use.notedAt = now;
  deps.background(run(deps.db, touchKey(deps.db, { id, now, before })));
};

const findUse = ({ keyUse }: Deps, id: string): KeyUse => {
  const use = keyUse.get(id) ?? { emptyAt: 0, notedAt: 0 };
  keyUse.set(id, use);
  return use;
};

const assertScope = (scope: Scope | undefined, scopes: readonly Scope[]): void => {
  if (scope !== undefined && scopes.includes(scope)) return;
  const needed = scope === undefined ? '' : `, scope="${scope}"`;
  throw new Failure('insufficient_scope', {
    extras: { scope: scope ?? null },
    headers: { 'WWW-Authenticate': `Bearer realm="janji", error="insufficient_scope"${needed}` },
  });
};

/** A key that may make the request, and how many more it may make. */
interface Admitted {
  actor: KeyActor;
  headers: Record<string, string>;
}

/** Throws unless the key is active, is within its allowance, and has the scope. Records that it was used. */
export const admitKey = (deps: Deps, scope: Scope | undefined, key: KnownKey, now: number): Admitted => {
  if (computeStatus(key, now) !== 'active') throw refusedToken(keyRefused);
  const use = findUse(deps, key.id);
  const headers = countRequest(deps, use, now);
  noteUsed(deps, use, key, now);
  const scopes: readonly Scope[] = JSON.parse(key.scopes);
  assertScope(scope, scopes);
  return { actor: { userId: key.id, deviceLoginId: null, role: 'api_key', doctorId: null, scopes }, headers };
};

/** Throws the answer to an unknown key: networks that continue to try are slowed down. */
export const refuseUnknownKey = (request: RequestContext): Promise<never> => {
  const address = request.clientAddress();
  const account = toSite(address) ?? toNetwork(address);
  return throttled<never>(request, { act: 'api-key', account }, async () => {
    throw refusedToken(keyRefused);
  });
};

/**
 * Looks up a key that may be invented in a query of its own. Usually a request reads the key together with its data,
 * but a request without a valid key must not make the database read anything else.
 */
export const proveKey = async (
  request: RequestContext,
  { userId: id, hash }: KeyClaims,
): Promise<KeyClaims> => {
  const { db } = request.deps;
  const [known] = await run(db, findKnownKey(db, { id, hash }));
  return known === undefined ? refuseUnknownKey(request) : { userId: id, hash, isProved: true };
};

/** Whether a token was a key of the clinic. */
export const isKeyCaller = (caller: object): caller is KeyClaims => 'hash' in caller;
