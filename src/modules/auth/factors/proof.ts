import type { Deps } from '../../../core/deps.ts';
import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import { buildRelyingParty } from '../../../core/settings/config.ts';
import type { Assertion } from '../passkeys/shapes.ts';
import { verifyAssertion } from '../passkeys/verify.ts';
import { hashToken } from '../refresh-token.ts';
import { computeSignedText } from './challenge.ts';
import { type FactorRow, spendRecoveryCode, spendStep } from './queries.ts';
import { typedFactorCode } from './rules.ts';
import { findStep } from './totp.ts';

/** The proof of a second factor: a passkey's answer, an authenticator app's code, or a recovery code. */
interface GivenProof {
  challenge?: string | undefined;
  assertion?: OutputOf<typeof Assertion> | undefined;
  code?: string | undefined;
  recovery_code?: string | undefined;
}

/** The checked proof. The write itself makes sure that the proof was not used before. */
interface Proof {
  by: 'totp' | 'passkey' | 'recovery_code';
  factorId: string | null;
  counter: number;
  recoveryHash: string | null;
}

/** The stored hash of a recovery code. It lasts as long as the account, so no key that is changed enters it. */
export const hashRecoveryCode = (deps: Deps, userId: string, code: string): Promise<string> =>
  hashToken(deps.tokenKeys, `recovery\n${userId}\n${typedFactorCode(code)}`);

const proofByCode = async (
  { secretBox }: Deps,
  factors: readonly FactorRow[],
  code: string,
  now: number,
): Promise<Proof | null> => {
  for (const { id, kind, secret, counter } of factors) {
    if (kind !== 'totp') continue;
    const opened = await secretBox.open(secret);
    const step = opened === null ? null : findStep(opened, typedFactorCode(code), counter, now);
    if (step !== null) return { by: 'totp', factorId: id, counter: step, recoveryHash: null };
  }
  return null;
};

/** The domain, the page origins and the challenge that a passkey of the account must sign. */
export const buildExpected = async ({ config }: Deps, challenge: string) => ({
  ...buildRelyingParty(config),
  challenge: await computeSignedText(challenge),
});

const proofByPasskey = async (
  deps: Deps,
  factors: readonly FactorRow[],
  assertion: OutputOf<typeof Assertion>,
  challenge: string,
): Promise<Proof | null> => {
  const passkey = factors.find(({ credentialId }) => credentialId === assertion.id);
  if (passkey?.publicKey == null) return null;
  const counter = await verifyAssertion(assertion, passkey.publicKey, await buildExpected(deps, challenge));
  return counter === null ? null : { by: 'passkey', factorId: passkey.id, counter, recoveryHash: null };
};

/** Null if the code or the passkey's answer is wrong. Only the database checks a recovery code. */
export const verifyProof = async (
  deps: Deps,
  userId: string,
  factors: readonly FactorRow[],
  { code, recovery_code, assertion, challenge = '' }: GivenProof,
  now: number,
): Promise<Proof | null> => {
  if (assertion !== undefined) return proofByPasskey(deps, factors, assertion, challenge);
  if (code !== undefined) return proofByCode(deps, factors, code, now);
  if (recovery_code === undefined) return null;
  const recoveryHash = await hashRecoveryCode(deps, userId, recovery_code);
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
