import { deriveEach } from '../../../core/crypto/key-derivation.ts';
import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { errorName } from '../../../core/log.ts';
import { heardBy, type Mail, MailRefused } from '../../../core/mailer.ts';
import { isFinalStatus, sendTemplate } from '../../../core/message-gateway.ts';
import { takesPhoneCodes } from '../../../core/takes-codes.ts';
import { tokenHashes } from '../refresh-token.ts';
import { codesOfMail, hashesOfCode } from './email-code.ts';
import {
  type DueMail,
  findOpenChange,
  findOpenCode,
  findOpenResets,
  findRecipient,
  leaseDue,
  settleMail,
} from './queries.ts';
import { formatToken, leaseMs, maxMailsAtOnce, maxRounds, pauseAfter, proofLink } from './rules.ts';
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

/** The code of a mail, derived with the key for which `holds` is true. */
const codeBy = async (
  deps: Deps,
  { id, userId }: DueMail,
  email: string,
  holds: (hashes: readonly string[]) => Promise<string | undefined>,
): Promise<string | null> => {
  const codes = await codesOfMail(deps.tokenKeys, id);
  const hashes = await Promise.all(
    codes.map((code) => hashesOfCode(deps.tokenKeys, { userId, email }, code)),
  );
  const open = await holds(hashes.flat());
  return open === undefined ? null : (codes.find((_, at) => hashes[at]?.includes(open)) ?? null);
};

/** The code that proves the address, derived again. Null if it was used, replaced, invalidated or has expired. */
const deriveEmailCode = (deps: Deps, mail: DueMail, email: string, now: number) =>
  codeBy(deps, mail, email, async (hashes) => {
    const values = { userId: mail.userId, hashes: JSON.stringify(hashes), now };
    return (await run(deps.db, findOpenCode(deps.db, values)))[0]?.hash;
  });

/** What goes to a phone, by its template at the gateway: none says whose account it is about. */
const templates = { phone_joined: 'janji_accounts_joined', phone_released: 'janji_phone_released' } as const;

const isLetter = (kind: DueMail['kind']): kind is keyof typeof letters => !(kind in templates);

const withoutSecret = new Set<DueMail['kind']>([
  'password_changed',
  'email_change_asked',
  'login_phone_changed',
  'new_device',
  'record_added',
  'accounts_joined',
]);

/** The token or code of a mail, or an empty text if it has none; null if it is no longer valid. */
const deriveSecret = async (
  deps: Deps,
  mail: DueMail,
  email: string,
  now: number,
): Promise<string | null> => {
  if (withoutSecret.has(mail.kind)) return '';
  return mail.kind === 'email_code'
    ? deriveEmailCode(deps, mail, email, now)
    : resetToken(deps, mail.id, now);
};

interface Addressed {
  email: string;
  secret: string;
}

/** The requested e-mail and the code that proves it; null once another was requested, or this one was proved. */
const toNewEmail = async (deps: Deps, mail: DueMail, now: number): Promise<Addressed | null> => {
  const [requested] = await run(deps.db, findOpenChange(deps.db, { userId: mail.userId, now }));
  if (requested === undefined) return null;
  const { email, hash } = requested;
  const secret = await codeBy(deps, mail, email, async (hashes) => hashes.find((one) => one === hash));
  return secret === null ? null : { email, secret };
};

const toAccount = async (
  deps: Deps,
  mail: DueMail,
  email: string,
  now: number,
): Promise<Addressed | null> => {
  const secret = await deriveSecret(deps, mail, email, now);
  return secret === null ? null : { email, secret };
};

type Recipient = ReturnType<typeof findRecipient>['_']['result'][number];

