import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { derivationKey, derive, deriveEach } from '../../src/core/crypto/key-derivation.ts';
import { hashToken, tokenHashes } from '../../src/modules/auth/refresh-token.ts';

// Each runtime has its own implementation: after a move, one must open what the other sealed.
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

const sha256 = (of: string) => createHash('sha256').update(of).digest('base64url');

it('a refresh token is stored as a SHA-256 of it and of the clinic, in every runtime', async () => {
  expect(await hashToken({ clinicId: 'a' }, text)).toBe(sha256(`a\n${text}`));
});

it('a refresh token of before clinics had ids is looked for by its own SHA-256, and only there', async () => {
  const bound = sha256(`a\n${text}`);
  const hashes = (hasLegacyKeys: boolean) => tokenHashes({ clinicId: 'a', hasLegacyKeys }, text);
  expect(await hashes(true)).toEqual({ hash: bound, legacyHash: sha256(text) });
  expect(await hashes(false)).toEqual({ hash: bound, legacyHash: bound });
});
