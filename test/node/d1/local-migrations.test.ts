import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import { migrateLocalD1 } from '../../../scripts/worker/migrate-local.ts';
import { fileOfD1, makeD1, newFolder } from '../../support/node/command-line.ts';

/** Its tables, indexes and triggers, and which migrations it says were applied. */
const schemaOf = (state: string) => {
  const database = new DatabaseSync(fileOfD1(state));
  const made = database.prepare(
    "select name, sql from sqlite_master where name not like '_cf%' order by name",
  );
  const applied = database.prepare('select id, name from d1_migrations order by id');
  const read = {
    made: made.all().map(({ name, sql }) => [name, String(sql).replace(/\s+/g, ' ')]),
    applied: applied.all(),
  };
  database.close();
  return read;
};

it('`npm run dev` migrates as wrangler does, which has nothing left to apply', async () => {
  const [ours, theirs] = [newFolder(), newFolder()];
  const proxy = await getPlatformProxy<{ DB: D1Database }>({ persist: { path: join(ours, 'v3') } });
  try {
    await migrateLocalD1(proxy.env.DB);
    await migrateLocalD1(proxy.env.DB);
  } finally {
    await proxy.dispose();
  }
  await makeD1(theirs);
  expect(schemaOf(ours)).toEqual(schemaOf(join(theirs, '.wrangler/state')));
});
