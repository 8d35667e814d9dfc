import { describe, expect, it } from 'vitest';
import { toBase64Url } from '../../src/core/crypto/base64url.ts';
import { createSecretBox } from '../../src/core/crypto/sealing.ts';
import { secondFactors } from '../../src/core/tables/factors.ts';
import { resealFactors } from '../../src/modules/auth/factors/reseal.ts';
import { openSteps, recoveryCodeFrom } from '../../src/modules/auth/factors/rules.ts';
import {
  buildOtpauth,
  findStep,
  newTotpSecret,
  readTypedSecret,
} from '../../src/modules/auth/factors/totp.ts';
import { addFactor } from '../support/factors.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, findKeys, secret } from '../support/world.ts';

describe('a code of an authenticator app', () => {
  const rfc = toBase64Url(new TextEncoder().encode('12345678901234567890'));

  // RFC 6238, appendix B, SHA-1: the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('is at second %i the one of RFC 6238', (seconds, code) => {
    expect(findStep(rfc, code, 0, seconds * 1000)).toBe(Math.floor(seconds / 30));
    expect(findStep(rfc, code, 0, (seconds + 90) * 1000)).toBeNull();
  });

  it('is none of another form', () => {
    for (const code of ['', '28708', '2870822', 'abcdef', '287 082', '２８７０８２'])
      expect(findStep(rfc, code, 0, 59_000)).toBeNull();
  });

  it('may be of three steps, none of them used or before a used one', () => {
    expect(openSteps(90_000, 0)).toEqual([3, 2, 4]);
    expect(openSteps(90_000, 3)).toEqual([4]);
    expect(openSteps(90_000, 4)).toEqual([]);
  });

  it('comes from a random secret, which is shown as an address and as text', () => {
    const [one, other] = [newTotpSecret(), newTotpSecret()];
    expect(one).not.toBe(other);
    const url = buildOtpauth(one, 'staff@klinik.example');
    expect(url).toMatch(/^otpauth:\/\/totp\/Janji:staff%40klinik\.example\?/);
    expect(readTypedSecret(url)).toMatch(/^[A-Z2-7]{32}$/);
  });
});

describe('a recovery code', () => {
  it('has 24 letters and digits, four by four, from 120 bits', () => {
    expect(recoveryCodeFrom(new Uint8Array(15))).toBe('aaaa-aaaa-aaaa-aaaa-aaaa-aaaa');
    expect(recoveryCodeFrom(new Uint8Array(15).fill(255))).toMatch(/^(9999-){5}9999$/);
    const codes = Array.from({ length: 200 }, () =>
      recoveryCodeFrom(crypto.getRandomValues(new Uint8Array(15))),
    );
    expect(new Set(codes).size).toBe(200);
    for (const code of codes) expect(code).toMatch(/^([a-z0-9]{4}-){5}[a-z0-9]{4}$/);
  });
});

describe('the secret of an app', () => {
  it('is sealed again after the key was changed, and then opens only with the new key', async () => {
    const world = await createWorld();
    const { id } = await createPerson(world);
    await addFactor(world, id);
    const [before] = await world.db.select().from(secondFactors);
    const text = await world.deps.secretBox.open(before?.secret ?? '');
    const next = 'another-secret-that-is-used-by-tests-0123456789';
    const between = await createSecretBox(await findKeys(next, secret));
    await resealFactors({ ...world.deps, secretBox: between });
    const [after] = await world.db.select().from(secondFactors);
    const alone = await createSecretBox(await findKeys(next));
    expect([await alone.open(before?.secret ?? ''), await alone.open(after?.secret ?? '')]).toEqual([
      null,
      text,
    ]);
  });
});
