import { sha256 } from '#hmac';
import type { SecretBox } from '../../core/crypto/sealing.ts';
import type { Db } from '../../core/db/db.ts';
import type { Hasher } from '../../core/deps.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { rateLimited } from '../../core/endpoint/rate-limited.ts';
import { toNetwork } from '../../core/http/network.ts';
import { findStep } from '../auth/factors/totp.ts';
import { newRefreshToken } from '../auth/refresh-token.ts';
import {
  countAttempts,
  endLogin,
  findLogin,
  findOperator,
  insertLogin,
  noteUse,
  type OperatorLogin,
} from './queries.ts';
import { type AttemptScope, endOfLogin, noteUseMs, secondsToWait } from './rules.ts';

/** What the login of operators needs of its runtime. */
export interface LoginNeeds {
  db: Db;
  clock: () => number;
  hasher: Pick<Hasher, 'verify' | 'verifyNothing' | 'admit'>;
  /** Opens the secrets of authenticator apps. */
  box: Pick<SecretBox, 'open'>;
  /** Whether attempts are limited. */
  isThrottled: boolean;
}

interface Proof {
  email: string;
  password: string;
  code: string;
}

/** One answer for whatever was wrong: nobody learns whose e-mail is an operator's, or that a password was right. */
const refused = (): Failure =>
  new Failure('invalid_credentials', {
    sentence: {
      id: 'Email, kata sandi, atau kode salah. Silakan periksa lalu coba lagi.',
      en: 'The e-mail, the password or the code is wrong. Please check them and try again.',
    },
  });

/** The counters of an attempt, by hashes: neither e-mails nor addresses are stored. */
const hashAttemptKeys = async (email: string, address: string): Promise<Record<AttemptScope, string>> => {
  const network = toNetwork(address);
  const [pair, account, ofNetwork] = await Promise.all([
    sha256(`operator pair\n${email}\n${network}`),
    sha256(`operator account\n${email}`),
    sha256(`operator network\n${network}`),
  ]);
  return { pair, account, network: ofNetwork };
};

const assertMayTry = async (
  { db, isThrottled }: LoginNeeds,
  keys: Record<AttemptScope, string>,
  now: number,
): Promise<void> => {
  if (!isThrottled) return;
  const counted = await countAttempts(db, Object.values(keys), now);
  const scopes = new Map(Object.entries(keys).map(([scope, key]) => [key, scope as AttemptScope]));
  const seconds = secondsToWait(
    counted.map(({ key, ...rest }) => ({ scope: scopes.get(key) ?? 'account', ...rest })),
    now,
  );
  if (seconds > 0) throw rateLimited(seconds, {});
};

const hashToken = (token: string): string | Promise<string> => sha256(`operator\n${token}`);

/** Logs an operator in by password and code, both at once; returns the token of the login. */
export const logIn = async (
  needs: LoginNeeds,
  { email, password, code }: Proof,
  address: string,
): Promise<string> => {
  const { db, clock, hasher, box } = needs;
  const now = clock();
  const keys = await hashAttemptKeys(email, address);
  await assertMayTry(needs, keys, now);
  const operator = await findOperator(db, email);
  const isPassword = await hasher.admit(() =>
    operator === null ? hasher.verifyNothing(password) : hasher.verify(operator.passwordHash, password),
  );
  const secret = operator === null ? null : await box.open(operator.totpSecret);
  if (operator === null || secret === null || !isPassword) throw refused();
  const step = findStep(secret, code, operator.totpStep, now);
  if (step === null) throw refused();
  const token = newRefreshToken();
  const tokenHash = await hashToken(token);
  if (!(await insertLogin(db, operator, { tokenHash, step, attempts: keys.pair, now }))) throw refused();
  return token;
};

export interface Session extends OperatorLogin {
  endsAt: number;
}

/** The operator of a token; throws if nobody is logged in with it any more. */
export const readSession = async (
  { db, clock }: Pick<LoginNeeds, 'db' | 'clock'>,
  token: string | undefined,
): Promise<Session> => {
  if (token === undefined) throw new Failure('unauthenticated');
  const now = clock();
  const tokenHash = await hashToken(token);
  const login = await findLogin(db, tokenHash);
  if (login === null || endOfLogin(login) <= now) throw new Failure('unauthenticated');
  if (now - login.usedAt < noteUseMs) return { ...login, endsAt: endOfLogin(login) };
  await noteUse(db, tokenHash, now);
  return { ...login, usedAt: now, endsAt: endOfLogin({ ...login, usedAt: now }) };
};

export const logOut = async ({ db }: Pick<LoginNeeds, 'db'>, token: string | undefined): Promise<void> => {
  if (token !== undefined) await endLogin(db, await hashToken(token));
};
