import type { Deps } from '../../deps.ts';
import { hashToken } from '../refresh-token.ts';
import { type FactorRow, spendRecoveryCode, spendStep } from './queries.ts';
import { typedFactorCode } from './rules.ts';
import { stepOf } from './totp.ts';

/** What somebody gives to prove that it is them: the code of their app, or one for whoever has lost it. */
export interface GivenProof {
  code?: string | undefined;
  recovery_code?: string | undefined;
}

/** What it comes to; the database decides at the write whether it was used before. */
export interface Proof {
  by: 'totp' | 'recovery_code';
  factorId: string | null;
  counter: number;
  recoveryHash: string | null;
}

/** The stored hash of a recovery code. It lasts as long as the account, so no key that is changed enters it. */
export const recoveryHashOf = (deps: Deps, userId: string, code: string): Promise<string> =>
  hashToken(deps.tokenKeys, `recovery\n${userId}\n${typedFactorCode(code)}`);

const proofByCode = async (
  { secretBox }: Deps,
  factors: readonly FactorRow[],
  code: string,
  now: number,
): Promise<Proof | null> => {
  for (const { id, secret, counter } of factors) {
    const opened = await secretBox.open(secret);
    const step = opened === null ? null : stepOf(opened, typedFactorCode(code), counter, now);
    if (step !== null) return { by: 'totp', factorId: id, counter: step, recoveryHash: null };
  }
  return null;
};

/** Null where the code is wrong. A recovery code is judged by the database alone. */
export const proofOf = async (
  deps: Deps,
  userId: string,
  factors: readonly FactorRow[],
  { code, recovery_code }: GivenProof,
  now: number,
): Promise<Proof | null> => {
  if (code !== undefined) return proofByCode(deps, factors, code, now);
  if (recovery_code === undefined) return null;
  const recoveryHash = await recoveryHashOf(deps, userId, recovery_code);
  return { by: 'recovery_code', factorId: null, counter: 0, recoveryHash };
};

/** The statements that use a proof up, after its event was recorded. */
export const spend = (
  { db }: Deps,
  { factorId, counter, recoveryHash }: Proof,
  writeId: string,
  now: number,
) =>
  factorId === null
    ? [spendRecoveryCode(db, { recoveryHash, now, writeId })]
    : [spendStep(db, { factorId, counter, now, writeId })];
