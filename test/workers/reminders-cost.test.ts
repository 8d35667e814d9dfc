import { expect, it } from 'vitest';
import { notices } from '../../src/core/tables/mail.ts';
import { sendDueNotices } from '../../src/modules/notices/sending/send.ts';
import { countD1 } from '../support/counted-d1.ts';
import { openBox } from '../support/notices.ts';
import { fillReminders } from '../support/reminders.ts';
import { createWorld, mondayMorning } from '../support/world.ts';

/** D1's counts for this many reminders that one run of the job plans and sends. */
const measure = async (count: number) => {
  const world = await createWorld({ ...openBox().settings });
  await fillReminders(world, count);
  const { db, take } = countD1();
  const sendMessage = async () => ({ status: 200 });
  await sendDueNotices({ ...world.deps, db, sendMessage }, mondayMorning, new AbortController().signal);
  const rows = await world.db.select().from(notices);
  expect(rows.filter(({ state }) => state === 'sent')).toHaveLength(count);
  return take();
};

// A figure that rises is paid for by each reminder: it is raised on purpose, or not at all.
it('D1 bills a reminder seven rows written and 48 read, and a thousand take 47 round trips', async () => {
  const { read, ...cost } = await measure(1_000);
  expect(cost).toEqual({ trips: 47, statements: 67, written: 7_001 });
  expect(read).toBeLessThanOrEqual(48_500);
});
