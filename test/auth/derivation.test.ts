import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { derivationKey, derive, deriveEach } from '../../src/auth/derivation.ts';
import { hashRefreshToken } from '../../src/auth/refresh-token.ts';

// Each runtime has its own: what one wrote, the other must find after a move.
const secret = 'a-secret-of-more-than-32-bytes-äß-日本';
const text = 'kata\u0000 é 日本 🩺';
const keyOf = (bytes: string) => createHmac('sha256', bytes).update('janji derivation').digest();
const expected = (bytes: string) =>
  createHmac('sha256', keyOf(bytes)).update(`throttle\n${text}`).digest('base64url');

it('derived values are HMAC-SHA-256 under a derived key, in every runtime', async () => {
  const keys = { derivation: [await derivationKey(secret), await derivationKey('older')] };
  expect(await derive(keys, 'throttle', text)).toBe(expected(secret));
  expect(await deriveEach(keys, 'throttle', text)).toEqual([expected(secret), expected('older')]);
});

it('a refresh token is kept as its SHA-256, in every runtime', async () => {
  expect(await hashRefreshToken(text)).toBe(createHash('sha256').update(text).digest('base64url'));
});
