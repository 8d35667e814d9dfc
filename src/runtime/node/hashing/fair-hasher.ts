import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hasher } from '../../../core/deps.ts';
import { type Gate, HashingQueueFullError } from '../../../modules/auth/passwords/bounded.ts';
import { createHasher } from '../../../modules/auth/passwords/hasher.ts';
import { createFairShares } from '../../../modules/clinics/fair-shares.ts';
import { mostAnswersTogether } from './answers-together.ts';
import { passwordHashingThreads } from './password-hashing-threads.ts';

/** How many hashes of one clinic may wait. */
const hashQueue = 64;
/** A client that never waits is refused ten times a second at most. */
const refusalPauseMs = 100;

interface FairHasher {
  hasherFor: (clinicId: string) => Hasher;
  /** How many requests of a clinic wait for a hash, or make one. */
  admitted: (clinicId: string) => number;
  stats: Hasher['stats'];
}

/** The hashers of all clinics, on the same threads: while several clinics have hashes to make, each has its turn. */
export const createFairHasher = (cores = availableParallelism()): FairHasher => {
  const atOnce = (mostAnswersTogether + 1) * cores;
  const shares = createFairShares({ atOnce, besideOthers: atOnce, waitingOfOneClinic: hashQueue });
  const argon2 = passwordHashingThreads(cores);
  const admitted = new Map<string, number>();
  let refused = 0;

  const gateFor = (clinicId: string): Gate => ({
    run: (job) => shares.run(clinicId, job),
    admit: async (request) => {
      const before = admitted.get(clinicId) ?? 0;
      if (before >= atOnce + hashQueue) {
        refused += 1;
        await sleep(refusalPauseMs);
        throw new HashingQueueFullError();
      }
      admitted.set(clinicId, before + 1);
      try {
        return await request();
      } finally {
        const left = (admitted.get(clinicId) ?? 1) - 1;
        if (left === 0) admitted.delete(clinicId);
        else admitted.set(clinicId, left);
      }
    },
    stats: () => ({ ...shares.counts(clinicId), refused }),
  });
  return {
    hasherFor: (clinicId) => createHasher(gateFor(clinicId), argon2),
    admitted: (clinicId) => admitted.get(clinicId) ?? 0,
    stats: () => {
      const { running, waiting, refused: full } = shares.stats();
      return { running, waiting, refused: refused + full };
    },
  };
};
