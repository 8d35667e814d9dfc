import { expect, it } from 'vitest';
import { clinic } from '../../src/core/tables/catalog.ts';
import { notices } from '../../src/core/tables/mail.ts';
import { planNotices } from '../../src/modules/notices/plan.ts';
import { minute, openBox } from '../support/notices.ts';
import { fillReminders } from '../support/reminders.ts';
import { createWorld, mondayMorning } from '../support/world.ts';

it('reminders that a run has no steps left for are planned by the next ones, each once', async () => {
  const world = await createWorld({ ...openBox().settings });
  await fillReminders(world, 25);
  const planned: number[] = [];
  for (let run = 0; run < 4; run++) {
    await planNotices(world.deps, mondayMorning + run * minute, { size: 5, count: 2 });
    planned.push(await world.db.$count(notices));
  }
  expect(planned).toEqual([10, 20, 25, 25]);
  const [row] = await world.db.select({ remindedAt: clinic.remindedAt }).from(clinic);
  expect(row?.remindedAt).toBe(mondayMorning + 3 * minute);
});
