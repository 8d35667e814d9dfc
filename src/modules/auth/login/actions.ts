import type { Claims } from '../../../core/crypto/token-keys.ts';
import { violatedUnique } from '../../../core/db/conflict.ts';
import { run, runAll, type Statement } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { recordPatientEvent } from '../../../core/events/patient-event.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { eventRow, recordSecurityEvent } from '../audit/queries.ts';
import { agreedVersion } from '../consents/actions.ts';
import { insertConsent } from '../consents/queries.ts';
import { codeStatements } from '../email/actions.ts';
import { newChallenge } from '../factors/challenge.ts';
import { passkeyRequest } from '../factors/passkeys.ts';
import { findFactors } from '../factors/queries.ts';
import { challengeTtlMs } from '../factors/rules.ts';
import { sendDueMail } from '../mail/send.ts';
import { assertGoodPassword } from '../new-password.ts';
import { needsRehash } from '../passwords/phc.ts';
import { phoneIn } from '../phone.ts';
import { insertAccount, type NewUser } from '../queries.ts';
import { accountEmail, accountName, mustUseSso } from '../rules.ts';
import { alreadyRegistered } from '../sentences.ts';
import type { Attempt } from '../throttle/throttled.ts';
import type * as contract from './contract.ts';
import { newDeviceLogin } from './device-login.ts';
import { newDeviceMail } from './new-device.ts';
import {
  endDeviceLogin,
  findDeviceLogin,
  findUserByEmail,
  insertDeviceLogin,
  insertFirstToken,
  openDeviceLogin,
  recordLogin,
  strengthenHash,
} from './queries.ts';
import { type Opened, toOpened } from './views.ts';

type Registration = BodyOf<typeof contract.Register>;
type Credentials = Pick<BodyOf<typeof contract.LogIn>, 'email' | 'password'> & {
  device_id?: string | undefined;
};
export type User = ReturnType<typeof findUserByEmail>['_']['result'][number];

const maxTries = 3;

export const readUserAgent = ({ header }: RequestContext): string =>
  (header('User-Agent') ?? '').slice(0, 255).toWellFormed();

/** What a new account is made of beside its own row. */
interface Registered {
  /** The version of the privacy notice that the person agreed to; null where they were not asked. */
  version: string | null;
  birthDate?: string | undefined;
  /** Statements that come before the account in the batch. */
  first?: Statement[];
  /** Further statements of the batch, for the first device login. */
  beside?: (deviceLoginId: string) => Promise<Statement[]>;
}

/** Creates a patient's account and logs its first device in; null if another account has its e-mail or phone by now. */
export const createAccount = async (
  context: RequestContext,
  user: NewUser,
  { version, birthDate, first = [], beside }: Registered,
  attempt: Attempt,
): Promise<Opened | null> => {
  const { deps, now, requestId } = context;
  const device = { deviceId: user.deviceId, userAgent: readUserAgent(context) };
  const { login, token, tokens } = await newDeviceLogin(deps, user, device, now);
  const event = { writeId: deps.newId(), type: 'registered' as const, userId: user.id, actorId: user.id };
  const consent = { writeId: event.writeId, userId: user.id, kind: 'given', now };
  const network = { network: attempt.network, requestId, now, deviceLoginId: login.id };
  const by = { actorId: user.id, role: 'patient', requestId, now } as const;
  const more = (await beside?.(login.id)) ?? [];
  try {
    await runAll(deps.db, [
      ...first,
      ...insertAccount(deps.db, user, birthDate),
      ...insertDeviceLogin(deps.db, login, token),
      recordSecurityEvent(deps.db, { ...event, ...network }),
      ...(version === null ? [] : [insertConsent(deps.db, { ...consent, version })]),
      recordPatientEvent(deps.db, by, 'patient.created', event.writeId, user.id),
      ...more,
      ...(await attempt.succeeded(accountName(user))),
    ]);
  } catch (error) {
    const taken = violatedUnique(error);
    if (taken === 'users.email' || taken === 'users.login_phone') return null;
    throw error;
  }
  deps.eventsWritten();
  return toOpened(user.id, user, tokens);
};

/** Registers a patient with a password. Throws `validation_failed` or `email_taken`. */
export const register = async (
  context: RequestContext,
  input: Omit<Registration, 'app' | 'remember'>,
  attempt: Attempt,
): Promise<Opened> => {
  const { deps, now } = context;
  const version = await agreedVersion(deps, input.consent_version);
  const user: NewUser = {
    id: deps.newId(),
    name: input.name,
    ...phoneIn(input),
    email: input.email,
    deviceId: input.device_id,
    passwordHash: await deps.hasher.hash(input.password, context.gone),
    role: 'patient',
    createdAt: now,
    updatedAt: now,
  };
  const to = { userId: user.id, email: input.email };
  const asksForProof = deps.mailer.reachesPeople === true;
  const beside = async (loginId: string) =>
    asksForProof ? codeStatements(context, to, loginId, attempt.network) : [];
  const opened = await createAccount(context, user, { version, beside }, attempt);
  if (opened === null) throw new Failure('email_taken', { sentence: alreadyRegistered });
  if (asksForProof) deps.background(sendDueMail(deps));
  return opened;
};

/** Checked before the attempt is counted: it is cheap and reveals nothing about any account. */
export const assertRegistrable = (
  deps: Deps,
  input: Pick<Registration, 'password' | 'password_confirmation' | 'email' | 'name'>,
): Promise<void> => assertGoodPassword(deps, input, input);

