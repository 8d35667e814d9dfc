import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { expect, it } from 'vitest';
import type { Db } from '../../src/core/db/db.ts';
import { notices } from '../../src/core/tables/mail.ts';
import { sendDueNotices } from '../../src/modules/notices/sending/send.ts';
import { openBox } from '../support/notices.ts';
import { fillReminders } from '../support/reminders.ts';
import { createWorld, mondayMorning } from '../support/world.ts';

/** D1's counts for this many reminders that one run of the job plans and sends. */
const measure = async (count: number) => {
  const world = await createWorld({ ...openBox().settings });
  await fillReminders(world, count);
  const cost = { roundTrips: 0, statements: 0, read: 0, written: 0 };
  const counting = {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements);
      cost.roundTrips += 1;
      cost.statements += statements.length;
      for (const { meta } of results) {
        cost.read += meta.rows_read;
        cost.written += meta.rows_written;
      }
      return results;
    },
  };
  const db = drizzle(counting as D1Database) as Db;
  const sendMessage = async () => ({ status: 200 });
  await sendDueNotices({ ...world.deps, db, sendMessage }, mondayMorning, new AbortController().signal);
  const rows = await world.db.select().from(notices);
  expect(rows.filter(({ state }) => state === 'sent')).toHaveLength(count);
  return cost;
};

// A figure that rises is paid for by each reminder: it is raised on purpose, or not at all.
it('D1 bills a reminder seven rows written and 48 read, and a thousand take 47 round trips', async () => {
  const { read, ...cost } = await measure(1_000);
  expect(cost).toEqual({ roundTrips: 47, statements: 67, written: 7_001 });
  expect(read).toBeLessThanOrEqual(48_500);
});
