import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { freshDatabase } from '#test-database';
import { run } from '../../../src/core/db/db.ts';
import { statement } from '../../../src/core/db/statement.ts';
import { sessions } from '../../../src/core/tables/catalog.ts';

it('builds a statement once for all files, and runs it on the one that is given', async () => {
  let built = 0;
  const findSessions = statement((db) => {
    built += 1;
    return db.select({ name: sessions.name }).from(sessions).orderBy(sql`name`);
  });
  const [first, second] = [await freshDatabase(), await freshDatabase()];
  await first.insert(sessions).values({ id: '1', name: 'Kontrol', createdAt: 0, updatedAt: 0 });
  expect(await run(first, findSessions(first, {}))).toEqual([{ name: 'Kontrol' }]);
  expect(await run(second, findSessions(second, {}))).toEqual([]);
  expect(built).toBe(1);
});
