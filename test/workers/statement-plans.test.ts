import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openD1 } from '../../src/core/db/d1.ts';
import { run } from '../../src/core/db/db.ts';
import { statement } from '../../src/core/db/statement.ts';
import { sessions } from '../../src/core/tables/catalog.ts';
import { createWorld } from '../support/world.ts';

/** D1 seen by one session, which remembers what it was asked to prepare and how often it was sent a batch. */
const openSession = () => {
  const session = env.DB.withSession('first-primary');
  const seen = { prepared: [] as string[], batches: 0 };
  const database = {
    prepare: (sql: string) => {
      seen.prepared.push(sql);
      return session.prepare(sql);
    },
    batch: (statements: D1PreparedStatement[]) => {
      seen.batches += 1;
      return session.batch(statements);
    },
  } as D1Database;
  return { db: openD1(database), seen };
};

it('builds a statement once for all sessions, and each session prepares and runs its own', async () => {
  const { db } = await createWorld();
  await db.insert(sessions).values({ id: '1', name: 'Kontrol', createdAt: 0, updatedAt: 0 });
  let built = 0;
  const findSession = statement((on, named) => {
    built += 1;
    return on
      .select({ name: sessions.name })
      .from(sessions)
      .where(eq(sessions.id, named('id')));
  });
  const [first, second] = [openSession(), openSession()];
  for (const { db: on } of [first, second, first])
    expect(await run(on, findSession(on, { id: '1' }))).toEqual([{ name: 'Kontrol' }]);
  expect(built).toBe(1);
  expect([first.seen.batches, second.seen.batches]).toEqual([2, 1]);
  expect(second.seen.prepared).toHaveLength(1);
});
