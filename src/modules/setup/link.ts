import { type Db, runAll } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { hashToken, newRefreshToken } from '../auth/refresh-token.ts';
import { replaceLink } from './queries.ts';
import { linkTtlMs } from './rules.ts';

/**
 * Makes the link for creating the first admin, and invalidates the previous one. It works only while the clinic has no
 * admin. Its token comes after the `#`, so that browsers do not send it and no server logs it.
 */
export const makeSetupLink = async (
  db: Db,
  clinicId: string,
  origin: string,
  now: number,
): Promise<string> => {
  const token = newRefreshToken();
  const hash = await hashToken({ clinicId }, token);
  await runAll(db, replaceLink(db, { hash, expiresAt: now + linkTtlMs }));
  return `${origin}/mulai/#${token}`;
};

/**
 * The same at the start of a service whose clinic has no admin: the log gets the link, too, in case nobody sees the
 * printed one.
 */
export const offerSetup = async (
  { db, tokenKeys, config, log, clock }: Pick<Deps, 'db' | 'tokenKeys' | 'config' | 'log' | 'clock'>,
  base: string,
): Promise<string> => {
  const link = await makeSetupLink(db, tokenKeys.clinicId, config.PUBLIC_URL ?? base, clock());
  log.warn('The clinic has no admin yet: this link makes the first one, once and within an hour.', { link });
  return link;
};
