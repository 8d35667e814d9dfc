import { availableParallelism } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import * as pooled from '../../src/auth/passwords/argon2.node.ts';
import { createHasher } from '../../src/auth/passwords/hasher.ts';
import { unusableHash } from '../../src/auth/passwords/phc.ts';
import { Unavailable } from '../../src/errors.ts';
import { hashingThreads } from '../../src/node/hashing-threads.ts';

const threads = hashingThreads(2);
afterAll(() => threads.end());

describe('threads that hash', () => {
  it('make hashes that open elsewhere, and open hashes from elsewhere', async () => {
    const phc = await threads.hash('correct horse');
    expect(await pooled.verify(phc, 'correct horse')).toBe(true);
    const other = await pooled.hash('парольСЕКРЕТ');
    expect(await threads.verify(other, 'парольСЕКРЕТ')).toBe(true);
    expect(await threads.verify(other, 'парольXXXXXX')).toBe(false);
  });

  it('give each of many their own answer, whatever the order', async () => {
    const passwords = Array.from({ length: 12 }, (_, nth) => `password ${nth}`);
    const hashes = await Promise.all(passwords.map((password) => threads.hash(password)));
    expect(new Set(hashes).size).toBe(12);
    const crossed = await Promise.all(
      hashes.map((phc, nth) => threads.verify(phc, `password ${nth % 2 === 0 ? nth : nth + 1}`)),
    );
    expect(crossed).toEqual(passwords.map((_, nth) => nth % 2 === 0));
  });

  it('open nothing with what is no hash, and none that costs more than ours', async () => {
    const costly = unusableHash().replace('m=19456', 'm=1048576');
    for (const phc of ['', 'x', costly]) expect(await threads.verify(phc, 'correct horse')).toBe(false);
  });

  it('answer what they had begun as unavailable when they die, and live again for the next', async () => {
    const dying = hashingThreads(1);
    const begun = [dying.hash('correct horse'), dying.hash('correct horse')];
    const outcomes = Promise.allSettled(begun);
    await dying.end();
    for (const outcome of await outcomes) {
      expect(outcome.status).toBe('rejected');
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(Unavailable);
    }
    expect(await dying.verify(await dying.hash('correct horse'), 'correct horse')).toBe(true);
    await dying.end();
  });

  it('leave libuv to others: a digest is made while more passwords wait than it has threads', async () => {
    const order: string[] = [];
    const busy = hashingThreads(availableParallelism());
    const hashes = Array.from({ length: 16 }, () =>
      busy.hash('correct horse').then(() => order.push('hash')),
    );
    const digest = crypto.subtle.digest('SHA-256', new Uint8Array(8)).then(() => order.push('digest'));
    await Promise.all([...hashes, digest]);
    expect(order.indexOf('digest')).toBeLessThan(4);
    await busy.end();
  });

  it('serve a hasher', async () => {
    const hasher = createHasher(undefined, threads);
    const phc = await hasher.hash('correct horse');
    expect(await hasher.verify(phc, 'correct horse')).toBe(true);
    expect(await hasher.verifyNothing('correct horse')).toBe(false);
  });
});
