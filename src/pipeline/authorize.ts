import { resolveRule } from '../core/clinic/rules.ts';
import type { Claims } from '../core/crypto/token-keys.ts';
import { runAll, type Statement } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import type { Role } from '../core/endpoint/endpoint.ts';
import { Failure } from '../core/endpoint/errors.ts';
import { refusedToken } from '../core/endpoint/refused-token.ts';
import type { RequestContext } from '../core/http/context.ts';
import type { Actor, AnyActor, KeyClaims, LiveLogin } from '../modules/auth/context.ts';
import { findKnownKey, type KnownKey } from '../modules/auth/keys/queries.ts';
import { admitKey, isKeyCaller, proveKey, refuseUnknownKey } from '../modules/auth/keys/use.ts';
import { noteSeen } from '../modules/auth/last-seen.ts';
import { findLiveLogin } from '../modules/auth/queries.ts';
import { assertRecent } from '../modules/auth/recent-login.ts';
import type { AuthenticatedEndpoint, Statements } from '../modules/handler.ts';

/** The claims of the caller's token: a person's login, or a key of the clinic. */
type Caller = Claims | KeyClaims;

/** The authorized caller. */
interface Admitted {
  actor: AnyActor;
  /** The database's data of a person's login; null for a key of the clinic. */
  login: LiveLogin | null;
  cancelLeadMinutes: number;
  /** How many requests the key has left. */
  headers?: Record<string, string>;
}

/** An authorized request, with the data that was read on the way. */
interface Authorized<Row> {
  admitted: Admitted;
  resource: Row | undefined;
  /** The results of the route's own reads. */
  rows: readonly unknown[];
}

/** The read of the record that a path names, and the rule that says who may see it. */
interface NamedResource<Row> {
  read: Statement<Row[]>;
  resource: { visible(row: Row, actor: AnyActor, now: number): boolean };
  /** Where it is if the read finds none. */
  elsewhere?: (() => Promise<Row | undefined>) | undefined;
}

type Admission = Pick<AuthenticatedEndpoint, 'access' | 'beforeEnrolment' | 'recentLogin' | 'scope'>;

const assertRole = ({ access }: Admission, role: Role): void => {
  if (access !== 'bearer' && !access.includes(role)) throw new Failure('forbidden');
};

/** If the role must have a second factor, a login without one can only set one up. */
const assertEnrolled = ({ config }: Deps, { beforeEnrolment }: Admission, login: LiveLogin): void => {
  if (login.secondFactorAt !== null || beforeEnrolment) return;
  if (config.REQUIRE_SECOND_FACTOR.includes(login.role))
    throw new Failure('second_factor_enrolment_required');
};

/** How a kind of caller is looked up, and checked against its row in the database. */
interface CallerKind<C extends Caller, Known> {
  find(request: RequestContext, caller: C): Statement<Known[]>;
  /** Throws the refusal of a caller that the database does not know. */
  refuse(request: RequestContext): Promise<never>;
  /** Throws unless the caller may make the request. Notes that the caller was seen. */
  admit(request: RequestContext, endpoint: Admission, caller: C, known: Known): Admitted;
}

const person: CallerKind<Claims, LiveLogin> = {
  find: ({ deps, now }, caller) => findLiveLogin(deps.db, { ...caller, now }),
  refuse: () => {
    throw refusedToken();
  },
  admit: ({ deps, now }, endpoint, caller, login) => {
    noteSeen(deps, caller, login, now);
    const actor: Actor = { ...caller, role: login.role, doctorId: login.doctorId };
    assertRole(endpoint, actor.role);
    assertEnrolled(deps, endpoint, login);
    if (endpoint.recentLogin === true) assertRecent(login, now);
    return { actor, login, cancelLeadMinutes: resolveRule('cancelLeadMinutes', deps.config, login) };
  },
};

const clinicKey: CallerKind<KeyClaims, KnownKey> = {
  find: ({ deps }, { userId, hash }) => findKnownKey(deps.db, { id: userId, hash }),
  refuse: refuseUnknownKey,
  admit: ({ deps, now }, { scope }, _caller, key) => {
    const { actor, headers } = admitKey(deps, scope, key, now);
    const cancelLeadMinutes = resolveRule('cancelLeadMinutes', deps.config, key);
    return { actor, login: null, cancelLeadMinutes, headers };
  },
};

/** Throws unless the record that the path names is there, and the caller may see it. */
const visible = <Row>(
  { resource }: NamedResource<Row>,
  row: Row | undefined,
  actor: AnyActor,
  now: number,
): Row => {
  if (row === undefined || !resource.visible(row, actor, now)) throw new Failure('not_found');
  return row;
};

/** Not async: every request waits for it, and this is one promise less. */
const authorizeAs = <C extends Caller, Known, Row>(
  kind: CallerKind<C, Known>,
  request: RequestContext,
  endpoint: Admission,
  caller: C,
  named: NamedResource<Row> | undefined,
  reads: Statements,
): Promise<Authorized<Row>> => {
  const { db } = request.deps;
  const find = kind.find(request, caller);
  if (named === undefined)
    return runAll(db, [find, ...reads]).then((results) => {
      const [known] = results[0];
      if (known === undefined) return kind.refuse(request);
      const admitted = kind.admit(request, endpoint, caller, known);
      return { admitted, resource: undefined, rows: results.slice(1) };
    });
  return runAll(db, [find, named.read, ...reads]).then((results) => {
    const [known] = results[0];
    if (known === undefined) return kind.refuse(request);
    const admitted = kind.admit(request, endpoint, caller, known);
    const rows = results.slice(2);
    const [row] = results[1];
    const finish = (found: Row | undefined) => ({
      admitted,
      resource: visible(named, found, admitted.actor, request.now),
      rows,
    });
    return row === undefined && named.elsewhere !== undefined ? named.elsewhere().then(finish) : finish(row);
  });
};

/**
 * Reads the caller's login or key, the named record and the handler's own reads in one batch. Throws unless the login
 * is valid, its role is allowed or the key has the scope, and the caller may see the record.
 */
export const authorize = <Row>(
  request: RequestContext,
  endpoint: Admission,
  caller: Caller,
  named: NamedResource<Row> | undefined,
  reads: Statements,
): Promise<Authorized<Row>> => {
  if (!isKeyCaller(caller)) return authorizeAs(person, request, endpoint, caller, named, reads);
  if (caller.isProved) return authorizeAs(clinicKey, request, endpoint, caller, named, reads);
  return proveKey(request, caller).then((proved) => authorize(request, endpoint, proved, named, reads));
};
