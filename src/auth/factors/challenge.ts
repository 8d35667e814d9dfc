import { sha256 } from '#hmac';
import { fromBase64Url, toBase64Url } from '../../crypto/base64url.ts';
import { derive, deriveEach } from '../../crypto/key-derivation.ts';
import type { TokenKeys } from '../../crypto/token-keys.ts';
import { challengeTtlMs } from './rules.ts';

/** A login whose password was right, and which waits for the second factor. */
export interface Challenge {
  userId: string;
  /** The device login that it will open: since that can be made once, the challenge is good once. */
  deviceLoginId: string;
  deviceId: string;
  expiresAt: number;
  /** Of the password that was given: with another one the challenge is void. */
  passwordStamp: string;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Tells whether the password was changed since, and nothing about it. */
export const stampOf = async (passwordHash: string): Promise<string> => sha256(`stamp\n${passwordHash}`);

/** The challenge as the client sends it back: signed, and stored nowhere. */
export const sealChallenge = async (keys: TokenKeys, challenge: Challenge): Promise<string> => {
  const { userId, deviceLoginId, deviceId, expiresAt, passwordStamp } = challenge;
  const text = JSON.stringify([userId, deviceLoginId, deviceId, expiresAt, passwordStamp]);
  return `${toBase64Url(bytesOf(text))}.${await derive(keys, 'login-challenge', text)}`;
};

/** A challenge for a login whose password was right. */
export const newChallenge = async (
  deps: { newId: () => string; tokenKeys: TokenKeys },
  user: { id: string; passwordHash: string },
  deviceId: string,
  now: number,
): Promise<string> =>
  sealChallenge(deps.tokenKeys, {
    userId: user.id,
    deviceLoginId: deps.newId(),
    deviceId,
    expiresAt: now + challengeTtlMs,
    passwordStamp: await stampOf(user.passwordHash),
  });

type Fields = [string, string, string, number, string];

/** What a challenge says; null unless it is genuine and in time. */
export const openChallenge = async (
  keys: TokenKeys,
  given: string,
  now: number,
): Promise<Challenge | null> => {
  const [encoded = '', signature = ''] = given.split('.');
  let text: string;
  try {
    text = new TextDecoder().decode(fromBase64Url(encoded));
  } catch {
    return null;
  }
  const genuine = await deriveEach(keys, 'login-challenge', text);
  // Hashes are compared, so that the time taken reveals nothing about the genuine signature.
  const [sent, ...wanted] = await Promise.all([signature, ...genuine].map(async (one) => sha256(one)));
  if (!wanted.some((hash) => hash === sent)) return null;
  const [userId, deviceLoginId, deviceId, expiresAt, passwordStamp] = JSON.parse(text) as Fields;
  return expiresAt <= now ? null : { userId, deviceLoginId, deviceId, expiresAt, passwordStamp };
};
