import { derive } from '../../core/crypto/key-derivation.ts';
import type { Statement } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { toIso } from '../../core/endpoint/instants.ts';
import type { Language } from '../../core/endpoint/messages.ts';
import { dropFactors } from '../auth/factors/queries.ts';
import { formatToken } from '../auth/mail/rules.ts';
import { unusableHash } from '../auth/passwords/phc.ts';
import { hashToken, newRefreshToken } from '../auth/refresh-token.ts';
import { setupTtlMs } from '../auth/rules.ts';
import { forgetOrigins } from '../auth/throttle/throttled.ts';
import { insertSetup, mailSetup, spendOlderResets, unsetPassword } from './queries.ts';

interface Setup {
  userId: string;
  /** The id of the event; the rows are written only if this event was recorded. */
  writeId: string;
  language: Language;
  now: number;
}

/** How a person sets a first password: by a mail, or by a link that the admin passes on. */
export interface PasswordSetup {
  statements: Statement[];
  shown: { by: 'mail' | 'link'; token: string | null; url: string | null; expires_at: string };
}

/** Statements that let a person set a first password; in the same batch, after the event `writeId`. */
export const passwordSetup = async (deps: Deps, setup: Setup): Promise<PasswordSetup> => {
  const { db, config, tokenKeys } = deps;
  const { userId, writeId, language, now } = setup;
  const isMailed = deps.mailer.reachesPeople === true;
  const mailId = deps.newId();
  const token = isMailed ? await derive(tokenKeys, 'password-reset', mailId) : newRefreshToken();
  const expiring = { writeId, userId, now, expiresAt: now + setupTtlMs };
  const mail = { ...expiring, mailId, kind: 'password_setup', language };
  const hash = await hashToken(tokenKeys, token);
  const page = config.PASSWORD_RESET_URL;
  return {
    statements: [
      spendOlderResets(db, { id: userId, now, writeId }),
      insertSetup(db, { ...expiring, hash, provesEmail: isMailed ? 1 : 0 }),
      ...(isMailed ? [mailSetup(db, mail)] : []),
    ],
    shown: {
      by: isMailed ? 'mail' : 'link',
      token: isMailed ? null : token,
      url: isMailed || page === undefined ? null : formatToken(token, page),
      expires_at: toIso(expiring.expiresAt),
    },
  };
};

/**
 * The same for a self-registered account that gets rights: its old password becomes invalid, its earlier second factor
 * is not asked for, and devices that logged in before lose their extra attempts.
 */
export const takeOver = async (deps: Deps, setup: Setup, name: string): Promise<PasswordSetup> => {
  const { userId: id, writeId, now } = setup;
  const { statements, shown } = await passwordSetup(deps, setup);
  return {
    statements: [
      unsetPassword(deps.db, { id, hash: unusableHash(), now, writeId }),
      ...dropFactors(deps.db, { userId: id, now, writeId }),
      ...(await forgetOrigins(deps, { name, writeId, now })),
      ...statements,
    ],
    shown,
  };
};
