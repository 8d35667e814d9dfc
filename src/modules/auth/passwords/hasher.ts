import * as inline from '#argon2';
import type { Hasher } from '../../../core/deps.ts';
import type { Gate } from './bounded.ts';
import { hashedForm } from './form.ts';
import { unusableHash } from './phc.ts';

/** Argon2id of a password in the form that `hashedForm` returns. */
export interface Argon2 {
  hash(password: string): Promise<string>;
  verify(phc: string, password: string): Promise<boolean>;
}

const atOnce: Gate = {
  run: (job) => job(),
  admit: (request) => request(),
  stats: () => ({ running: 0, waiting: 0, refused: 0 }),
};

/**
 * Hashes passwords as NIST SP 800-63B requires: NFKC (callers pass the typed text), then Argon2id.
 * By default each job runs at once and inline, for Workers; Node passes `boundedBy(…)` and its own threads.
 */
export function createHasher(gate: Gate = atOnce, argon2: Argon2 = inline): Hasher {
  async function verify(phc: string, password: string): Promise<boolean> {
    const form = hashedForm(password);
    return form !== null && gate.run(() => argon2.verify(phc, form));
  }

  return {
    async hash(password) {
      const form = hashedForm(password);
      if (form === null)
        throw new TypeError('This cannot be a password: check it with passwordProblem first.');
      return gate.run(() => argon2.hash(form));
    },
    verify,
    async verifyNothing(password) {
      await verify(unusableHash(), password);
      return false;
    },
    admit: gate.admit,
    stats: gate.stats,
  };
}
