import type { Actor, LiveLogin } from '../auth/context.ts';

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

/** A request that may be answered, with what was read on the way. */
export interface Authorized<Row, S extends Statements> {
  actor: Actor;
  login: LiveLogin;
  resource: Row | undefined;
  rows: Rows<S>;
}

/** The read of the record that a path names, and the rule that says who may see it. */
export interface NamedResource<Row> {
  read: Statement<Row[]>;
  resource: { visible(row: Row, actor: Actor): boolean };
}

type Admission = Pick<GuardedEndpoint, 'access' | 'beforeEnrolment' | 'recentLogin'>;

const assertRole = ({ access }: Admission, role: Role): void => {
  if (access !== 'bearer' && !access.includes(role)) throw new Failure('forbidden');
};

/** Where the role has to have a second factor, a login without one serves to set one up and for nothing else. */
const assertEnrolled = ({ config }: Deps, { beforeEnrolment }: Admission, login: LiveLogin): void => {
  if (login.secondFactorAt !== null || beforeEnrolment) return;
  if (config.REQUIRE_SECOND_FACTOR.includes(login.role))
    throw new Failure('second_factor_enrolment_required');
};

/**
 * Reads the caller's login, the named record and the handler's own reads in one batch. Throws unless the login is
 * valid, its role is allowed, and the caller may see the record. Notes that the caller was seen.
 */
export const authorize = <Row, const S extends Statements>(
  deps: Deps,
  endpoint: Admission,
  caller: Claims,
  now: number,
  named: NamedResource<Row> | undefined,
  reads: S,
): Promise<Authorized<Row, S>> => {
  const loginRead = findLiveLogin(deps.db, { ...caller, now });
  const statements = named === undefined ? [loginRead, ...reads] : [loginRead, named.read, ...reads];
  // Not async: every request waits for it, and this is one promise less.
  return runAll<readonly Statement[]>(deps.db, statements).then((results) => {
    const [login] = results[0] as LiveLogin[];
    if (login === undefined) throw refusedToken();
    noteSeen(deps, caller, login, now);
    const actor: Actor = { ...caller, role: login.role, doctorId: login.doctorId };
    assertRole(endpoint, actor.role);
    assertEnrolled(deps, endpoint, login);
    if (endpoint.recentLogin === true) assertRecent(login, now);
    const rows = results.slice(named === undefined ? 1 : 2) as Rows<S>;
    if (named === undefined) return { actor, login, resource: undefined, rows };
    const [resource] = results[1] as Row[];
    if (resource === undefined || !named.resource.visible(resource, actor)) throw new Failure('not_found');
    return { actor, login, resource, rows };
  });
};
