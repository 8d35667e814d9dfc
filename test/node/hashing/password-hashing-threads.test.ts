import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, getPriority } from 'node:os';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Unavailable } from '../../../src/core/endpoint/errors.ts';
import * as pooled from '../../../src/modules/auth/passwords/argon2.node.ts';
import { createHasher } from '../../../src/modules/auth/passwords/hasher.ts';
import { unusableHash } from '../../../src/modules/auth/passwords/phc.ts';
import { passwordHashingThreads } from '../../../src/runtime/node/hashing/password-hashing-threads.ts';
import { giveWay, hashingPriority } from '../../../src/runtime/node/hashing/thread-priority.ts';

/** The nice value of each thread of this process, by its id (proc(5): the 19th field, the 17th after the name). */
const niceOfThreads = (): Map<string, number> =>
  new Map(
    readdirSync('/proc/self/task').map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
      return [id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    }),
  );

const threads = passwordHashingThreads(2);
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

  it('answer what they had begun as unavailable when they die, and start again for the next', async () => {
    const dying = passwordHashingThreads(1);
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

  it('end when nobody has set or checked a password for a while, and are made again for the next', async () => {
    const count = () => niceOfThreads().size;
    const idle = passwordHashingThreads(1, 0);
    const before = count();
    const phc = await idle.hash('correct horse');
    await vi.waitFor(() => expect(count()).toBe(before), { timeout: 20_000 });
    expect(await idle.verify(phc, 'correct horse')).toBe(true);
    await idle.end();
  });

  it('leave libuv to others: a digest is made while more passwords wait than it has threads', async () => {
    const order: string[] = [];
    const busy = passwordHashingThreads(availableParallelism());
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

  it.runIf(process.platform === 'linux')('give way to all other threads, and they alone', async () => {
    const before = getPriority();
    // This process may have threads of other tests.
    const standing = niceOfThreads();
    const own = passwordHashingThreads(3);
    // A thread of each has begun once it has answered.
    await Promise.all(Array.from({ length: 3 }, () => own.hash('correct horse')));
    const nice = niceOfThreads();
    expect(getPriority()).toBe(before);
    expect(nice.get(String(process.pid))).toBe(before);
    const begun = [...nice].filter(([id]) => !standing.has(id));
    expect(begun.filter(([, value]) => value === hashingPriority)).toHaveLength(3);
    expect(new Set(nice.values())).toEqual(new Set([before, hashingPriority]));
    await own.end();
  });

  it('leave the process as it is where a priority is its own, and go on where it is refused', () => {
    const asked: number[][] = [];
    const set = (...given: number[]) => void asked.push(given);
    expect([giveWay('darwin', set), giveWay('win32', set)]).toEqual([false, false]);
    expect(asked).toEqual([]);
    expect(giveWay('linux', set)).toBe(true);
    expect(asked).toEqual([[0, hashingPriority]]);
    const refused = () => {
      throw new Error('EACCES');
    };
    expect(giveWay('linux', refused)).toBe(false);
  });
});
