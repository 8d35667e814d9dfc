import { Failure } from '../endpoint/errors.ts';

/** Enough tries for six desks at one queue of a remote server. */
const maxTries = 12;

/** Returned by an attempt when the data that it decided on was changed in the meantime. */
export const overtaken = Symbol('overtaken');

/** Repeats read, decide and write while other changes come first; throws `unavailable` after too many tries. */
export const decideAgain = async <T>(attempt: () => Promise<T | typeof overtaken>): Promise<T> => {
  for (let tried = 0; tried < maxTries; tried++) {
    const done = await attempt();
    if (done !== overtaken) return done as Exclude<typeof done, typeof overtaken>;
  }
  throw new Failure('unavailable');
};
