import { runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { Answer } from '../../../core/http/respond.ts';
import { reachablePhone } from '../../../core/search/phone-rules.ts';
import { takesMailCodes, takesPhoneCodes } from '../../../core/takes-codes.ts';
import { type eventRow, findRecorded } from '../audit/queries.ts';
import { countWrongCode, spendRecordedCode } from '../code/queries.ts';
import { hashesOfTyped, type Purpose, sendCodeFor } from '../code/send.ts';
import { countedFor, type Target } from '../code/way.ts';
import type { AuthenticatedContext } from '../context.ts';
import { parseOwner } from '../owner.ts';
import { throttled } from '../throttle/throttled.ts';
import { noteProof, recordByCode, renewPhone } from './queries.ts';
import { confirmationTarget } from './rules.ts';

const sendsTo = (deps: Deps, phone: string | null): boolean => {
  const country = phone === null ? undefined : reachablePhone(`+${phone}`)?.code;
  return country !== undefined && takesPhoneCodes(deps) && deps.config.PHONE_CODE_COUNTRIES.includes(country);
};

/** Where a code to confirm goes for the login. Throws `confirmation_code_unavailable` where none is sent. */
const findTarget = ({ deps, login }: AuthenticatedContext): Target => {
  const target = confirmationTarget(
    { ...login, email: parseOwner(login).email },
    { mail: takesMailCodes(deps), phone: sendsTo(deps, login.loginPhone) },
  );
  if (target === null) throw new Failure('confirmation_code_unavailable');
  return target;
};

/** Confirming this login: a code to a phone or an address that the account has no longer is good for nothing. */
const toConfirm = (
  { userId, deviceLoginId }: { userId: string; deviceLoginId: string },
  target: Target,
): Purpose => ({
  address: ['confirm', userId, deviceLoginId],
  code: ['confirm-code', userId, deviceLoginId, target.by === 'mail' ? target.email : target.phone],
});

/** Sends a code that confirms who is at the device. */
export const sendConfirmationCode = async <A extends Answer>(
  context: AuthenticatedContext,
  toAnswer: (by: Target['by']) => A,
): Promise<A> => {
  const target = findTarget(context);
  const act = target.by === 'mail' ? 'login-code' : 'phone-code';
  return throttled(context, { act, account: countedFor(target) }, async (attempt) => {
    const { actor } = context;
    await sendCodeFor(context, target, toConfirm(actor, target), attempt, { actor, what: 'confirm' });
    return toAnswer(target.by);
  });
};

/** Uses the code up and notes the proof; a wrong try is counted in the same step. Returns whether it was right. */
export const confirmByCode = async (
  context: AuthenticatedContext,
  typed: string,
  event: ReturnType<typeof eventRow>,
): Promise<boolean> => {
  const { deps, now, actor } = context;
  const { db } = deps;
  const { userId, deviceLoginId: id } = actor;
  const { writeId } = event;
  const target = findTarget(context);
  const tried = { ...(await hashesOfTyped(deps, toConfirm(actor, target), typed)), now };
  const { recorded } = await runAll(db, {
    event: recordByCode(db, { ...event, ...tried }),
    login: noteProof(db, { id, now, writeId }),
    phone: target.by === 'phone' ? [renewPhone(db, { userId, phone: target.phone, now, writeId })] : [],
    spent: spendRecordedCode(db, { addresses: tried.addresses, writeId }),
    wrong: countWrongCode(db, tried),
    recorded: findRecorded(db, { writeId }),
  });
  return recorded.length > 0;
};
