// Pure: when a token is renewed, and what an answer of SATUSEHAT means.

import type { ExchangeReason } from '../../core/tables/words.ts';

/** A token is renewed so long before it ends. */
const renewedEarlyMs = 5 * 60_000;
/** After a failure SATUSEHAT takes one try a minute. */
export const tokenPauseMs = 60_000;

export interface KnownToken {
  token: string | null;
  tokenUntil: number | null;
  tokenFailedAt: number | null;
}

/** Whether the token is used, renewed, or none may be asked for before `until`. */
export const judgeToken = (
  { token, tokenUntil, tokenFailedAt }: KnownToken,
  now: number,
): { use: boolean; renew: boolean; until: number } => {
  const left = token === null ? 0 : (tokenUntil ?? 0) - now;
  const until = (tokenFailedAt ?? Number.NEGATIVE_INFINITY) + tokenPauseMs;
  return { use: left > 0, renew: left <= renewedEarlyMs && now >= until, until };
};

// "Found duplicate: Encounter (RuleNumber: 20002)": it is there, and is searched for by the next attempt.
const duplicate = /duplicate|RuleNumber: ?20002/i;
const wrongOrganization = /RuleNumber: ?10117|business rule/i;

/** What an answer means for a call: 2xx is none of this function's business. */
export const judgeStatus = (
  status: number,
  text: string,
): { is: 'renew' } | { is: 'rest' | 'again' | 'parked'; reason: ExchangeReason } => {
  if (status === 401) return { is: 'renew' };
  if (status === 429) return { is: 'rest', reason: 'busy' };
  if (wrongOrganization.test(text)) return { is: 'rest', reason: 'organization' };
  if (status === 403) return { is: 'rest', reason: 'credentials' };
  if (duplicate.test(text)) return { is: 'again', reason: 'refused' };
  return status >= 400 && status < 500 && status !== 408
    ? { is: 'parked', reason: 'refused' }
    : { is: 'again', reason: 'no_answer' };
};
