import { Worker } from 'node:worker_threads';
import { programBeside } from '../../../core/db/embedded/program-beside.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';
import type { Argon2 } from '../../../modules/auth/passwords/hasher.ts';

const program = programBeside(import.meta.url, 'password-hashing-thread');

/** A job for a thread: hash the password, or compare it with `phc`. */
export interface Job {
  id: number;
  phc: string | null;
  password: string;
}

export type Done = { id: number; value: string | boolean } | { id: number; failure: string };

interface Waiting {
  resolve: (value: string | boolean) => void;
  reject: (error: Error) => void;
}

/** A thread takes some 15 MB, and as many clinics set no password at night. */
const idleBeforeEndMs = 60_000;

/** A thread that hashes one password after another: made for the first, replaced if it dies, ended when there are none. */
const hashingThread = (idleMs: number) => {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let nextId = 0;

  const endIdle = (): void => {
    const idleWorker = worker;
    // At once: the next job is not for a thread that ends.
    worker = undefined;
    void idleWorker?.terminate();
  };
  const settle = (done: Done): void => {
    const job = waiting.get(done.id);
    waiting.delete(done.id);
    if (waiting.size === 0) {
      worker?.unref();
      idle = setTimeout(endIdle, idleMs).unref();
    }
    if ('failure' in done) job?.reject(new Error(done.failure));
    else job?.resolve(done.value);
  };
  const start = (): Worker => {
    const started = new Worker(program, { name: 'hashing' });
    started.on('message', (done: Done[]) => done.forEach(settle));
    // After an error in the thread, its `exit` event follows too.
    started.on('error', () => {});
    started.on('exit', () => {
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(new Unavailable('A hashing thread ended.'));
      waiting.clear();
    });
    // Last, because the message listener keeps the process alive.
    started.unref();
    return started;
  };

  return {
    load: () => waiting.size,
    ask: (phc: string | null, password: string) =>
      new Promise<string | boolean>((resolve, reject) => {
        clearTimeout(idle);
        worker ??= start();
        nextId += 1;
        waiting.set(nextId, { resolve, reject });
        worker.ref();
        worker.postMessage({ id: nextId, phc, password } satisfies Job);
      }),
    /** Ends the thread as a crash would; the next job starts a new one. */
    end: async () => void (await worker?.terminate()),
  };
};

/**
 * Argon2id in its own threads: libuv's four threads stay free for WebCrypto, DNS and files, and every core can hash.
 * Each job goes to the thread with the fewest jobs.
 */
export const passwordHashingThreads = (
  count: number,
  idleMs = idleBeforeEndMs,
): Argon2 & { end: () => Promise<void> } => {
  const threads = Array.from({ length: count }, () => hashingThread(idleMs));
  const ask = (phc: string | null, password: string) =>
    threads.reduce((min, thread) => (thread.load() < min.load() ? thread : min)).ask(phc, password);
  return {
    hash: async (password) => (await ask(null, password)) as string,
    verify: async (phc, password) => (await ask(phc, password)) as boolean,
    end: async () => void (await Promise.all(threads.map((thread) => thread.end()))),
  };
};
