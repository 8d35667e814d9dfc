import { isBirthDate } from '../../../core/clinic/birth-date.ts';
import { derive, deriveEach } from '../../../core/crypto/key-derivation.ts';
import { runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { takesCodes } from '../../../core/takes-codes.ts';
import { consequencesOfPassword } from '../account/passwords.ts';
import { findChanged } from '../account/queries.ts';
import { eventRow } from '../audit/queries.ts';
import { agreedVersion } from '../consents/actions.ts';
import { createAccount, openAccount, recordFailedLogin, type User } from '../login/actions.ts';
import type { Opened } from '../login/views.ts';
import { typedCode } from '../mail/email-code-rules.ts';
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
  recordLoginCode,
  spendLoginCode,
  storeLoginCode,
  takeOverAccount,
} from './queries.ts';
import { loginCodeFrom, loginCodeTtlMs, opensByCode } from './rules.ts';
import { writeLoginCode } from './text.ts';

type Input = BodyOf<typeof contract.LogInByCode>;

/** Throws `not_found` unless the clinic has turned it on and can send the codes. */
export const assertLoginByCode = (deps: Deps): void => {
  if (!takesCodes(deps)) throw new Failure('not_found');
};

// An address and a code are hashed with a key: few addresses and fewer codes can be guessed without it.
const addressText = (email: string) => JSON.stringify(['address', email]);
const codeText = (email: string, code: string) => JSON.stringify(['code', email, code]);

/** The mail leaves after the answer. It is not kept: who does not get it asks for another. */
const mailCode = async ({ deps, language }: RequestContext, email: string, code: string): Promise<void> => {
  const id = deps.newId();
  try {
    await deps.mailer.send({ id, to: email, ...writeLoginCode(code)[language] });
  } catch (error) {
    const cause = error instanceof Error ? error.name : 'unknown';
    deps.log.warn('mail not sent', { mail_id: id, kind: 'login_code', cause });
  }
};

/** Mails a code to an address, whether or not an account has it. */
export const sendLoginCode = async (
  context: RequestContext,
  email: string,
  { network }: Attempt,
): Promise<void> => {
  const { deps, now, requestId } = context;
  const { db, tokenKeys } = deps;
  const code = loginCodeFrom(crypto.getRandomValues(new Uint8Array(6)));
  const [address, hash] = await Promise.all([
    derive(tokenKeys, 'login-code', addressText(email)),
    derive(tokenKeys, 'login-code', codeText(email, code)),
  ]);
  const event = { writeId: deps.newId(), type: 'login_code_sent' as const, userId: null };
  await runAll(db, [
    storeLoginCode(db, { address, hash, now, expiresAt: now + loginCodeTtlMs }),
    recordLoginCode(db, { ...eventRow({ ...event, network, requestId, now }), email }),
  ]);
  deps.background(mailCode(context, email, code));
};

/** Uses the code up, unless `ready` is false; counts a wrong one in the same step. */
const tryCode = async ({ deps, now }: RequestContext, { email, code }: Input, ready: boolean) => {
  const { db, tokenKeys } = deps;
  const [addresses, hashes] = await Promise.all([
    deriveEach(tokenKeys, 'login-code', addressText(email)),
    deriveEach(tokenKeys, 'login-code', codeText(email, typedCode(code))),
  ]);
  const tried = { addresses: JSON.stringify(addresses), hashes: JSON.stringify(hashes), now };
  const { right, spent } = await runAll(db, {
    right: findLoginCode(db, tried),
    spent: spendLoginCode(db, { ...tried, ready: ready ? 1 : 0 }),
    wrong: countWrongCode(db, tried),
  });
  return { isRight: right.length > 0, isSpent: spent.length > 0 };
};

/** The fields that a new person gives; throws `validation_failed` where one is missing or cannot be true. */
const newPerson = ({ deps, now }: RequestContext, input: Input) => {
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
  return { name, birthDate, ...phoneIn(input) };
};

/**
 * Anybody may have registered an address that was never proved: whoever did must not stay in the account once its
 * owner uses it. Its password is void and its logins end, in one step; null if the account was changed meanwhile.
 */
const takeOver = async (context: RequestContext, user: User, { network }: Attempt): Promise<User | null> => {
  const { deps, now } = context;
  const newHash = unusableHash();
  const { changed } = await runAll(deps.db, {
    taken: takeOverAccount(deps.db, { userId: user.id, oldHash: user.passwordHash, newHash, now }),
    matches: offerMatches(deps.db, { userId: user.id, now }),
    changed: findChanged(deps.db, { userId: user.id, newHash }),
    consequences: await consequencesOfPassword(
      context,
      'password_reset',
      { userId: user.id, email: user.email },
      null,
      newHash,
      network,
    ),
  });
  if (changed.length === 0) return null;
  deps.background(sendDueMail(deps));
  return { ...user, passwordHash: newHash, passwordUnsetAt: now, emailProvedAt: now };
};

const openByCode = async (
  context: RequestContext,
  user: User,
  deviceId: string | undefined,
  attempt: Attempt,
): Promise<Opened> => {
  const { deps } = context;
  if (user.deactivatedAt !== null) {
    await recordFailedLogin(context, user, attempt);
    throw new Failure('login_code_invalid');
  }
  if (mustUseSso(deps.config, user)) throw new Failure('sso_required');
  if (!opensByCode(user)) throw new Failure('password_required');
  const owned = user.emailProvedAt === null ? await takeOver(context, user, attempt) : user;
  const opened = owned && (await openAccount(context, owned, { deviceId, detail: { by: 'code' } }, attempt));
  if (opened === null) throw new Failure('unavailable');
  return opened;
};

interface NewPerson extends ReturnType<typeof newPerson> {
  version: string | null;
}

/** What a new person is registered with, or what is wrong with it, which is said only to who has the code. */
const prepareNew = async (context: RequestContext, input: Input): Promise<NewPerson | Failure> => {
  try {
    return {
      ...newPerson(context, input),
      version: await agreedVersion(context.deps, input.consent_version),
    };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
};

const registerByCode = async (
  context: RequestContext,
  input: Input,
  { birthDate, version, ...person }: NewPerson,
  attempt: Attempt,
): Promise<Opened> => {
  const { deps, now } = context;
  const user = {
    id: deps.newId(),
    ...person,
    email: input.email,
    deviceId: input.device_id ?? '',
    passwordHash: unusableHash(),
    passwordUnsetAt: now,
    emailProvedAt: now,
    role: 'patient' as const,
    createdAt: now,
    updatedAt: now,
  };
  const beside = async () => [offerMatches(deps.db, { userId: user.id, now })];
  return createAccount(context, user, { version, birthDate, beside }, attempt);
};

/** Logs in by a code that was mailed, or registers a new person by it. */
export const logInByCode = async (
  context: RequestContext,
  input: Input,
  attempt: Attempt,
  user: User | undefined,
): Promise<Opened> => {
  // Prepared for those with an account too, so that a wrong code takes as long for anybody.
  const prepared = await prepareNew(context, input);
  const { isRight, isSpent } = await tryCode(
    context,
    input,
    user !== undefined || !(prepared instanceof Failure),
  );
  if (isSpent && user !== undefined) return openByCode(context, user, input.device_id, attempt);
  if (isRight && prepared instanceof Failure) throw prepared;
  if (isSpent && !(prepared instanceof Failure)) return registerByCode(context, input, prepared, attempt);
  await recordFailedLogin(context, user, attempt);
  throw new Failure('login_code_invalid');
};
