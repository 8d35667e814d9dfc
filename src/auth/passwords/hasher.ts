import * as inline from '#argon2';
import type { Gate, GateStats } from './bounded.ts';
import { hashedForm } from './form.ts';
import { unusableHash } from './phc.ts';

/** Argon2id of what `hashedForm` gives. */
export interface Argon2 {
  hash(password: string): Promise<string>;
  verify(phc: string, password: string): Promise<boolean>;
}

export interface Hasher {
  /** A PHC string of our own parameters; throws a TypeError for what `hashedForm` refuses. */
  hash(password: string): Promise<string>;
  /** Whether the password made the PHC string; false if the string is malformed or above our parameters. */
  verify(phc: string, password: string): Promise<boolean>;
  /** Costs as much as `verify` and is always false: for an e-mail without an account. */
  verifyNothing(password: string): Promise<false>;
  /** Wraps a request that will hash: refused at once when as many as the queue holds are under way. */
  admit<T>(request: () => Promise<T>): Promise<T>;
  stats(): GateStats;
}

const atOnce: Gate = {
  run: (job) => job(),
  admit: (request) => request(),
  stats: () => ({ running: 0, waiting: 0, refused: 0 }),
};

/**
 * Hashes passwords as NIST SP 800-63B asks: NFKC (callers pass what was typed), then Argon2id.
 * Without a gate each job runs inline, as Workers need; Node passes `boundedBy(…)` and threads of its own.
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
