import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { type: 'major'; execution: 'sync'; flavor?: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Collects the garbage of this thread's heap at once. */
export const collectGarbage: Collect = (options) => {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  // Called with undefined, V8's function leaves closed databases with their descriptors.
  if (options === undefined) collect();
  else collect(options);
};
