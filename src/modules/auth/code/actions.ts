import { isBirthDate } from '../../../core/clinic/birth-date.ts';
import { run, runAll, type Statement } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { consequencesOfPassword } from '../account/passwords.ts';
import { findChanged } from '../account/queries.ts';
import { ownEvent } from '../audit/own-event.ts';
import { eventRow } from '../audit/queries.ts';
import { agreedVersion } from '../consents/actions.ts';
import { createAccount, openAccount, recordFailedLogin, type User } from '../login/actions.ts';
import { findUserByEmail } from '../login/queries.ts';
import type { Opened } from '../login/views.ts';
import { sendDueMail } from '../mail/send.ts';
import { offerMatches } from '../match-queries.ts';
import { unusableHash } from '../passwords/phc.ts';
import { phoneIn } from '../phone.ts';
import { mustUseSso } from '../rules.ts';
import type { Attempt } from '../throttle/throttled.ts';
import type * as contract from './contract.ts';
import {
  countWrongCode,
  findLoginCode,
  findUserByPhone,
  recordPhoneOfUnproved,
  recordRelease,
  releasePhone,
  renewPhoneProof,
  spendLoginCode,
  takeOverAccount,
} from './queries.ts';
import { isStillHolder, opensByCode } from './rules.ts';
import { hashesOfTyped, toLogIn } from './send.ts';
import type { Way } from './way.ts';

type Input = BodyOf<typeof contract.LogInByCode>;

/** The account of an address or a phone, as it decides about a login by code. */
type Account = User & { birthDate?: string | null };

/** The account that a code may open. */
export const findAccountByWay = ({ db }: Deps, way: Way) =>
  way.by === 'mail' ? findUserByEmail(db, { email: way.email }) : findUserByPhone(db, { phone: way.phone });

/** Uses the code up, unless `ready` is false; counts a wrong one in the same step. */
const tryCode = async (
  { deps, now }: RequestContext,
  way: Way,
  code: string,
  { ready, owner }: { ready: boolean; owner: Account | undefined },
) => {
  const { db } = deps;
  const tried = { ...(await hashesOfTyped(deps, toLogIn(way), code)), now };
  const { right, spent } = await runAll(db, {
    right: findLoginCode(db, tried),
    renewed:
      way.by === 'phone'
        ? [renewPhoneProof(db, { ...tried, userId: owner?.id ?? '', phone: way.phone })]
        : [],
    spent: spendLoginCode(db, { ...tried, ready: ready ? 1 : 0 }),
    wrong: countWrongCode(db, tried),
  });
  return { isRight: right.length > 0, isSpent: spent.length > 0 };
};

/** The fields that a new person gives; throws `validation_failed` where one is missing or cannot be true. */
const newPerson = ({ deps, now }: RequestContext, way: Way, input: Input) => {
  const { name, birth_date: birthDate } = input;
  if (name === undefined || birthDate === undefined)
    throw new Failure('validation_failed', {
      issues: [
        ...(name === undefined ? [{ path: 'name', rule: 'required' } as const] : []),
        ...(birthDate === undefined ? [{ path: 'birth_date', rule: 'required' } as const] : []),
      ],
    });
  if (!isBirthDate(birthDate, deps.clinicTime.dateOf(now)))
    throw new Failure('validation_failed', { issues: [{ path: 'birth_date', rule: 'birth_date' }] });
  const phone =
    way.by === 'mail'
      ? phoneIn(input)
      : { phoneNumber: way.phoneNumber, phoneCountryCode: way.phoneCountryCode };
  return { name, birthDate, ...phone };
};

/**
 * Anybody may have registered an address that was never proved: that person must not stay in the account once its
 * owner uses it. Its password is void, its logins end and its phone is off, in one step; null if the account was changed meanwhile.
 */
const takeOver = async (context: RequestContext, user: User, { network }: Attempt): Promise<User | null> => {
  const { deps, now } = context;
  const newHash = unusableHash();
  const userId = user.id;
  const event = eventRow({ ...ownEvent(context, { userId }), type: 'phone_removed', network });
  const { changed } = await runAll(deps.db, {
    phone: recordPhoneOfUnproved(deps.db, { ...event, oldHash: user.passwordHash }),
    taken: takeOverAccount(deps.db, { userId, oldHash: user.passwordHash, newHash, now }),
    matches: offerMatches(deps.db, { userId, now }),
    changed: findChanged(deps.db, { userId, newHash }),
    consequences: await consequencesOfPassword(
      context,
      'password_reset',
      { userId, email: user.email },
      null,
      newHash,
      network,
    ),
  });
  if (changed.length === 0) return null;
  deps.background(sendDueMail(deps));
  return { ...user, passwordHash: newHash, passwordUnsetAt: now, emailProvedAt: now };
};

