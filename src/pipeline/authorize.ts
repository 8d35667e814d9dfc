import type { Actor, AnyActor, LiveLogin } from '../auth/context.ts';
import type { KeyClaims } from '../auth/keys/key.ts';
import { findKnownKey, type KnownKey } from '../auth/keys/queries.ts';
import { admitKey, isKeyCaller, proveKey, refuseUnknownKey } from '../auth/keys/use.ts';
import { noteSeen } from '../auth/last-seen.ts';
import { findLiveLogin } from '../auth/queries.ts';
import { assertRecent } from '../auth/recent-login.ts';
import type { Claims } from '../crypto/token-keys.ts';
import { runAll, type Statement } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import type { Role } from '../endpoint/endpoint.ts';
import { Failure } from '../endpoint/errors.ts';
import { refusedToken } from '../endpoint/refused-token.ts';
import type { GuardedEndpoint, Rows, Statements } from '../handler.ts';
import type { RequestContext } from '../http/context.ts';

/** What a token says of whoever sends it: a person's login, or a key of the clinic. */
export type Caller = Claims | KeyClaims;

/** A request that may be answered, with what was read on the way. */
export interface Authorized<Row, S extends Statements> {
  actor: AnyActor;
  /** What the database knows of the login or of the key. */
  login: LiveLogin | KnownKey;
  resource: Row | undefined;
  rows: Rows<S>;
  /** How many requests the key has left. */
  headers?: Record<string, string>;
}

/** The read of the record that a path names, and the rule that says who may see it. */
export interface NamedResource<Row> {
  read: Statement<Row[]>;
  resource: { visible(row: Row, actor: AnyActor): boolean };
}

type Admission = Pick<GuardedEndpoint, 'access' | 'beforeEnrolment' | 'recentLogin' | 'scope'>;

const assertRole = ({ access }: Admission, role: Role): void => {
  if (access !== 'bearer' && !access.includes(role)) throw new Failure('forbidden');
};

/** Where the role has to have a second factor, a login without one serves to set one up and for nothing else. */
const assertEnrolled = ({ config }: Deps, { beforeEnrolment }: Admission, login: LiveLogin): void => {
  if (login.secondFactorAt !== null || beforeEnrolment) return;
  if (config.REQUIRE_SECOND_FACTOR.includes(login.role))
    throw new Failure('second_factor_enrolment_required');
};

/** Throws unless the login is valid, and its role is allowed. Notes that the caller was seen. */
const admitPerson = (
  deps: Deps,
  endpoint: Admission,
  caller: Claims,
  login: LiveLogin | undefined,
  now: number,
): Actor => {
  if (login === undefined) throw refusedToken();
  noteSeen(deps, caller, login, now);
  const actor: Actor = { ...caller, role: login.role, doctorId: login.doctorId };
  assertRole(endpoint, actor.role);
  assertEnrolled(deps, endpoint, login);
  if (endpoint.recentLogin === true) assertRecent(login, now);
  return actor;
};

/** Throws unless the record that the path names is there, and the caller may see it. */
const assertVisible = <Row>(
  named: NamedResource<Row> | undefined,
  results: readonly unknown[],
  actor: AnyActor,
): Row | undefined => {
  if (named === undefined) return undefined;
  const [resource] = results[1] as Row[];
  if (resource === undefined || !named.resource.visible(resource, actor)) throw new Failure('not_found');
  return resource;
};

/**
 * Reads the caller's login or key, the named record and the handler's own reads in one batch. Throws unless the login
 * is valid, its role is allowed or the key has the scope, and the caller may see the record.
 */
export const authorize = <Row, const S extends Statements>(
  request: RequestContext,
  endpoint: Admission,
  caller: Caller,
  named: NamedResource<Row> | undefined,
  reads: S,
): Promise<Authorized<Row, S>> => {
  const { deps, now } = request;
  const { db } = deps;
  if (isKeyCaller(caller) && !caller.isProved)
    return proveKey(request, caller).then((proved) => authorize(request, endpoint, proved, named, reads));
  const known = isKeyCaller(caller)
    ? findKnownKey(db, { id: caller.userId, hash: caller.hash })
    : findLiveLogin(db, { ...caller, now });
  const statements = named === undefined ? [known, ...reads] : [known, named.read, ...reads];
  // Not async: every request waits for it, and this is one promise less.
  return runAll<readonly Statement[]>(db, statements).then((results) => {
    const rows = results.slice(named === undefined ? 1 : 2) as Rows<S>;
    if (isKeyCaller(caller)) {
      const [key] = results[0] as KnownKey[];
      if (key === undefined) return refuseUnknownKey(request);
      const { actor, headers } = admitKey(deps, endpoint.scope, key, now);
      return { actor, login: key, resource: assertVisible(named, results, actor), rows, headers };
    }
    const [login] = results[0] as LiveLogin[];
    const actor = admitPerson(deps, endpoint, caller, login, now);
    return { actor, login: login as LiveLogin, resource: assertVisible(named, results, actor), rows };
  });
};
