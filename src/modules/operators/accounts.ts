import type { SecretBox } from '../../core/crypto/sealing.ts';
import type { Db } from '../../core/db/db.ts';
import { newId } from '../../core/db/ids.ts';
import type { Hasher, IsCommonPassword } from '../../core/deps.ts';
import { buildOtpauth, newTotpSecret, readTypedSecret } from '../auth/factors/totp.ts';
import { passwordProblem } from '../auth/passwords/policy.ts';
import { findOperator, insertOperator, replaceProofs } from './queries.ts';

/**
 * The id whose keys seal what belongs to the deployment: no clinic can have it, because it names no file.
 */
export const operatorsKeyId = '/operators';

/** Such an account can close clinics: longer than the passwords of a clinic's people. */
const passwordMinLength = 12;

/** Throws, in words for the maker of the account, if a password is not good enough. */
export const assertOperatorPassword = (email: string, password: string, isCommon: IsCommonPassword): void => {
  const problem = passwordProblem(password, { minLength: passwordMinLength, email, name: '', isCommon });
  if (problem !== null)
    throw new Error(
      `This password is ${problem.replaceAll('_', ' ')}: it has ${passwordMinLength} characters or more.`,
    );
};

interface Needs {
  db: Db;
  box: Pick<SecretBox, 'seal'>;
  hasher: Pick<Hasher, 'hash'>;
  now: number;
}

/** What an operator's authenticator app needs; it is shown once. */
export interface Enrolled {
  email: string;
  otpauth: string;
  /** The same secret, to type. */
  secret: string;
}

/**
 * Makes an operator's account, or gives it a new password and a new secret; `isNew` says which is meant. Throws if there
 * is one already, or none.
 */
export const enrolOperator = async (
  { email, password, isNew }: { email: string; password: string; isNew: boolean },
  { db, box, hasher, now }: Needs,
): Promise<Enrolled> => {
  const before = await findOperator(db, email);
  if (isNew && before !== null) throw new Error(`${email} is an operator already.`);
  if (!isNew && before === null) throw new Error(`${email} is no operator.`);
  const secret = newTotpSecret();
  const proofs = {
    passwordHash: await hasher.hash(password),
    totpSecret: await box.seal(secret),
    totpStep: 0,
  };
  if (before === null) await insertOperator(db, { id: newId(), email, createdAt: now, ...proofs });
  else await replaceProofs(db, before.id, proofs);
  const otpauth = buildOtpauth(secret, email);
  return { email, otpauth, secret: readTypedSecret(otpauth) };
};