/** Null if the account was changed meanwhile, or has ended. */
const openByCode = async (
  context: RequestContext,
  way: Way,
  user: Account,
  deviceId: string | undefined,
  attempt: Attempt,
): Promise<Opened | null> => {
  const { deps } = context;
  if (user.deactivatedAt !== null) {
    await recordFailedLogin(context, user, attempt);
    throw new Failure('login_code_invalid');
  }
  if (mustUseSso(deps.config, user)) throw new Failure('sso_required');
  if (way.by === 'phone' ? user.role !== 'patient' : !opensByCode(user))
    throw new Failure('password_required');
  const owned =
    way.by === 'mail' && user.emailProvedAt === null ? await takeOver(context, user, attempt) : user;
  const detail = { by: way.by === 'mail' ? 'code' : 'phone_code' };
  const loginPhone = way.by === 'phone' ? way.phone : null;
  return owned && openAccount(context, owned, { deviceId, detail, loginPhone }, attempt);
};

interface NewPerson extends ReturnType<typeof newPerson> {
  version: string | null;
}

/** What a new person is registered with, or what is wrong with it, which is said only to who has the code. */
const prepareNew = async (context: RequestContext, way: Way, input: Input): Promise<NewPerson | Failure> => {
  try {
    return {
      ...newPerson(context, way, input),
      version: await agreedVersion(context.deps, input.consent_version),
    };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
};

/** Statements that give a phone to a new person, where an account of somebody else had it. */
const releasing = (
  { deps, now, requestId }: RequestContext,
  phone: string,
  userId: string,
  { network }: Attempt,
): Statement[] => {
  const { db } = deps;
  const writeId = deps.newId();
  const event = eventRow({ writeId, type: 'phone_released', userId, network, requestId, now });
  return [recordRelease(db, { ...event, phone }), ...releasePhone(db, { userId, phone, now, writeId })];
};

const registerByCode = async (
  context: RequestContext,
  way: Way,
  input: Input,
  { birthDate, version, ...person }: NewPerson,
  { attempt, former }: { attempt: Attempt; former: Account | undefined },
): Promise<Opened | null> => {
  const { deps, now } = context;
  const proved =
    way.by === 'mail'
      ? { email: way.email, emailProvedAt: now }
      : { email: null, loginPhone: way.phone, phoneProvedAt: now };
  const user = {
    id: deps.newId(),
    ...person,
    ...proved,
    deviceId: input.device_id ?? '',
    passwordHash: unusableHash(),
    passwordUnsetAt: now,
    role: 'patient' as const,
    createdAt: now,
    updatedAt: now,
  };
  const first =
    way.by === 'phone' && former !== undefined ? releasing(context, way.phone, former.id, attempt) : [];
  const beside = async () => [offerMatches(deps.db, { userId: user.id, now })];
  return createAccount(context, user, { version, birthDate, first, beside }, attempt);
};

/** Logs in by a code that was sent, or registers a new person by it. */
export const logInByCode = async (
  context: RequestContext,
  way: Way,
  input: Input,
  attempt: Attempt,
  found: Account | undefined,
): Promise<Opened> => {
  // Prepared for those with an account too, so that a wrong code takes as long for anybody.
  const prepared = await prepareNew(context, way, input);
  const given = prepared instanceof Failure ? null : prepared;
  const toOwner = (account: Account | undefined) =>
    account !== undefined && (way.by === 'mail' || isStillHolder(toHolder(account), given, context.now))
      ? account
      : undefined;
  const owner = toOwner(found);
  const ready = owner !== undefined || given !== null;
  const { isRight, isSpent } = await tryCode(context, way, input.code, { ready, owner });
  if (isSpent) {
    let account = found;
    // The code is used up, and proved the address, also where another account has it by now: a join of accounts gives it to another one, and
    // somebody may have registered it.
    return decideAgain(async () => {
      const holder = toOwner(account);
      if (holder === undefined && given === null) throw new Failure('login_code_invalid');
      const opened =
        holder === undefined
          ? await registerByCode(context, way, input, given as NewPerson, { attempt, former: account })
          : await openByCode(context, way, holder, input.device_id, attempt);
      if (opened === null) [account] = await run(context.deps.db, findAccountByWay(context.deps, way));
      return opened ?? overtaken;
    });
  }
  if (isRight && prepared instanceof Failure) throw prepared;
  await recordFailedLogin(context, owner, attempt);
  throw new Failure('login_code_invalid');
};

const toHolder = ({ birthDate = null, ...account }: Account) => ({ ...account, birthDate });
