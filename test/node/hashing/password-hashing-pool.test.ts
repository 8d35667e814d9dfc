import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Unavailable } from '../../../src/core/endpoint/errors.ts';
import { boundedBy, HashingQueueFullError } from '../../../src/modules/auth/passwords/bounded.ts';
import { createHasher } from '../../../src/modules/auth/passwords/hasher.ts';
import { OWN, parsePhc, unusableHash } from '../../../src/modules/auth/passwords/phc.ts';

/** A job that runs until it is ended, and records its start. */
function heldJob(started: number[], id: number) {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const job = () => {
    started.push(id);
    return promise;
  };
  return { job, end: () => resolve(id), fail: (error: Error) => reject(error) };
}

it('runs two at once, lets 64 wait in order, and refuses the next at once', async () => {
  const gate = boundedBy({ concurrency: 2, queue: 64 });
  const started: number[] = [];
  const held = Array.from({ length: 66 }, (_, id) => heldJob(started, id));
  const admitted = held.map(({ job }) => gate.run(job));
  await sleep(0);
  expect(started).toEqual([0, 1]);
  expect(gate.stats()).toEqual({ running: 2, waiting: 64, refused: 0 });

  const refusal = gate.run(heldJob(started, 66).job);
  await expect(refusal).rejects.toThrow(HashingQueueFullError);
  await expect(refusal).rejects.toMatchObject({ retryAfterSeconds: 1 });
  expect(gate.stats()).toEqual({ running: 2, waiting: 64, refused: 1 });

  for (const [id, one] of held.entries()) {
    expect(started.length).toBe(Math.min(66, id + 2));
    one.end();
    await sleep(0);
  }
  expect(await Promise.all(admitted)).toEqual(started);
  expect(started).toEqual(Array.from({ length: 66 }, (_, id) => id));
  expect(gate.stats()).toEqual({ running: 0, waiting: 0, refused: 1 });
});

it('frees the place of a job that fails, whether it rejects or throws', async () => {
  const gate = boundedBy({ concurrency: 1, queue: 1 });
  const started: number[] = [];
  const first = heldJob(started, 1);
  const failing = gate.run(first.job);
  const next = gate.run(async () => 'next');
  first.fail(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
  await expect(
    gate.run(() => {
      throw new Error('at once');
    }),
  ).rejects.toThrow('at once');
  expect(gate.stats()).toEqual({ running: 0, waiting: 0, refused: 0 });
  expect(await gate.run(async () => 'still open')).toBe('still open');
});

it('gives a freed place to the one in line, not to a newcomer of the same moment', async () => {
  const gate = boundedBy({ concurrency: 1, queue: 2 });
  let running = 0;
  let max = 0;
  const job = async () => {
    running += 1;
    max = Math.max(max, running);
    await sleep(1);
    running -= 1;
  };
  const first = gate.run(job);
  const second = gate.run(job);
  const newcomer = first.then(() => gate.run(job));
  await Promise.all([first, second, newcomer]);
  expect(max).toBe(1);
});

it('holds a refusal up for a while, so that clients that ask again at once take no time from others', async () => {
  let letGo = () => {};
  const beforeRefusal = () => new Promise<void>((resolve) => (letGo = resolve));
  const gate = boundedBy({ concurrency: 1, queue: 0, beforeRefusal });
  let end = () => {};
  const first = gate.admit(() => new Promise<void>((resolve) => (end = resolve)));
  let isRefused = false;
  const second = gate
    .admit(async () => {})
    .catch((error: unknown) => {
      isRefused = error instanceof HashingQueueFullError;
    });
  await sleep(0);
  expect([isRefused, gate.stats().refused]).toEqual([false, 1]);
  letGo();
  await second;
  expect(isRefused).toBe(true);
  end();
  await first;
  await gate.admit(async () => {});
});

it('bounds real hashing: every verb takes a place, and a storm is refused and not queued', async () => {
  const hasher = createHasher(boundedBy({ concurrency: 2, queue: 64 }));
  const phc = await hasher.hash('correct horse');
  const storm = Array.from({ length: 100 }, (_, i) =>
    i % 2 ? hasher.verify(phc, 'correct horse') : hasher.verifyNothing('correct horse'),
  );
  const outcomes = Promise.allSettled(storm);
  await expect(hasher.hash('correct horse')).rejects.toThrow(HashingQueueFullError);
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(34);
  expect(hasher.stats()).toEqual({ running: 0, waiting: 0, refused: 35 });
});

it('does the same work for an e-mail that nobody has as for a known one', async () => {
  const asked: [phc: string, password: string][] = [];
  const argon2 = {
    hash: async () => unusableHash(),
    verify: async (phc: string, password: string) => {
      asked.push([phc, password]);
      return true;
    },
  };
  expect(await createHasher(undefined, argon2).verifyNothing('wrong horse')).toBe(false);
  const [[phc = '', password] = []] = asked;
  expect([asked.length, password, parsePhc(phc)]).toEqual([1, 'wrong horse', OWN]);
});

it('makes no hash for a client that went away while it waited, and then the next one', async () => {
  const gate = boundedBy({ concurrency: 1, queue: 2 });
  const asked: string[] = [];
  const hash = async (password: string) => {
    asked.push(password);
    return password;
  };
  const hasher = createHasher(gate, { hash, verify: async () => true });
  const before = heldJob([], 0);
  const running = gate.run(before.job);
  const client = new AbortController();
  const left = expect(hasher.hash('who leaves', () => client.signal)).rejects.toThrow(Unavailable);
  const next = hasher.hash('who stays', () => new AbortController().signal);
  client.abort();
  before.end();
  await Promise.all([running, left]);
  expect([await next, ...asked]).toEqual(['who stays', 'who stays']);
});
