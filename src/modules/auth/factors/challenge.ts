import { sha256 } from '#hmac';
import type { TokenKeys } from '../../../core/crypto/token-keys.ts';
import { challengeTtlMs } from './rules.ts';
import { openText, sealText } from './sealed-text.ts';

/** A login whose password or code was right, and which waits for the second factor. */
export interface Challenge {
  userId: string;
  /** The device login that it will create: since that can be created once, the challenge is valid once. */
  deviceLoginId: string;
  deviceId: string;
  expiresAt: number;
  /** Of the password, and of the phone where a code to it came first: with another one the challenge is void. */
  stamp: string;
}

/** A fingerprint that changes with the password, and with the phone if there is one, and reveals nothing about them. */
export const computeStamp = async (passwordHash: string, loginPhone: string | null): Promise<string> =>
  sha256(`stamp\n${passwordHash}${loginPhone === null ? '' : `\n${loginPhone}`}`);

/** The challenge as the client sends it back. */
const sealChallenge = (keys: TokenKeys, challenge: Challenge): Promise<string> => {
  const { userId, deviceLoginId, deviceId, expiresAt, stamp } = challenge;
  return sealText(keys, 'login-challenge', [userId, deviceLoginId, deviceId, expiresAt, stamp]);
};

/** A challenge for a login whose password was right, or the code to `loginPhone`. */
export const newChallenge = async (
  deps: { newId: () => string; tokenKeys: TokenKeys },
  user: { id: string; passwordHash: string },
  { deviceId, loginPhone = null }: { deviceId: string; loginPhone?: string | null },
  now: number,
): Promise<string> =>
  sealChallenge(deps.tokenKeys, {
    userId: user.id,
    deviceLoginId: deps.newId(),
    deviceId,
    expiresAt: now + challengeTtlMs,
    stamp: await computeStamp(user.passwordHash, loginPhone),
  });

type Fields = readonly [string, string, string, number, string];

/** The content of a challenge; null unless it is genuine and has not expired. */
export const openChallenge = async (
  keys: TokenKeys,
  given: string,
  now: number,
): Promise<Challenge | null> => {
  const values = (await openText(keys, 'login-challenge', given)) as Fields | null;
  if (values === null) return null;
  const [userId, deviceLoginId, deviceId, expiresAt, stamp] = values;
  return expiresAt <= now ? null : { userId, deviceLoginId, deviceId, expiresAt, stamp };
};

/** What a logged-in person can confirm with a passkey. */
export type PasskeyUse = 'add' | 'confirm';

interface PasskeyChallenge {
  use: PasskeyUse;
  userId: string;
  deviceLoginId: string;
  /** The passkey that will be added; of no meaning for a confirmation. */
  factorId: string;
  issuedAt: number;
}

/** A challenge for a passkey of the person who is logged in on this device. */
export const sealPasskeyChallenge = (keys: TokenKeys, challenge: PasskeyChallenge): Promise<string> => {
  const { use, userId, deviceLoginId, factorId, issuedAt } = challenge;
  return sealText(keys, 'passkey-challenge', [use, userId, deviceLoginId, factorId, issuedAt]);
};

/** The content of a returned challenge; null unless it was made for this login and this use, and has not expired. */
export const openPasskeyChallenge = async (
  keys: TokenKeys,
  given: string,
  wanted: Pick<PasskeyChallenge, 'use' | 'userId' | 'deviceLoginId'>,
  now: number,
): Promise<PasskeyChallenge | null> => {
  const values = await openText(keys, 'passkey-challenge', given);
  if (values === null) return null;
  const [use, userId, deviceLoginId, factorId, issuedAt] = values as [
    PasskeyUse,
    string,
    string,
    string,
    number,
  ];
  const isWanted = use === wanted.use && userId === wanted.userId && deviceLoginId === wanted.deviceLoginId;
  return isWanted && now - issuedAt < challengeTtlMs
    ? { use, userId, deviceLoginId, factorId, issuedAt }
    : null;
};

/**
 * The bytes that a passkey signs for a challenge, in base64url: nobody can predict them before the challenge is sent.
 */
export const computeSignedText = async (challenge: string): Promise<string> =>
  sha256(`webauthn\n${challenge}`);
