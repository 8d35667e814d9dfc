import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRounds } from '../../src/jobs/rounds.ts';
import { idleClinic, statementsOfAnHour } from '../support/due-work.ts';

afterEach(() => void vi.restoreAllMocks());

describe('an idle clinic with bookings ahead', () => {
  it('sends nothing to the database in an hour where a process sees that nothing was changed', async () => {
    const { world } = await idleClinic();
    const round = createRounds(world.deps, async () => 'unchanged');
    await round();
    expect(await statementsOfAnHour(world, round)).toBe(0);
  });

  it('sends one statement a minute where that cannot be seen', async () => {
    const { world } = await idleClinic();
    expect(await statementsOfAnHour(world, createRounds(world.deps))).toBe(60);
  });
});

it('looks again after a look that failed, though the mark is that of the last one that did not', async () => {
  const { world } = await idleClinic();
  world.deps.log.error = () => {};
  const marks = ['1 5', '2 5', '1 5'];
  const round = createRounds(world.deps, async () => marks.shift() ?? null);
  await round();
  const batch = vi.spyOn(world.deps.db, 'batch').mockRejectedValueOnce(new Error('the file is gone'));
  await round();
  expect(batch).toHaveBeenCalledTimes(1);
  await round();
  expect(batch).toHaveBeenCalledTimes(2);
});
