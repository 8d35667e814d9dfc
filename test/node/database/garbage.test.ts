import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../../src/core/db/embedded/garbage.ts';

const held = new Set<object>();

/** Nothing on the stack holds the object once this returns. */
const hold = (): WeakRef<object> => {
  const object = {};
  held.add(object);
  return new WeakRef(object);
};

it('collects objects that outlived earlier collections, as the statements of a closed file are', async () => {
  const weak = hold();
  for (let nth = 0; nth < 3; nth++) {
    await nextTurn();
    collectGarbage();
  }
  held.clear();
  await nextTurn();
  collectGarbage();
  expect(weak.deref() === undefined).toBe(true);
});
