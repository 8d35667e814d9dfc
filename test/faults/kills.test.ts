import { expect, it } from 'vitest';
import { type StormPlan, storm } from '../support/faults/storm.ts';

const fileKey = Buffer.alloc(32, 'a file key').toString('base64url');

const plans: [string, StormPlan][] = [
  ['15 kills of one server', { servers: 1, kills: 15, locks: false }],
  ['6 kills while another process holds the write lock', { servers: 1, kills: 6, locks: true }],
  ['6 kills on an encrypted file, over locks', { servers: 1, kills: 6, locks: true, key: fileKey }],
  ['6 kills of two servers on one file', { servers: 2, kills: 6, locks: false }],
];

it.each(plans)('keeps every acknowledged change exactly once through %s', async (name, plan) => {
  const { violations, acknowledged, overbooked, tally, lockCount, exitCodes, errors } = await storm(plan);
  process.stdout.write(`${name}: ${JSON.stringify({ ...acknowledged, overbooked, ...tally, lockCount })}\n`);
  expect(violations).toEqual([]);
  expect(errors).toBe('');
  expect(exitCodes).toEqual(exitCodes.map(() => 0));
  // Without these the storm would have proved nothing.
  for (const count of Object.values(acknowledged.ofPatients)) expect(count).toBeGreaterThan(plan.kills);
  for (const count of Object.values(acknowledged.ofDesks)) expect(count).toBeGreaterThan(0);
  expect(overbooked).toBeGreaterThan(0);
  expect(tally.interrupted).toBeGreaterThan(plan.kills);
  expect(tally.recovered).toBeGreaterThan(0);
  if (plan.locks) expect(lockCount).toBeGreaterThan(5);
});
