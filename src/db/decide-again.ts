import { Failure } from '../endpoint/errors.ts';

const maxTries = 5;

/** What an attempt gives when somebody changed, meanwhile, what it had decided on. */
export const overtaken = Symbol('overtaken');

/** Reads, decides and writes again while others overtake it; `unavailable` when that does not end. */
export const decideAgain = async <T>(attempt: () => Promise<T | typeof overtaken>): Promise<T> => {
  for (let tried = 0; tried < maxTries; tried++) {
    const done = await attempt();
    if (done !== overtaken) return done as Exclude<typeof done, typeof overtaken>;
  }
  throw new Failure('unavailable');
};
