import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Collects all garbage of this thread's heap at once. */
export const collectGarbage = (): void => {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  // With an argument, even undefined, V8 may collect the young objects alone, and a closed file keeps its descriptors.
  collect();
};
