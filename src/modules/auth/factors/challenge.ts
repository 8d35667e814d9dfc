import { sha256 } from '#hmac';
import type { TokenKeys } from '../../../core/crypto/token-keys.ts';
import { challengeTtlMs } from './rules.ts';
import { openText, sealText } from './sealed-text.ts';

/** A login whose password was right, and which waits for the second factor. */
export interface Challenge {
  userId: string;
  /** The device login that it will create: since that can be created once, the challenge is valid once. */
  deviceLoginId: string;
  deviceId: string;
  expiresAt: number;
  /** Of the password that was given: with another one the challenge is void. */
  passwordStamp: string;
}

/** A fingerprint that changes with the password and reveals nothing about it. */
export const computeStamp = async (passwordHash: string): Promise<string> => sha256(`stamp\n${passwordHash}`);

/** The challenge as the client sends it back. */
const sealChallenge = (keys: TokenKeys, challenge: Challenge): Promise<string> => {
  const { userId, deviceLoginId, deviceId, expiresAt, passwordStamp } = challenge;
  return sealText(keys, 'login-challenge', [userId, deviceLoginId, deviceId, expiresAt, passwordStamp]);
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
    passwordStamp: await computeStamp(user.passwordHash),
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
  const [userId, deviceLoginId, deviceId, expiresAt, passwordStamp] = values;
  return expiresAt <= now ? null : { userId, deviceLoginId, deviceId, expiresAt, passwordStamp };
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
