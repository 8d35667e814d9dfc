import { runAll, type Statement } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { ownEvent } from '../audit/own-event.ts';
import { eventRow, recordSecurityEvent } from '../audit/queries.ts';
import type { AuthenticatedContext } from '../context.ts';
import { labelOfOwner } from '../owner.ts';
import { type Attempt, forgive } from '../throttle/throttled.ts';
import { hashRecoveryCode } from './proof.ts';
import {
  confirmFactor,
  deleteFactor,
  deleteIdleCodes,
  deletePending,
  deleteRecoveryCodes,
  deleteReplaced,
  endUnprovedLogins,
  type FactorRow,
  insertFactor,
  insertRecoveryCodes,
  noteFactors,
  recordAdded,
  recordCodesMade,
  recordRemoved,
} from './queries.ts';
import { recoveryCodeCount, recoveryCodeFrom, typedFactorCode } from './rules.ts';
import { buildOtpauth, findStep, newTotpSecret, readTypedSecret } from './totp.ts';

export const factorView = (row: FactorRow) => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  created_at: toIso(row.createdAt),
  last_used_at: toIso(row.lastUsedAt ?? row.createdAt),
});

/** Makes the secret of an authenticator app, which counts for nothing until its first code was shown. */
export const startTotp = async (context: AuthenticatedContext, name = '') => {
  const { deps, now, actor, login } = context;
  const { db } = deps;
  const { userId } = actor;
  const id = deps.newId();
  const secret = newTotpSecret();
  await runAll(db, [
    recordSecurityEvent(db, { ...ownEvent(context, context.actor), type: 'second_factor_begun' }),
    deletePending(db, { userId }),
    insertFactor(db, { id, userId, name, secret: await deps.secretBox.seal(secret), now }),
  ]);
  const url = buildOtpauth(secret, labelOfOwner(login));
  return { id, secret: readTypedSecret(url), otpauth_url: url };
};

/** New recovery codes, and the statements that put them in the place of the old ones, if the event was recorded. */
export const freshCodes = async (deps: Deps, userId: string, writeId: string, now: number) => {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    recoveryCodeFrom(crypto.getRandomValues(new Uint8Array(15))),
  );
  const hashes = await Promise.all(codes.map((code) => hashRecoveryCode(deps, userId, code)));
  const statements: Statement[] = [
    deleteRecoveryCodes(deps.db, { userId, writeId }),
    insertRecoveryCodes(deps.db, { userId, hashes: JSON.stringify(hashes), now, writeId }),
  ];
  return { codes, statements };
};

const wrongCode = (): Failure =>
  new Failure('validation_failed', { issues: [{ path: 'code', rule: 'code_wrong' }] });

/**
 * Turns the factor on by its first code, and returns recovery codes. All logins that were made by the password alone
 * end.
 */
export const confirmTotp = async (
  context: AuthenticatedContext,
  code: string,
  pending: FactorRow | undefined,
  attempt: Attempt,
) => {
  const { deps, now, actor } = context;
  const { db } = deps;
  const { userId, deviceLoginId } = actor;
  const { network } = attempt;
  const secret = pending && (await deps.secretBox.open(pending.secret));
  const counter = secret == null ? null : findStep(secret, typedFactorCode(code), 0, now);
  if (pending === undefined || counter === null) throw wrongCode();
  const { id: factorId } = pending;
  const event = { ...ownEvent(context, context.actor), type: 'second_factor_added' as const, network };
  const { writeId } = event;
  const { codes, statements } = await freshCodes(deps, userId, writeId, now);
  const detail = { factor_id: factorId, kind: pending.kind };
  const { confirmed } = await runAll(db, {
    event: recordAdded(db, { ...eventRow({ ...event, detail }), factorId, counter }),
    confirmed: confirmFactor(db, { factorId, counter, now, writeId }),
    replaced: deleteReplaced(db, { userId, exceptId: factorId, writeId }),
    account: noteFactors(db, { userId, now, writeId }),
    logins: endUnprovedLogins(db, { userId, exceptId: deviceLoginId, now, writeId }),
    codes: statements,
    forgiven: await forgive(deps, 'second-factor', userId, attempt),
  });
  if (confirmed.length === 0) throw wrongCode();
  return { recovery_codes: codes };
};

/** Ten new recovery codes in the place of those that were. */
export const makeRecoveryCodes = async (context: AuthenticatedContext) => {
  const { deps, now, actor, login } = context;
  if (login.secondFactorAt === null) throw new Failure('second_factor_missing');
  const event = { ...ownEvent(context, context.actor), type: 'recovery_codes_made' as const };
  const { codes, statements } = await freshCodes(deps, actor.userId, event.writeId, now);
  await runAll(deps.db, [recordCodesMade(deps.db, eventRow(event)), ...statements]);
  return { recovery_codes: codes };
};

/** Takes a factor away; with the last one the recovery codes. */
export const removeFactor = async (context: AuthenticatedContext, { id: factorId, kind }: FactorRow) => {
  const { deps, now, actor } = context;
  const { db } = deps;
  const { userId } = actor;
  const detail = { factor_id: factorId, kind };
  const event = { ...ownEvent(context, context.actor), type: 'second_factor_removed' as const, detail };
  const { writeId } = event;
  await runAll(db, [
    recordRemoved(db, { ...eventRow(event), factorId }),
    deleteFactor(db, { factorId, writeId }),
    noteFactors(db, { userId, now, writeId }),
    deleteIdleCodes(db, { userId, writeId }),
  ]);
};
