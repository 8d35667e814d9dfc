import { run, runAll } from '../../../core/db/db.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { findPasswordHash } from '../account/queries.ts';
import { ownEvent } from '../audit/own-event.ts';
import { eventRow, findRecorded, recordSecurityEvent } from '../audit/queries.ts';
import type { AuthenticatedContext } from '../context.ts';
import { openPasskeyChallenge } from '../factors/challenge.ts';
import { spend, verifyProof } from '../factors/proof.ts';
import type { FactorRow } from '../factors/queries.ts';
import { nameOfOwner, passwordIsOff } from '../owner.ts';
import { type Attempt, forgive, throttled } from '../throttle/throttled.ts';
import { confirmByCode } from './code.ts';
import type * as contract from './contract.ts';
import { noteProof, recordByFactor, recordByPassword } from './queries.ts';

type Input = BodyOf<typeof contract.Reauthenticate>;
type Context = AuthenticatedContext & { body: Input };

const refuse = async (
  { deps, now, requestId, actor, body }: Context,
  type: 'password_change_failed' | 'second_factor_failed' | 'login_failed',
  { network }: Attempt,
) => {
  const event = { writeId: deps.newId(), type, userId: actor.userId, actorId: actor.userId };
  await run(deps.db, recordSecurityEvent(deps.db, { ...event, network, requestId, now }));
  const issue =
    type === 'password_change_failed'
      ? ({ path: 'password', rule: 'password_wrong' } as const)
      : type === 'login_failed'
        ? ({ path: 'sent_code', rule: 'code_wrong' } as const)
        : body.assertion === undefined
          ? ({ path: 'code', rule: 'code_wrong' } as const)
          : ({ path: 'assertion', rule: 'passkey_wrong' } as const);
  return new Failure('validation_failed', { issues: [issue] });
};

const buildEvent = (context: Context, by: string, { network }: Attempt) =>
  eventRow({ ...ownEvent(context, context.actor), type: 'reauthenticated', network, detail: { by } });

const byPassword = async (context: Context, password: string, attempt: Attempt): Promise<void> => {
  const { deps, now, actor } = context;
  const { userId, deviceLoginId: id } = actor;
  const [known] = await run(deps.db, findPasswordHash(deps.db, { id: userId }));
  const matches = known && (await deps.hasher.verify(known.passwordHash, password, context.gone));
  if (known === undefined || !matches) throw await refuse(context, 'password_change_failed', attempt);
  const event = buildEvent(context, 'password', attempt);
  const { writeId } = event;
  await runAll(deps.db, [
    recordByPassword(deps.db, { ...event, passwordHash: known.passwordHash }),
    noteProof(deps.db, { id, now, writeId }),
    ...(await attempt.succeeded()),
  ]);
};

/** When the challenge of a passkey was given out; undefined unless it was given to this login for this. */
const issuedAt = async ({ deps, now, actor, body }: Context): Promise<number | undefined> => {
  const wanted = { use: 'confirm', userId: actor.userId, deviceLoginId: actor.deviceLoginId } as const;
  return (await openPasskeyChallenge(deps.tokenKeys, body.challenge ?? '', wanted, now))?.issuedAt;
};

const byFactor = async (context: Context, factors: readonly FactorRow[], attempt: Attempt): Promise<void> => {
  const { deps, now, actor, body } = context;
  const { userId, deviceLoginId: id } = actor;
  const issued = body.assertion === undefined ? null : await issuedAt(context);
  const proof = issued === undefined ? null : await verifyProof(deps, userId, factors, body, now);
  if (proof === null) throw await refuse(context, 'second_factor_failed', attempt);
  const event = buildEvent(context, proof.by, attempt);
  const { writeId } = event;
  const { recorded } = await runAll(deps.db, {
    event: recordByFactor(deps.db, { ...event, ...proof, issuedAt: issued ?? null }),
    spent: spend(deps, proof, writeId, now),
    login: noteProof(deps.db, { id, now, writeId }),
    recorded: findRecorded(deps.db, { writeId }),
    forgiven: await forgive(deps, 'second-factor', userId, attempt),
  });
  if (recorded.length === 0) throw await refuse(context, 'second_factor_failed', attempt);
};

const bySentCode = async (context: Context, code: string, attempt: Attempt): Promise<void> => {
  const isRight = await confirmByCode(context, code, buildEvent(context, 'code', attempt));
  if (!isRight) throw await refuse(context, 'login_failed', attempt);
  await runAll(context.deps.db, await attempt.succeeded());
};

const confirmed = { status: 200 } as const;

/** Confirms who is at the device, by the password, by a code that was sent in its place, or by a second factor. */
export const reauthenticate = (context: Context, factors: readonly FactorRow[]) => {
  const { deps, actor, login, body } = context;
  const { password, sent_code: sentCode } = body;
  if (password !== undefined && passwordIsOff(deps.config, login)) throw new Failure('sso_required');
  if (password !== undefined)
    return deps.hasher.admit(() =>
      throttled(context, { act: 'login', account: nameOfOwner(login) }, async (attempt) => {
        await byPassword(context, password, attempt);
        return confirmed;
      }),
    );
  if (sentCode !== undefined)
    return throttled(context, { act: 'login', account: nameOfOwner(login) }, async (attempt) => {
      await bySentCode(context, sentCode, attempt);
      return confirmed;
    });
  if (body.code === undefined && body.recovery_code === undefined && body.assertion === undefined)
    throw new Failure('validation_failed', { issues: [{ path: 'password', rule: 'required' }] });
  return throttled(context, { act: 'second-factor', account: actor.userId }, async (attempt) => {
    await byFactor(context, factors, attempt);
    return confirmed;
  });
};
