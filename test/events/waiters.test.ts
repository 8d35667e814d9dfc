import { expect, it } from 'vitest';
import { createEventWaiters } from '../../src/core/events/waiters.ts';

const never = new AbortController().signal;
const long = 60_000;

it('wakes all who wait, and lets those go who have gone', async () => {
  const waiters = createEventWaiters();
  const gone = new AbortController();
  const waits = [waiters.wait(long, never), waiters.wait(long, gone.signal)];
  expect(waiters.count()).toBe(2);
  gone.abort();
  expect(waiters.count()).toBe(1);
  waiters.wake();
  expect(await Promise.all(waits)).toEqual([true, true]);
  expect(waiters.count()).toBe(0);
});

it('lets nobody wait once the service stops', async () => {
  const waiters = createEventWaiters();
  const wait = waiters.wait(long, never);
  waiters.end();
  expect(await wait).toBe(false);
  expect(await waiters.wait(long, never)).toBe(false);
});

it('bounds how many wait at once', async () => {
  const waiters = createEventWaiters();
  const waits = Array.from({ length: 1_000 }, () => waiters.wait(long, never));
  expect(await waiters.wait(long, never)).toBe(false);
  waiters.wake();
  expect(new Set(await Promise.all(waits))).toEqual(new Set([true]));
});
