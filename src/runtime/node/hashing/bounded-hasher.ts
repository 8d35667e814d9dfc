import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hasher } from '../../../core/deps.ts';
import { boundedBy } from '../../../modules/auth/passwords/bounded.ts';
import { createHasher } from '../../../modules/auth/passwords/hasher.ts';
import { mostAnswersTogether } from './answers-together.ts';
import { passwordHashingThreads } from './password-hashing-threads.ts';

const hashQueue = 64;
/** A client that never waits is refused ten times a second at most. */
const refusalPauseMs = 100;

/** One hashing thread per core; each has one job more than it answers together, so that it never waits for the next. */
export const createBoundedHasher = (cores = availableParallelism()): Hasher => {
  const beforeRefusal = () => sleep(refusalPauseMs);
  const gate = boundedBy({ concurrency: (mostAnswersTogether + 1) * cores, queue: hashQueue, beforeRefusal });
  return createHasher(gate, passwordHashingThreads(cores));
};
