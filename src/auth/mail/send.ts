import { run } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { type Mail, MailRefused } from '../../mailer.ts';
import { deriveEach } from '../derivation.ts';
import { tokenHashes } from '../refresh-token.ts';
import { type DueMail, findOpenResets, findRecipient, leaseDue, settleMail } from './queries.ts';
import { keyOf, leaseMs, mostMailsAtOnce, mostRounds, pauseAfter } from './rules.ts';
import { letters } from './text.ts';

/** The reset's token: derived anew, so that it never lies in the outbox. Null once it was used or has expired. */
const resetToken = async (deps: Deps, mailId: string, now: number): Promise<string | null> => {
  const tokens = await deriveEach(deps.tokenKeys, 'password-reset', mailId);
  const hashes = await Promise.all(tokens.map((token) => tokenHashes(deps.tokenKeys, token)));
  const wanted = JSON.stringify(hashes.flatMap(({ hash, legacy_hash }) => [hash, legacy_hash]));
  const open = new Set(
    (await run(deps.db, findOpenResets(deps.db, { hashes: wanted, now }))).map(({ hash }) => hash),
  );
  const at = hashes.findIndex(({ hash, legacy_hash }) => open.has(hash) || open.has(legacy_hash));
  return tokens[at] ?? null;
};

/** The letter and whom it is for; null when there is nothing to say any more. */
const compose = async (deps: Deps, mail: DueMail, now: number) => {
  const [recipient] = await run(deps.db, findRecipient(deps.db, { id: mail.userId }));
  const token = mail.kind === 'password_reset' ? await resetToken(deps, mail.id, now) : '';
  if (recipient === undefined || token === null) return null;
  const page = deps.config.PASSWORD_RESET_URL;
  const told = { name: recipient.name, key: keyOf(token, page), isLink: page !== undefined };
  return { id: mail.id, to: recipient.email, ...letters[mail.kind][mail.language](told) };
};

/** Why it failed, in words that quote nobody, and whether that is the end of it. */
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
    const told = { mail_id: mail.id, kind: mail.kind, attempt: mail.attempts, cause };
    deps.log.warn(pause === null ? 'mail given up' : 'mail not sent', told);
    await settle({ error: cause, ...(pause === null ? { failedAt: now } : { dueAt: now + pause }) });
    return;
  }
  // Outside the try: a mail that left must not be settled as one that did not.
  await settle(letter === null ? { failedAt: now, error: 'Obsolete' } : { sentAt: deps.clock() });
};

/** Sends one round of mails that are due, those that have waited longest, and gives how many there were. */
const sendRound = async (deps: Deps): Promise<number> => {
  const now = deps.clock();
  const leaseId = deps.newId();
  const values = { leaseId, leaseEnd: now + leaseMs, now, most: mostMailsAtOnce };
  const due = await run(deps.db, leaseDue(deps.db, values));
  await Promise.all(due.map((mail) => sendOne(deps, mail, leaseId)));
  return due.length;
};

/** Sends the mails that are due. Two processes may do so at once: a lease gives each attempt to one of them. */
export const sendDueMail = async (deps: Deps): Promise<void> => {
  for (let round = 0; round < mostRounds; round++) if ((await sendRound(deps)) < mostMailsAtOnce) return;
};