/** The mail and its recipient; null if the mail is no longer needed. */
const compose = async (
  deps: Deps,
  mail: DueMail & { kind: keyof typeof letters },
  recipient: Recipient,
  now: number,
): Promise<Mail | null> => {
  const present = mail.address ?? recipient.email;
  // An address that is not the account's may be somebody else's.
  const name = present === recipient.email ? recipient.name : '';
  const addressed =
    mail.kind === 'email_change'
      ? await toNewEmail(deps, mail, now)
      : present === null
        ? null
        : await toAccount(deps, mail, present, now);
  if (addressed === null) return null;
  const { email, secret } = addressed;
  const { PASSWORD_RESET_URL, EMAIL_PROOF_URL } = deps.config;
  const page = mail.kind === 'email_code' ? EMAIL_PROOF_URL : undefined;
  const letterFields = mail.kind.startsWith('email_')
    ? { name, key: secret, isLink: false, link: proofLink(secret, page) }
    : {
        name,
        key: formatToken(secret, PASSWORD_RESET_URL),
        isLink: PASSWORD_RESET_URL !== undefined,
        link: null,
      };
  return { id: mail.id, to: email, ...letters[mail.kind][mail.language](letterFields) };
};

/** Sends a message to a phone; throws as a mailer does. Returns false if it is no longer true. */
const tellPhone = async (
  deps: Deps,
  { id, kind, language, address }: DueMail & { kind: keyof typeof templates },
  { opens }: Recipient,
): Promise<boolean> => {
  if (address === null || !takesPhoneCodes(deps) || (kind === 'phone_released' && opens)) return false;
  const message = { id, to: address, language, template: templates[kind], parameters: [] };
  const outcome = await sendTemplate(deps, message);
  if ('failure' in outcome) throw new MailRefused(outcome.failure);
  const { status, retryAfterMs } = outcome;
  if (status < 200 || status >= 300)
    throw new MailRefused(`HTTP ${status}`, isFinalStatus(status), heardBy(status, retryAfterMs));
  return true;
};

/** Returns false if the mail is no longer needed. */
const deliver = async (deps: Deps, mail: DueMail, now: number): Promise<boolean> => {
  const [recipient] = await run(deps.db, findRecipient(deps.db, { id: mail.id }));
  if (recipient === undefined) return false;
  const { kind } = mail;
  if (!isLetter(kind)) return tellPhone(deps, { ...mail, kind }, recipient);
  const letter = await compose(deps, { ...mail, kind }, recipient, now);
  if (letter !== null) await deps.mailer.send(letter);
  return letter !== null;
};

/** Why sending failed, without personal data, whether the failure is final, and the requested pause. */
const judge = (error: unknown) => {
  if (!(error instanceof MailRefused)) return { cause: errorName(error), isFinal: false, askedMs: 0 };
  const { message, final, heard } = error;
  return { cause: message, isFinal: final, askedMs: typeof heard === 'number' ? heard : 0 };
};

const sendOne = async (deps: Deps, mail: DueMail, leaseId: string): Promise<void> => {
  const now = deps.clock();
  const settle = (how: { sentAt?: number; failedAt?: number; dueAt?: number; error?: string }) => {
    const open = { sentAt: null, failedAt: null, dueAt: now, error: null };
    return run(deps.db, settleMail(deps.db, { id: mail.id, leaseId, ...open, ...how }));
  };
  let isSent: boolean;
  try {
    isSent = await deliver(deps, mail, now);
  } catch (error) {
    const { cause, isFinal, askedMs } = judge(error);
    const dueAt = now + Math.max(pauseAfter(mail.attempts), askedMs);
    const isOver = isFinal || dueAt >= mail.expiresAt;
    const what = isLetter(mail.kind) ? 'mail' : 'message';
    const logFields = { [`${what}_id`]: mail.id, kind: mail.kind, attempt: mail.attempts, cause };
    deps.log.warn(`${what} ${isOver ? 'given up' : 'not sent'}`, logFields);
    await settle({ error: cause, ...(isOver ? { failedAt: now } : { dueAt }) });
    return;
  }
  // Outside the try: a mail that was sent must not be recorded as failed.
  await settle(isSent ? { sentAt: deps.clock() } : { failedAt: now, error: 'Obsolete' });
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
