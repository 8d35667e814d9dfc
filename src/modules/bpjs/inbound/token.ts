import { hourMs } from '../../../core/clinic/durations.ts';
import type { Deps } from '../../../core/deps.ts';
import { testKeyStart } from '../../auth/bearer.ts';
import type { KeyClaims } from '../../auth/context.ts';

/** How long a token serves: a revoked key ends it at once. */
const tokenMs = 12 * hourMs;

const mark = 'antrean';

/** A token is the sealed hash of its key, so that nothing is stored: the database is asked for the key at each call. */
export const sealToken = async (
  { secretBox, sandbox }: Pick<Deps, 'secretBox' | 'sandbox'>,
  key: Pick<KeyClaims, 'userId' | 'hash'>,
  now: number,
): Promise<string> => {
  const sealed = await secretBox.seal([mark, key.userId, key.hash, now + tokenMs].join(' '));
  // It leads to the sandbox, as the key does.
  return sandbox === undefined ? sealed : testKeyStart + sealed;
};

/** The key of a token that this clinic gave; null where it did not, or where it is over. */
export const openToken = async (
  { secretBox }: Pick<Deps, 'secretBox'>,
  token: string,
  now: number,
): Promise<KeyClaims | null> => {
  const sealed = token.startsWith(testKeyStart) ? token.slice(testKeyStart.length) : token;
  const text = token.length > 1_000 ? null : await secretBox.open(sealed).catch(() => null);
  const [kind, userId = '', hash = '', until] = text?.split(' ') ?? [];
  return kind === mark && now < Number(until) ? { userId, hash, isProved: true } : null;
};
