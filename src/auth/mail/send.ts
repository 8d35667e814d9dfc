import { deriveEach } from '../../crypto/key-derivation.ts';
import { run } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { type Mail, MailRefused } from '../../mailer.ts';
import { tokenHashes } from '../refresh-token.ts';
import { codesOfMail, hashesOfCode } from './email-code.ts';
import {
  type DueMail,
  findOpenCode,
  findOpenResets,
  findRecipient,
  leaseDue,
  settleMail,
} from './queries.ts';
import { keyOf, leaseMs, maxMailsAtOnce, maxRounds, pauseAfter, proofLink } from './rules.ts';
import { letters } from './text.ts';

/** The reset token, derived again because the outbox does not store it. Null if it was used or has expired. */
const resetToken = async (deps: Deps, mailId: string, now: number): Promise<string | null> => {
  const tokens = await deriveEach(deps.tokenKeys, 'password-reset', mailId);
  const hashes = await Promise.all(tokens.map((token) => tokenHashes(deps.tokenKeys, token)));
  const wanted = JSON.stringify(hashes.flatMap(({ hash, legacyHash }) => [hash, legacyHash]));
  const open = new Set(
    (await run(deps.db, findOpenResets(deps.db, { hashes: wanted, now }))).map(({ hash }) => hash),
  );
  const at = hashes.findIndex(({ hash, legacyHash }) => open.has(hash) || open.has(legacyHash));
  return tokens[at] ?? null;
};

/** The code that proves the address, derived again. Null if it was used, replaced, invalidated or has expired. */
const emailCodeOf = async (deps: Deps, { id, userId }: DueMail, email: string, now: number) => {
  const codes = await codesOfMail(deps.tokenKeys, id);
  const addressee = { userId, email };
  const every = codes.map((code) => hashesOfCode(deps.tokenKeys, addressee, code));
  const hashes = await Promise.all(every);
  const values = { userId, hashes: JSON.stringify(hashes.flat()), now };
  const [open] = await run(deps.db, findOpenCode(deps.db, values));
  return open === undefined ? null : (codes.find((_, at) => hashes[at]?.includes(open.hash)) ?? null);
};

/** The token or code of a mail, or an empty text if it has none; null if it is no longer valid. */
const secretOf = async (deps: Deps, mail: DueMail, email: string, now: number): Promise<string | null> => {
  if (mail.kind === 'password_changed') return '';
  return mail.kind === 'email_code' ? emailCodeOf(deps, mail, email, now) : resetToken(deps, mail.id, now);
};

/** The letter and its recipient; null if the mail is no longer needed. */
const compose = async (deps: Deps, mail: DueMail, now: number) => {
  const [recipient] = await run(deps.db, findRecipient(deps.db, { id: mail.userId }));
  if (recipient === undefined) return null;
  const { email, name } = recipient;
  const secret = await secretOf(deps, mail, email, now);
  if (secret === null) return null;
  const { PASSWORD_RESET_URL, EMAIL_PROOF_URL } = deps.config;
  const letterFields =
    mail.kind === 'email_code'
      ? { name, key: secret, isLink: false, link: proofLink(secret, EMAIL_PROOF_URL) }
      : {
          name,
          key: keyOf(secret, PASSWORD_RESET_URL),
          isLink: PASSWORD_RESET_URL !== undefined,
          link: null,
        };
  return { id: mail.id, to: email, ...letters[mail.kind][mail.language](letterFields) };
};

/** Why sending failed, without personal data, and whether the failure is final. */
const judge = (error: unknown) => {
  if (error instanceof MailRefused) return { cause: error.message, isFinal: error.final };
  return { cause: error instanceof Error ? error.name : 'unknown', isFinal: false };
};

const sendOne = async (deps: Deps, mail: DueMail, leaseId: string): Promise<void> => {
  const now = deps.clock();
  const settle = (how: { sentAt?: number; failedAt?: number; dueAt?: number; error?: string }) => {
    const open = { sentAt: null, failedAt: null, dueAt: now, error: null };
    return run(deps.db, settleMail(deps.db, { id: mail.id, leaseId, ...open, ...how }));
  };
  let letter: Mail | null;
  try {
    letter = await compose(deps, mail, now);
    if (letter !== null) await deps.mailer.send(letter);
  } catch (error) {
    const { cause, isFinal } = judge(error);
    const pause = isFinal ? null : pauseAfter(mail.attempts);
    const logFields = { mail_id: mail.id, kind: mail.kind, attempt: mail.attempts, cause };
    deps.log.warn(pause === null ? 'mail given up' : 'mail not sent', logFields);
    await settle({ error: cause, ...(pause === null ? { failedAt: now } : { dueAt: now + pause }) });
    return;
  }
  // Outside the try: a mail that was sent must not be recorded as failed.
  await settle(letter === null ? { failedAt: now, error: 'Obsolete' } : { sentAt: deps.clock() });
};

/** Sends one round of due mails, those that waited longest first, and returns their number. */
const sendRound = async (deps: Deps): Promise<number> => {
  const now = deps.clock();
  const leaseId = deps.newId();
  const values = { leaseId, leaseEnd: now + leaseMs, now, max: maxMailsAtOnce };
  const due = await run(deps.db, leaseDue(deps.db, values));
  await Promise.all(due.map((mail) => sendOne(deps, mail, leaseId)));
  return due.length;
};

/** Sends the mails that are due. Two processes may do so at once: a lease gives each attempt to one of them. */
export const sendDueMail = async (deps: Deps, _now?: number, signal?: AbortSignal): Promise<void> => {
  for (let round = 0; round < maxRounds && !signal?.aborted; round++)
    if ((await sendRound(deps)) < maxMailsAtOnce) return;
};
