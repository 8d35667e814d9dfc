import { RpcTarget } from 'cloudflare:workers';
import { AsyncLocalStorage } from 'node:async_hooks';
import * as argon2 from '#argon2';
import { boundedBy } from '../../../modules/auth/passwords/bounded.ts';
import { type Argon2, createHasher } from '../../../modules/auth/passwords/hasher.ts';

/** Hashes in the front Worker, for the object that answers its request. */
export class FrontHasher extends RpcTarget implements Argon2 {
  hash(form: string): Promise<string> {
    return argon2.hash(form);
  }

  verify(phc: string, form: string): Promise<boolean> {
    return argon2.verify(phc, form);
  }
}

const fronts = new AsyncLocalStorage<Argon2>();

/** Does an object's work for a front, which hashes for it meanwhile. */
export const withFront = <T>(front: Argon2, work: () => T): T => fronts.run(front, work);

const currentFront = (): Argon2 => {
  const front = fronts.getStore();
  if (front === undefined) throw new Error('Passwords are hashed by the front, for a request alone.');
  return front;
};

/**
 * How many hashes of one clinic fronts make at once, and how many more may wait: a front makes one after another, and those of the
 * clinics beside it come between. Of more at once the answers would come back together, and the object's other requests wait for
 * all that follows them.
 */
const bounds = { concurrency: 4, queue: 76 };

/**
 * The hasher of an object, which computes no hash itself: one takes so long that all other requests of the clinic would
 * wait for it. Requests of an object may wait for each other, those of a front may not: so the queue is here.
 */
export const hasherOfFronts = () =>
  createHasher(boundedBy(bounds), {
    hash: async (form) => currentFront().hash(form),
    verify: async (phc, form) => currentFront().verify(phc, form),
  });
