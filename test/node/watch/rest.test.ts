import { expect, it } from 'vitest';
import { createRestWatch } from '../../../src/runtime/node/watch/rest.ts';

const collectionsAfter = (...utilizations: readonly number[]): number => {
  let collected = 0;
  const note = createRestWatch(() => {
    collected += 1;
  });
  for (const utilization of utilizations) note(utilization);
  return collected;
};

it('collects once when the service rests after load, and again only after the next load', () => {
  expect(collectionsAfter(0.9, 0.01)).toBe(1);
  expect(collectionsAfter(0.9, 0.01, 0, 0.01)).toBe(1);
  expect(collectionsAfter(0.9, 0.01, 0.5, 0.02)).toBe(2);
});

it('collects neither while requests come, nor in a service that was never busy', () => {
  expect(collectionsAfter(0.9, 0.9, 0.1, 0.06)).toBe(0);
  expect(collectionsAfter(0, 0.01, 0.1, 0.01)).toBe(0);
});
