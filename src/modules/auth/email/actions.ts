import type { Claims } from '../../../core/crypto/token-keys.ts';
import { run, runAll, type Statement } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { eventRow } from '../audit/queries.ts';
import { type Addressee, codeOfMail, hashCode, hashesOfCode } from '../mail/email-code.ts';
import { emailCodeTtlMs, typedCode } from '../mail/email-code-rules.ts';
import { sendDueMail } from '../mail/send.ts';
import { offerMatches } from '../match-queries.ts';
import type { Attempt } from '../throttle/throttled.ts';
import {
  countFailure,
  findProof,
  mailCode,
  proveEmail,
  recordCodeSent,
  recordProof,
  spendCode,
  storeCode,
} from './queries.ts';

interface MailContext {
  deps: Deps;
  now: number;
  requestId: string;
  language: Language;
}

/** The statements that mail a code; they do nothing if the e-mail is already proved. */
export const codeStatements = async (
  { deps, now, requestId, language }: MailContext,
  to: Addressee,
  deviceLoginId: string,
  network: string,
): Promise<Statement[]> => {
  const { db, tokenKeys } = deps;
  const mailId = deps.newId();
  const hash = await hashCode(tokenKeys, to, await codeOfMail(tokenKeys, mailId));
  const expiring = { userId: to.userId, now, expiresAt: now + emailCodeTtlMs };
  const event = { writeId: deps.newId(), type: 'email_code_sent' as const, ...toActor(to), deviceLoginId };
  return [
    recordCodeSent(db, eventRow({ ...event, network, requestId, now })),
    storeCode(db, { ...expiring, hash }),
    mailCode(db, { ...expiring, mailId, kind: 'email_code', language }),
  ];
};

const toActor = ({ userId }: Addressee) => ({ userId, actorId: userId });

/** Mails a code to the account's address. */
export const sendEmailCode = async (
  context: MailContext,
  { deviceLoginId }: Claims,
  to: Addressee,
  { network }: Attempt,
): Promise<void> => {
  const { deps } = context;
  const [row] = await run(deps.db, findProof(deps.db, { userId: to.userId }));
  if (row?.emailProvedAt != null) throw new Failure('email_already_proved');
  await runAll(deps.db, await codeStatements(context, to, deviceLoginId, network));
  deps.background(sendDueMail(deps));
};

/** Proves the address by the code that was mailed to it; counts a wrong try in the same step. */
export const verifyEmail = async (
  { deps, now, requestId }: MailContext,
  { deviceLoginId }: Claims,
  to: Addressee,
  code: string,
  { network }: Attempt,
): Promise<void> => {
  const { db } = deps;
  const { userId } = to;
  const hashes = JSON.stringify(await hashesOfCode(deps.tokenKeys, to, typedCode(code)));
  const writeId = deps.newId();
  const event = { writeId, type: 'email_proved' as const, ...toActor(to), deviceLoginId };
  const {
    proof: [proof],
  } = await runAll(db, {
    event: recordProof(db, { ...eventRow({ ...event, network, requestId, now }), hashes }),
    update: proveEmail(db, { userId, now, writeId }),
    spent: spendCode(db, { userId, writeId }),
    matches: offerMatches(db, { userId, now }),
    failure: countFailure(db, { userId, writeId }),
    proof: findProof(db, { userId }),
  });
  if (proof?.emailProvedAt == null) throw new Failure('email_code_invalid');
};
