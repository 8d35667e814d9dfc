import { describe, expect, it } from 'vitest';
import * as argon2 from '#argon2';
import { createHasher } from '../../src/modules/auth/passwords/hasher.ts';
import { needsRehash, parsePhc, unusableHash } from '../../src/modules/auth/passwords/phc.ts';
import { driveArgon2 } from '../../src/modules/auth/passwords/wasm.ts';
import { ARGON2I, MALFORMED, SOUND, STRONGER, VECTORS, WEAKER } from './password-hashes.ts';

const inWorkerd = navigator.userAgent === 'Cloudflare-Workers';
const hasher = createHasher();

describe('hashing', () => {
  it.each(VECTORS)('verifies what either runtime made of $password', async ({ password, node, workerd }) => {
    expect(await argon2.verify(node, password)).toBe(true);
    expect(await argon2.verify(workerd, password)).toBe(true);
    expect(await argon2.verify(node, `${password.slice(0, -2)}XX`)).toBe(false);
    expect(await argon2.verify(workerd, `${password}\0`)).toBe(false);
  });

  it('makes a salted PHC string of our own parameters', async () => {
    const [first, second] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(second).not.toBe(first);
    expect(needsRehash(first)).toBe(false);
    expect(await hasher.verify(first, 'correct horse')).toBe(true);
  });

  it('reads a password to its last byte', async () => {
    for (const [password, other] of [
      ['парольСЕКРЕТ', 'парольXXXXXX'],
      ['nul\0one', 'nul\0two'],
      ['😀'.repeat(128), `${'😀'.repeat(127)}😁`],
    ] as const) {
      const phc = await hasher.hash(password);
      expect(await hasher.verify(phc, password)).toBe(true);
      expect(await hasher.verify(phc, other)).toBe(false);
    }
  });

  it('takes one password however a keyboard composes it, and hashes its NFKC form', async () => {
    const phc = await hasher.hash('ﬁancée № 1'.normalize('NFC'));
    expect(await hasher.verify(phc, 'ﬁancée № 1'.normalize('NFD'))).toBe(true);
    expect(await argon2.verify(phc, 'fiancée No 1'.normalize('NFC'))).toBe(true);
  });

  it('refuses lone surrogates, which would all be hashed as U+FFFD', async () => {
    const phc = await hasher.hash('long enough \uFFFD');
    expect(await hasher.verify(phc, 'long enough \uD800')).toBe(false);
    await expect(hasher.hash('long enough \uD800')).rejects.toThrow(TypeError);
  });

  it('does not normalise what is far too long for a password, which could take minutes', async () => {
    const hostile = '\u0301\u0327'.repeat(5_000);
    expect(await hasher.verify(SOUND, hostile)).toBe(false);
    expect(await hasher.verifyNothing(hostile)).toBe(false);
    await expect(hasher.hash(hostile)).rejects.toThrow(TypeError);
  });

  it.each(MALFORMED)('answers false to the malformed %j', async (phc) => {
    expect(await hasher.verify(phc, 'парольСЕКРЕТ')).toBe(false);
    expect(needsRehash(phc)).toBe(false);
  });

  it.each([...STRONGER, ARGON2I])(
    'refuses what costs more than our own or is not Argon2id: %s',
    async (phc) => {
      expect(await hasher.verify(phc, 'correct horse')).toBe(false);
    },
  );

  it.each(WEAKER)('still verifies a weaker hash and says that it needs another: %s', async (phc) => {
    expect(await hasher.verify(phc, 'correct horse')).toBe(true);
    expect(needsRehash(phc)).toBe(true);
  });

  it('calls short salts and hashes weak too', () => {
    expect(needsRehash(SOUND.replace('uOyQfljEhG9AptkN93fiQw', 'uOyQfljEhG8'))).toBe(true);
    expect(needsRehash(SOUND.slice(0, -19))).toBe(true);
  });

  it('verifies nothing at the full price, through the same gate', async () => {
    let jobs = 0;
    const run = <T>(job: () => Promise<T>) => {
      jobs += 1;
      return job();
    };
    const counted = createHasher({ run, admit: run, stats: () => ({ running: 0, waiting: 0, refused: 0 }) });
    expect(await counted.verifyNothing('correct horse')).toBe(false);
    expect(jobs).toBe(1);
    expect(parsePhc(unusableHash())).toEqual({ m: 19_456, t: 2, p: 1, saltBytes: 16, hashBytes: 32 });
  });

  it('has another hash of no password each time: salt and hash are drawn', () => {
    const drawn = Array.from({ length: 50 }, () => unusableHash().split('$').slice(4));
    for (const at of [0, 1]) expect(new Set(drawn.map((parts) => parts[at])).size).toBe(50);
    for (const parts of drawn)
      expect(parsePhc(`$argon2id$v=19$m=19456,t=2,p=1$${parts.join('$')}`)).not.toBeNull();
  });
});

describe.runIf(inWorkerd)('the wasm in workerd', async () => {
  const module = inWorkerd ? (await import('@phi-ag/argon2/argon2.wasm')).default : undefined;
  const freshInstance = () => new WebAssembly.Instance(module as WebAssembly.Module);
  const memoryOf = (instance: WebAssembly.Instance) =>
    new Uint8Array((instance.exports.memory as WebAssembly.Memory).buffer);

  it('does not grow over 100 verifies', () => {
    const instance = freshInstance();
    const driven = driveArgon2(instance);
    const password = 'x'.repeat(16_384);
    driven.verify(SOUND, password);
    const before = memoryOf(instance).length;
    for (let i = 0; i < 100; i += 1) driven.verify(SOUND, password);
    expect(memoryOf(instance).length).toBe(before);
  });

  it('keeps no password behind', () => {
    const instance = freshInstance();
    const driven = driveArgon2(instance);
    const secret = 'a secret that must not stay in memory';
    expect(driven.verify(driven.hash(secret), secret)).toBe(true);
    // The allocator writes its own links into the head of a freed block, so the tail is looked for.
    const left = new TextDecoder('latin1').decode(memoryOf(instance));
    expect(left.includes('must not stay in memory')).toBe(false);
  });
});
