import type * as z from 'zod/mini';
import { violatedUnique } from '../db/conflict.ts';
import { run } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { Failure, type FieldIssue } from '../errors.ts';
import type { Claims } from '../http/context.ts';
import { replaceWords } from '../search/queries.ts';
import { personWords } from '../search/rules.ts';
import type * as contract from './contract.ts';
import { type PasswordProblem, passwordProblem } from './passwords/policy.ts';
import {
  findUserByEmail,
  insertDeviceLogin,
  insertUser,
  type NewUser,
  revokeDeviceLogin,
} from './queries.ts';
import { hashRefreshToken, newRefreshToken } from './refresh-token.ts';
import { accountEmail, refreshTokenTtlMs } from './rules.ts';
import { issueAccessToken } from './tokens.ts';

type Registration = z.output<(typeof contract.Register)['body']>;
type Credentials = z.output<(typeof contract.LogIn)['body']>;

type UserRow = Pick<NewUser, 'name' | 'phoneNumber' | 'phoneCountryCode' | 'email' | 'deviceId'>;

/** The six fields of a user that the interface shows. */
export const publicUser = (id: string, user: UserRow): z.output<typeof contract.User> => ({
  id,
  name: user.name,
  phone_number: user.phoneNumber,
  phone_country_code: user.phoneCountryCode,
  email: user.email,
  device_id: user.deviceId,
});

const passwordSentences: Record<PasswordProblem, Omit<FieldIssue, 'path'>> = {
  too_short: { rule: 'too_short' },
  too_long: { rule: 'too_long', limit: 128 },
  malformed: { rule: 'characters' },
  common: { rule: 'password_common' },
  same_as_email: { rule: 'password_personal' },
  same_as_name: { rule: 'password_personal' },
};

/** Throws unless the password may protect this account; the sentences never repeat it. */
const assertGoodPassword = (deps: Deps, wish: Registration): void => {
  const minLength = deps.config.PASSWORD_MIN_LENGTH;
  const problem = passwordProblem(wish.password, { minLength, email: wish.email, name: wish.name });
  const issues: FieldIssue[] = [];
  if (problem !== null) issues.push({ path: 'password', limit: minLength, ...passwordSentences[problem] });
  if (wish.password !== wish.password_confirmation)
    issues.push({ path: 'password_confirmation', rule: 'password_mismatch' });
  if (issues.length > 0) throw new Failure('validation_failed', { issues });
};

interface Device {
  deviceId: string;
  userAgent: string;
}

const openDeviceLogin = async (deps: Deps, user: Pick<NewUser, 'id' | 'role'>, device: Device) => {
  const now = deps.clock();
  const deviceLoginId = deps.newId();
  const refreshToken = newRefreshToken();
  const expiresAt = now + refreshTokenTtlMs;
  const login = { id: deviceLoginId, userId: user.id, ...device, createdAt: now, lastSeenAt: now, expiresAt };
  const hash = await hashRefreshToken(refreshToken);
  const token = { hash, deviceLoginId, generation: 0, issuedAt: now, expiresAt };
  const ttlSeconds = deps.config.ACCESS_TOKEN_TTL_SECONDS;
  const claims = { userId: user.id, deviceLoginId, role: user.role };
  return {
    statements: insertDeviceLogin(deps.db, login, token),
    tokens: {
      access_token: await issueAccessToken(deps.tokenKeys, claims, now, ttlSeconds),
      token_type: 'bearer' as const,
      expires_in: ttlSeconds,
      refresh_token: refreshToken,
    },
  };
};

/** Makes a patient's account and logs its first device in. Throws `validation_failed` or `email_taken`. */
export const register = async (deps: Deps, wish: Registration, userAgent: string) => {
  assertGoodPassword(deps, wish);
  const now = deps.clock();
  const user: NewUser = {
    id: deps.newId(),
    name: wish.name,
    phoneNumber: wish.phone_number,
    phoneCountryCode: wish.phone_country_code,
    email: wish.email,
    deviceId: wish.device_id,
    passwordHash: await deps.hasher.hash(wish.password),
    role: 'patient',
    createdAt: now,
    updatedAt: now,
  };
  const { statements, tokens } = await openDeviceLogin(deps, user, { deviceId: wish.device_id, userAgent });
  try {
    const words = replaceWords(deps.db, 'person', user.id, personWords(user));
    await deps.db.batch([insertUser(deps.db, user), ...words, ...statements]);
  } catch (error) {
    if (violatedUnique(error) === 'users.email') throw new Failure('email_taken');
    throw error;
  }
  return { user: publicUser(user.id, user), ...tokens };
};

/** Logs a device in. An unknown e-mail costs the same as a wrong password and is answered alike. */
export const logIn = async (deps: Deps, { email, password, device_id }: Credentials, userAgent: string) => {
  const [user] = await run(deps.db, findUserByEmail(deps.db, { email: accountEmail(email) }));
  const matches = user
    ? await deps.hasher.verify(user.passwordHash, password)
    : await deps.hasher.verifyNothing(password);
  if (user === undefined || !matches) throw new Failure('invalid_credentials');
  const device = { deviceId: device_id ?? user.deviceId, userAgent };
  const { statements, tokens } = await openDeviceLogin(deps, user, device);
  await deps.db.batch(statements);
  return { user: publicUser(user.id, user), ...tokens };
};

/** Ends the device login: its tokens are refused from the next request on. */
export const logOut = (deps: Deps, { deviceLoginId }: Claims) =>
  run(deps.db, revokeDeviceLogin(deps.db, deviceLoginId, deps.clock(), 'logout'));