const verifyPassword = (
  { deps: { hasher }, gone }: RequestContext,
  user: User | undefined,
  password: string,
): Promise<boolean> =>
  user === undefined
    ? hasher.verifyNothing(password, gone)
    : hasher.verify(user.passwordHash, password, gone);

/** Rehashes a password with the current parameters after it was verified against a weaker hash. */
const strengthening = async ({ db, hasher }: Deps, user: User, password: string): Promise<Statement[]> => {
  if (!needsRehash(user.passwordHash)) return [];
  const values = { userId: user.id, old: user.passwordHash, new: await hasher.hash(password) };
  return [strengthenHash(db, values)];
};

export const recordFailedLogin = async (
  { deps, now, requestId }: RequestContext,
  user: Pick<User, 'id'> | undefined,
  attempt: Attempt,
) => {
  const event = { writeId: deps.newId(), type: 'login_failed' as const, userId: user?.id ?? null };
  await run(deps.db, recordSecurityEvent(deps.db, { ...event, network: attempt.network, requestId, now }));
};

const asksForFactor = async (
  deps: Deps,
  user: User,
  device: { deviceId: string; loginPhone: string | null },
  now: number,
) => {
  const factors = await run(deps.db, findFactors(deps.db, { userId: user.id }));
  const challenge = await newChallenge(deps, user, device, now);
  const passkeys = factors.filter(({ kind }) => kind === 'passkey');
  const kinds = [...new Set(factors.map(({ kind }) => kind))];
  return new Failure('second_factor_required', {
    extras: {
      challenge,
      expires_in: challengeTtlMs / 1000,
      kinds,
      ...(passkeys.length > 0 && { passkey: await passkeyRequest(deps, challenge, passkeys) }),
    },
  });
};

/** The device that asks, and what is recorded of its login beside that it was opened. */
interface Opening {
  deviceId: string | undefined;
  detail?: Readonly<Record<string, string>>;
  /** The phone by whose code it is opened, which the account must still have. */
  loginPhone?: string | null;
}

/**
 * Logs a device in to an account whose owner has shown who they are; null if its password or phone has changed in the meantime.
 * Throws `second_factor_required` where the account has one.
 */
export const openAccount = async (
  context: RequestContext,
  user: User,
  { deviceId, detail, loginPhone = null }: Opening,
  attempt: Attempt,
  more: Statement[] = [],
): Promise<Opened | null> => {
  const { deps, now, requestId } = context;
  const device = { deviceId: deviceId ?? user.deviceId, userAgent: readUserAgent(context) };
  if (user.secondFactorAt !== null) throw await asksForFactor(deps, user, { ...device, loginPhone }, now);
  const { login, token, tokens } = await newDeviceLogin(deps, user, device, now);
  const { id } = login;
  const event = eventRow({
    writeId: deps.newId(),
    type: 'login',
    userId: user.id,
    actorId: user.id,
    deviceLoginId: id,
    network: attempt.network,
    requestId,
    now,
    ...(detail && { detail }),
  });
  const deviceMail = await newDeviceMail(context, user, id, attempt);
  const { opened } = await runAll(deps.db, {
    login: openDeviceLogin(deps.db, { ...login, now, passwordHash: user.passwordHash, loginPhone }),
    token: insertFirstToken(deps.db, { hash: token.hash, loginId: id, now, expiresAt: token.expiresAt }),
    event: recordLogin(deps.db, event),
    opened: findDeviceLogin(deps.db, { id }),
    deviceMail,
    more,
    attempt: await attempt.succeeded(accountName(user)),
  });
  return opened.length > 0 ? toOpened(user.id, user, tokens) : null;
};

/** The account data that `logIn` starts from. */
export const findAccount = ({ db }: Deps, { email }: Pick<Credentials, 'email'>) =>
  findUserByEmail(db, { email: accountEmail(email) });

/**
 * Logs a device in. An unknown e-mail takes the same time and gets the same answer as a wrong password. The login is
 * opened only if the verified password is still current: a change in the meantime ends all logins.
 */
export const logIn = async (
  context: RequestContext,
  { email, password, device_id }: Credentials,
  attempt: Attempt,
  found: User | undefined,
): Promise<Opened> => {
  const { deps } = context;
  let user = found;
  for (let tries = 1; tries <= maxTries; tries++) {
    if (tries > 1) [user] = await run(deps.db, findAccount(deps, { email }));
    const matches = await verifyPassword(context, user, password);
    const isOpen = matches && user?.deactivatedAt === null;
    if (user === undefined || !isOpen) {
      await recordFailedLogin(context, user, attempt);
      throw new Failure('invalid_credentials');
    }
    // After the password, so that nobody else learns of the account.
    if (mustUseSso(deps.config, user)) throw new Failure('sso_required');
    const stronger = await strengthening(deps, user, password);
    const opened = await openAccount(context, user, { deviceId: device_id }, attempt, stronger);
    if (opened !== null) return opened;
  }
  throw new Failure('unavailable');
};

/** Ends the device login: its tokens are refused from the next request on. */
export const logOut = (
  { deps, now, requestId }: RequestContext,
  { userId, deviceLoginId }: Pick<Claims, 'userId' | 'deviceLoginId'>,
) => {
  const event = eventRow({
    writeId: deps.newId(),
    type: 'logout',
    userId,
    actorId: userId,
    deviceLoginId,
    requestId,
    now,
  });
  return runAll(deps.db, endDeviceLogin(deps.db, event, 'logout'));
};
