import * as inline from '#argon2';
import type { Gone, Hasher } from '../../../core/deps.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';
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
  const run = <T>(job: () => Promise<T>, gone?: Gone): Promise<T> =>
    gate.run(async () => {
      if (gone?.().aborted) throw new Unavailable('The client has gone.');
      return job();
    });

  async function verify(phc: string, password: string, gone?: Gone): Promise<boolean> {
    const form = hashedForm(password);
    return form !== null && run(() => argon2.verify(phc, form), gone);
  }

  return {
    async hash(password, gone) {
      const form = hashedForm(password);
      if (form === null)
        throw new TypeError('This cannot be a password: check it with passwordProblem first.');
      return run(() => argon2.hash(form), gone);
    },
    verify,
    async verifyNothing(password, gone) {
      await verify(unusableHash(), password, gone);
      return false;
    },
    admit: gate.admit,
    stats: gate.stats,
  };
}
