import * as argon2 from '#argon2';
import { createHasher } from '../../src/modules/auth/passwords/hasher.ts';

/** As many hashes of one password as are made: those of two accounts in a row still differ. */
const hashesOfOne = 2;
const hashes = new Map<string, string[]>();
const answers = new Map<string, boolean>();

const hash = async (form: string): Promise<string> => {
  const made = hashes.get(form) ?? [];
  hashes.set(form, made);
  // The one that was given longest ago.
  const next = (made.length >= hashesOfOne && made.shift()) || (await argon2.hash(form));
  made.push(next);
  return next;
};

const verify = async (phc: string, form: string): Promise<boolean> => {
  const asked = JSON.stringify([phc, form]);
  const answer = answers.get(asked) ?? (await argon2.verify(phc, form));
  answers.set(asked, answer);
  return answer;
};

/**
 * The hasher of the tests' worlds: Argon2id as it is, which is asked the same thing once a process. A hash takes longer
 * than all else that a registration does; test/auth/passwords.test.ts and test/node/hashing ask again each time.
 */
export const rememberingHasher = () => createHasher(undefined, { hash, verify });
