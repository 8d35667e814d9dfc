import { dayMs } from '../../../core/clinic/durations.ts';
import { derive } from '../../../core/crypto/key-derivation.ts';
import { run, runAll } from '../../../core/db/db.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { catalogue, Failure } from '../../../core/endpoint/errors.ts';
import { minutesInWords, say } from '../../../core/endpoint/sentences.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { ownEvent } from '../audit/own-event.ts';
import { eventRow, recordSecurityEvent } from '../audit/queries.ts';
import type { Actor } from '../context.ts';
import { endFeeds } from '../feed-queries.ts';
import { sendDueMail } from '../mail/send.ts';
import { offerMatches } from '../match-queries.ts';
import { assertGoodPassword } from '../new-password.ts';
import { hashToken, tokenHashes } from '../refresh-token.ts';
import { accountName, resetTtlMinutes, resetTtlMs } from '../rules.ts';
import { type Attempt, findDevice, forgetOrigins, forgive } from '../throttle/throttled.ts';
import type * as contract from './contract.ts';
import {
  endLoginsAfterChange,
  findChanged,
  findPasswordHash,
  findReset,
  insertReset,
  mailPasswordChange,
  mailReset,
  recordForgotten,
  recordPasswordChange,
  recordPhoneOfReset,
  replacePassword,
  resetPassword,
  spendResets,
} from './queries.ts';

interface Person {
  userId: string;
  email: string | null;
  name: string;
}

/**
 * The effects of a new password, in the same batch: device logins, password resets and calendar addresses end; networks
 * and devices that logged in before lose their extra attempts; the owner gets a mail.
 */
export const consequencesOfPassword = async (
  { deps, now, requestId, language }: RequestContext,
  type: 'password_changed' | 'password_reset',
  { userId, email }: Pick<Person, 'userId' | 'email'>,
  exceptLoginId: string | null,
  newHash: string,
  network: string,
) => {
  const { db } = deps;
  const changed = { userId, newHash };
  const event = { writeId: deps.newId(), type, userId, actorId: userId, deviceLoginId: exceptLoginId };
  const mail = { mailId: deps.newId(), kind: 'password_changed', language, expiresAt: now + dayMs };
  return [
    endLoginsAfterChange(db, { ...changed, exceptLoginId: exceptLoginId ?? '', now, reason: type }),
    spendResets(db, { ...changed, now }),
    recordPasswordChange(db, { ...eventRow({ ...event, network, requestId, now }), newHash }),
    mailPasswordChange(db, { ...changed, ...mail, now }),
    endFeeds(db, { id: userId, writeId: event.writeId }),
    ...(await forgetOrigins(deps, {
      name: accountName({ id: userId, email }),
      writeId: event.writeId,
      now,
    })),
  ];
};

const refuseCurrent = async (
  { deps, now, requestId }: RequestContext,
  { userId }: Person,
  attempt: Attempt,
) => {
  const event = { writeId: deps.newId(), type: 'password_change_failed' as const, userId, actorId: userId };
  await run(deps.db, recordSecurityEvent(deps.db, { ...event, network: attempt.network, requestId, now }));
  return new Failure('validation_failed', { issues: [{ path: 'current_password', rule: 'password_wrong' }] });
};

type Change = BodyOf<typeof contract.ChangePassword>;

/** Changes the password after checking the current one, and ends all other device logins in the same batch. */
export const changePassword = async (
  context: RequestContext,
  actor: Actor,
  person: Person,
  input: Change,
  attempt: Attempt,
): Promise<void> => {
  const { deps, now } = context;
  const { userId, deviceLoginId } = actor;
  const [known] = await run(deps.db, findPasswordHash(deps.db, { id: userId }));
  const matches =
    known && (await deps.hasher.verify(known.passwordHash, input.current_password, context.gone));
  if (known === undefined || !matches) throw await refuseCurrent(context, person, attempt);
  const newHash = await deps.hasher.hash(input.password, context.gone);
  const values = { userId, loginId: deviceLoginId, oldHash: known.passwordHash, newHash, now };
  const { changed } = await runAll(deps.db, {
    replaced: replacePassword(deps.db, values),
    changed: findChanged(deps.db, { userId, newHash }),
    consequences: await consequencesOfPassword(
      context,
      'password_changed',
      person,
      deviceLoginId,
      newHash,
      attempt.network,
    ),
    forgotten: await attempt.succeeded(),
  });
  if (changed.length === 0) throw await refuseCurrent(context, person, attempt);
  deps.background(sendDueMail(deps));
};

type NewPassword = Pick<Change, 'password' | 'password_confirmation'>;

/** Checked before the attempt is counted: it is cheap and reveals nothing about any account. */
export const assertNewPassword = (
  { deps }: RequestContext,
  input: NewPassword,
  person: Pick<Person, 'email' | 'name'>,
): Promise<void> => assertGoodPassword(deps, input, person);

/** Puts a reset mail into the outbox if an account has this e-mail; does the same amount of work if none has. */
export const requestPasswordReset = async (
  context: RequestContext,
  email: string,
  { network }: Attempt,
): Promise<void> => {
  const { deps, now, requestId, language } = context;
  const { db } = deps;
  const mailId = deps.newId();
  const hash = await hashToken(deps.tokenKeys, await derive(deps.tokenKeys, 'password-reset', mailId));
  const expiring = { email, now, expiresAt: now + resetTtlMs };
  const event = { writeId: deps.newId(), type: 'password_forgotten' as const, userId: null };
  await runAll(db, [
    insertReset(db, { ...expiring, hash }),
    mailReset(db, { ...expiring, mailId, kind: 'password_reset', userId: null, language }),
    recordForgotten(db, { ...eventRow({ ...event, network, requestId, now }), email }),
  ]);
  deps.background(sendDueMail(deps));
};

const resetRefused = (): Failure =>
  new Failure('reset_token_invalid', {
    sentence: say(catalogue.reset_token_invalid, { lifetime: minutesInWords(resetTtlMinutes) }),
  });

/** Sets a new password with the token from the mail (usable once), and ends every device login in the same step. */
export const setPasswordByReset = async (
  context: RequestContext,
  input: BodyOf<typeof contract.ResetPassword>,
  { network }: Attempt,
): Promise<void> => {
  const { deps, now } = context;
  const { db } = deps;
  const { hash, legacyHash } = await tokenHashes(deps.tokenKeys, input.token);
  const [person] = await run(db, findReset(db, { hash, legacyHash, now }));
  if (person === undefined) throw resetRefused();
  await assertGoodPassword(deps, input, person);
  const newHash = await deps.hasher.hash(input.password, context.gone);
  const { userId, tokenHash, email } = person;
  const name = accountName({ id: userId, email });
  const device = await findDevice(context, name);
  // The owner may have tried wrong passwords from this network and device before the reset.
  const guessed = device === null ? [null] : [null, device.id];
  const forgotten = await Promise.all(
    guessed.map((of) => forgive(deps, 'login', name, { network, device: of })),
  );
  const event = eventRow({ ...ownEvent(context, { userId }), type: 'phone_removed', network });
  const { changed } = await runAll(db, {
    phone: recordPhoneOfReset(db, { ...event, tokenHash }),
    replaced: resetPassword(db, { userId, tokenHash, newHash, now }),
    changed: findChanged(db, { userId, newHash }),
    consequences: await consequencesOfPassword(context, 'password_reset', person, null, newHash, network),
    forgotten: forgotten,
    matches: offerMatches(db, { userId, now }),
  });
  if (changed.length === 0) throw resetRefused();
  deps.background(sendDueMail(deps));
};
