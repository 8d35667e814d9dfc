import { sha256 } from '#hmac';
import { dayMs } from '../../../core/clinic/durations.ts';
import { toBase64Url } from '../../../core/crypto/base64url.ts';
import { derive, deriveEach } from '../../../core/crypto/key-derivation.ts';
import type { TokenKeys } from '../../../core/crypto/token-keys.ts';

/** How long an account remembers a device or a network after a login, in milliseconds: 180 days. */
export const knownTtlMs = 180 * dayMs;

const form = /^([\w-]{22})\.([0-9a-z]{1,10})\.([\w-]{43})$/;

const signed = (account: string, id: string, expiresAt: string) => JSON.stringify([account, id, expiresAt]);

/**
 * A device token: shows at the next login that this device has logged in to the account before. It gives no access, and
 * is valid only for this account and clinic. `id` is the device's earlier id, if it has one.
 */
export const newDeviceToken = async (
  keys: TokenKeys,
  account: string,
  id: string | null,
  now: number,
): Promise<string> => {
  const own = id ?? toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  const expiresAt = (now + knownTtlMs).toString(36);
  return `${own}.${expiresAt}.${await derive(keys, 'device', signed(account, own, expiresAt))}`;
};

/** A device that has logged in to the account before, and until when its token says so. */
export interface KnownDevice {
  id: string;
  expiresAt: number;
}

/** The device that a header value names; null unless it has logged in to the account before. */
export const knownDevice = async (
  keys: TokenKeys,
  header: string | undefined,
  account: string,
  now: number,
): Promise<KnownDevice | null> => {
  const [, id, expiresAt, signature] = form.exec(header ?? '') ?? [];
  if (id === undefined || expiresAt === undefined || signature === undefined) return null;
  const until = Number.parseInt(expiresAt, 36);
  if (until <= now) return null;
  const genuine = await deriveEach(keys, 'device', signed(account, id, expiresAt));
  // Hashes are compared, so that the time taken reveals nothing about the genuine signature.
  const [given, ...wanted] = await Promise.all([signature, ...genuine].map(async (text) => sha256(text)));
  return wanted.some((hash) => hash === given) ? { id, expiresAt: until } : null;
};
