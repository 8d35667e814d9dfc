import { run } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { deriveEach } from '../derivation.ts';
import { hashRefreshToken } from '../refresh-token.ts';
import { type DueMail, findOpenResets, findRecipient, leaseDue, settleMail } from './queries.ts';
import { keyOf, leaseMs, mostMailsAtOnce, pauseAfter } from './rules.ts';
import { letters } from './text.ts';

/** The reset's token: derived anew, so that it never lies in the outbox. Null once it was used or has expired. */
const resetToken = async (deps: Deps, mailId: string, now: number): Promise<string | null> => {
  const tokens = await deriveEach(deps.tokenKeys, 'password-reset', mailId);
  const hashes = await Promise.all(tokens.map(hashRefreshToken));
  const open = await run(deps.db, findOpenResets(deps.db, { hashes: JSON.stringify(hashes), now }));
  return tokens.find((_, at) => open.some(({ hash }) => hash === hashes[at])) ?? null;
};

/** The letter and whom it is for; null when there is nothing to say any more. */
const compose = async (deps: Deps, mail: DueMail, now: number) => {
  const [recipient] = await run(deps.db, findRecipient(deps.db, { id: mail.userId }));
  const token = mail.kind === 'password_reset' ? await resetToken(deps, mail.id, now) : '';
  if (recipient === undefined || token === null) return null;
  const key = keyOf(token, deps.config.PASSWORD_RESET_URL);
  return { id: mail.id, to: recipient.email, ...letters[mail.kind][mail.language]({ ...recipient, key }) };
};

const sendOne = async (deps: Deps, mail: DueMail, leaseId: string): Promise<void> => {
  const now = deps.clock();
  const unsettled = { id: mail.id, leaseId, sentAt: null, failedAt: null, dueAt: now, error: null };
  try {
    const letter = await compose(deps, mail, now);
    if (letter !== null) await deps.mailer.send(letter);
    const settled = letter === null ? { failedAt: now, error: 'Obsolete' } : { sentAt: deps.clock() };
    await run(deps.db, settleMail(deps.db, { ...unsettled, ...settled }));
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown';
    const pause = pauseAfter(mail.attempts);
    deps.log.warn('mail not sent', {
      mail_id: mail.id,
      kind: mail.kind,
      attempt: mail.attempts,
      cause: name,
    });
    const next = pause === null ? { failedAt: now } : { dueAt: now + pause };
    await run(deps.db, settleMail(deps.db, { ...unsettled, ...next, error: name }));
  }
};

/** Sends the mails that are due. Two processes may do so at once: a lease gives each attempt to one of them. */
export const sendDueMail = async (deps: Deps): Promise<void> => {
  const now = deps.clock();
  const leaseId = deps.newId();
  const values = { leaseId, leaseEnd: now + leaseMs, now, most: mostMailsAtOnce };
  const due = await run(deps.db, leaseDue(deps.db, values));
  await Promise.all(due.map((mail) => sendOne(deps, mail, leaseId)));
};
