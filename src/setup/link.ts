import { hashToken, newRefreshToken } from '../auth/refresh-token.ts';
import { type Db, runAll } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { replaceLink } from './queries.ts';
import { linkTtlMs } from './rules.ts';

/**
 * Makes the link with which the first admin is made, and ends the one before. It is of use only while the clinic has no
 * admin. Its token stands after the `#`, which no server and no log of one sees.
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

/** The same at the start of a service whose clinic has no admin: the log has the link, too, where nobody sees what is printed. */
export const offerSetup = async (
  { db, tokenKeys, config, log, clock }: Pick<Deps, 'db' | 'tokenKeys' | 'config' | 'log' | 'clock'>,
  base: string,
): Promise<string> => {
  const link = await makeSetupLink(db, tokenKeys.clinicId, config.PUBLIC_URL ?? base, clock());
  log.warn('The clinic has no admin yet: this link makes the first one, once and within an hour.', { link });
  return link;
};
