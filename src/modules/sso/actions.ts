import { violatedUnique } from '../../core/db/conflict.ts';
import { run, runAll } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import type { RequestContext } from '../../core/http/context.ts';
import { eventRow, recordSecurityEvent } from '../auth/audit/queries.ts';
import { openAccount, recordFailedLogin, type User } from '../auth/login/actions.ts';
import { findUserById } from '../auth/login/queries.ts';
import type { Opened } from '../auth/login/views.ts';
import { unusableHash } from '../auth/passwords/phc.ts';
import { insertAccount } from '../auth/queries.ts';
import type { Attempt } from '../auth/throttle/throttled.ts';
import { changeRole } from '../people/actions.ts';
import type { Begun } from './issuer.ts';
import { findSsoAccounts, linkSso, recordSsoLink } from './queries.ts';
import { type Decision, decideSso, type Person, ssoTtlMs } from './rules.ts';

const kind = 'sso';

/** The secrets of what has begun, for one use: a login, or the confirmation of one login. */
export const sealBegun = (
  { secretBox }: Deps,
  { verifier, state, nonce }: Begun,
  now: number,
  use = kind,
): Promise<string> => secretBox.seal([use, verifier, state, nonce, now + ssoTtlMs].join(' '));

/** What has begun for this use, and when; null if nothing has, or not any more: anything that was sealed here may be given. */
export const openBegun = async (
  { secretBox }: Deps,
  sealed: string | undefined,
  now: number,
  use = kind,
): Promise<(Begun & { begunAt: number }) | null> => {
  const text = sealed === undefined ? null : await secretBox.open(sealed);
  const [is, verifier = '', state = '', nonce = '', end] = text?.split(' ') ?? [];
  const endsAt = Number(end);
  return is === use && now < endsAt ? { verifier, state, nonce, begunAt: endsAt - ssoTtlMs } : null;
};

const recorded = async (
  { deps, now, requestId }: RequestContext,
  user: User,
  subject: string,
): Promise<void> => {
  const { db } = deps;
  const writeId = deps.newId();
  const event = { writeId, type: 'sso_linked' as const, userId: user.id, actorId: user.id, requestId, now };
  await runAll(db, [recordSsoLink(db, eventRow(event)), linkSso(db, { id: user.id, subject, now, writeId })]);
};

/** Makes an account for somebody of an allowed domain, with the role that the provider gives them and without a password. */
const makeAccount = async (
  { deps, now, requestId }: RequestContext,
  { subject, email, name }: Person,
  role: 'admin' | 'staff',
): Promise<string> => {
  const { db } = deps;
  const id = deps.newId();
  const user = {
    ...{ id, name, email, role, phoneNumber: '', phoneCountryCode: '', deviceId: '' },
    ...{ passwordHash: unusableHash(), passwordUnsetAt: now, emailProvedAt: now, invitedAt: now },
    ...{ ssoSubject: subject, createdAt: now, updatedAt: now },
  };
  const by = { writeId: deps.newId(), userId: id, actorId: id, requestId, now };
  const detail = { from: null, to: role, doctor_id: null, by: kind };
  try {
    await runAll(db, [
      recordSecurityEvent(db, { ...by, type: 'role_changed', detail }),
      ...insertAccount(db, user),
    ]);
  } catch (error) {
    // Somebody was quicker: the next try finds the account.
    if (violatedUnique(error) !== null) throw new Failure('sso_failed');
    throw error;
  }
  return id;
};

/** Gives an account the role that the provider says; refuses who would leave the clinic without an admin. */
const follow = async (context: RequestContext, user: User, role: User['role']): Promise<void> => {
  const { deps, now, requestId, language } = context;
  const author = { actorId: user.id, role: user.role, deviceLoginId: null, requestId, now };
  try {
    await changeRole(deps, { ...author, language }, user.id, { role });
  } catch (error) {
    if (error instanceof Failure && error.code === 'last_admin') throw new Failure('sso_not_allowed');
    throw error;
  }
};

const carryOut = async (
  context: RequestContext,
  person: Person,
  account: User | undefined,
  decision: Exclude<Decision, { is: 'refused' }>,
): Promise<User> => {
  const { db } = context.deps;
  if (account === undefined || decision.is === 'made') {
    const id = await makeAccount(context, person, decision.role as 'admin' | 'staff');
    const [made] = await run(db, findUserById(db, { id }));
    if (made === undefined) throw new Failure('sso_failed');
    return made;
  }
  if (decision.links) await recorded(context, account, person.subject);
  if (decision.role !== account.role) await follow(context, account, decision.role);
  const [user] = await run(db, findUserById(db, { id: account.id }));
  // Meanwhile the account was shut, or became another's.
  if (user === undefined || user.ssoSubject !== person.subject) throw new Failure('sso_failed');
  return user;
};

/** Opens the account of a person whom the provider vouches for. Throws `second_factor_required` where it has one. */
export const openBySso = async (
  context: RequestContext,
  person: Person | null,
  attempt: Attempt,
): Promise<Opened> => {
  const { deps } = context;
  const { db, config } = deps;
  if (person === null) {
    await recordFailedLogin(context, undefined, attempt);
    throw new Failure('sso_not_allowed');
  }
  const { subject, email } = person;
  const found = await run(db, findSsoAccounts(db, { subject, email }));
  const account = found.find((one) => one.ssoSubject === subject) ?? found[0];
  const decision = decideSso(account, person, {
    domains: config.OIDC_DOMAINS,
    breakGlass: config.OIDC_BREAK_GLASS,
  });
  if (decision.is === 'refused') {
    await recordFailedLogin(context, account, attempt);
    throw new Failure('sso_not_allowed');
  }
  const user = await carryOut(context, person, account, decision);
  const opened = await openAccount(context, user, { deviceId: undefined, detail: { by: kind } }, attempt);
  if (opened === null) throw new Failure('unavailable');
  return opened;
};
