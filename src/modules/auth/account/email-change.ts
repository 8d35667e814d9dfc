import { dayMs } from '../../../core/clinic/durations.ts';
import { run, runAll } from '../../../core/db/db.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { refusedToken } from '../../../core/endpoint/refused-token.ts';
import { storeOnly } from '../../../core/idempotency/queries.ts';
import { ownEvent } from '../audit/own-event.ts';
import { eventRow, findRecorded, recordSecurityEvent } from '../audit/queries.ts';
import type { AuthenticatedContext } from '../context.ts';
import { endFeeds } from '../feed-queries.ts';
import { findDeviceLogin } from '../login/queries.ts';
import { codeOfMail, hashCode, hashesOfCode } from '../mail/email-code.ts';
import { emailCodeTtlMs, maxCodeFailures, typedCode } from '../mail/email-code-rules.ts';
import { sendDueMail } from '../mail/send.ts';
import { offerMatches } from '../match-queries.ts';
import { parseOwner } from '../owner.ts';
import { accountName } from '../rules.ts';
import { type Attempt, forgetOrigins } from '../throttle/throttled.ts';
import {
  changeEmail,
  countChangeFailure,
  endOthers,
  findChange,
  mailAsked,
  mailChange,
  recordEmailChange,
  spendChange,
  spendMailed,
  spendOldCode,
  storeChange,
  swapWord,
} from './email-change-queries.ts';

const emailChangeAsked = { status: 202 as const };

/**
 * Mails a code to the requested e-mail address and a notice to the present one. The answer does not reveal whether an
 * address is already taken.
 */
export const askForEmail = async (
  context: AuthenticatedContext,
  account: { userId: string; email: string | null },
  email: string,
  network: string | null,
) => {
  const { deps, now, language, toStoredResponse } = context;
  const { db, tokenKeys } = deps;
  const { userId } = account;
  const mailId = deps.newId();
  const hash = await hashCode(tokenKeys, { userId, email }, await codeOfMail(tokenKeys, mailId));
  const expiring = { userId, now, expiresAt: now + emailCodeTtlMs };
  const toPresent = { mailId: deps.newId(), kind: 'email_change_asked', expiresAt: now + dayMs };
  if (email === account.email) throw new Failure('validation_failed', { issues: [same] });
  const event = { ...ownEvent(context, context.actor), network, userId };
  await runAll(db, [
    recordSecurityEvent(db, { ...event, type: 'email_change_asked' }),
    storeChange(db, { ...expiring, email, hash }),
    mailChange(db, { ...expiring, email, mailId, kind: 'email_change', language }),
    ...(account.email === null
      ? []
      : [mailAsked(db, { ...expiring, ...toPresent, language, address: account.email })]),
    ...storeOnly(db, event, toStoredResponse(emailChangeAsked)),
  ]);
  deps.background(sendDueMail(deps));
  return emailChangeAsked;
};

const same = { path: 'email', rule: 'taken' } as const;

/** Changes the e-mail by the code that was mailed to the new one; a wrong try is counted in the same step. */
export const proveNewEmail = async (
  context: AuthenticatedContext,
  code: string,
  attempt: Attempt,
): Promise<string> => {
  const { deps, now, actor, login } = context;
  const { db } = deps;
  const { userId, deviceLoginId } = actor;
  const [requested] = await run(db, findChange(db, { userId }));
  if (requested === undefined) throw new Failure('email_code_invalid');
  const { email } = requested;
  const hashes = JSON.stringify(await hashesOfCode(deps.tokenKeys, { userId, email }, typedCode(code)));
  const event = {
    ...ownEvent(context, actor),
    type: 'email_changed' as const,
    network: attempt.network,
  };
  const { writeId } = event;
  const before = parseOwner(login).email;
  const origins = await forgetOrigins(deps, {
    name: accountName({ id: userId, email: before }),
    writeId,
    now,
  });
  const {
    recorded,
    own: [own],
  } = await runAll(db, {
    own: findDeviceLogin(db, { id: deviceLoginId }),
    event: recordEmailChange(db, { ...eventRow(event), email, hashes, maxFailures: maxCodeFailures }),
    account: changeEmail(db, { userId, email, now, writeId }),
    words: swapWord(db, { userId, writeId, now }, before, email),
    mailed: spendMailed(db, { userId, now, writeId }),
    code: spendOldCode(db, { userId, writeId }),
    logins: endOthers(db, { userId, exceptId: deviceLoginId, now, writeId, reason: 'email_changed' }),
    feeds: endFeeds(db, { id: userId, writeId }),
    origins,
    failure: countChangeFailure(db, { userId, writeId }),
    spent: spendChange(db, { userId, writeId }),
    matches: offerMatches(db, { userId, now }),
    recorded: findRecorded(db, { writeId }),
  });
  // The login may have ended while the code was on its way.
  if (recorded.length === 0)
    throw own?.revokedAt === null ? new Failure('email_code_invalid') : refusedToken();
  return email;
};
