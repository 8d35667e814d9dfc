import { expect, it } from 'vitest';
import { runAll } from '../../src/core/db/db.ts';
import { sessions } from '../../src/core/tables/catalog.ts';
import { insertSession } from '../../src/modules/catalog/sessions/queries.ts';
import { unlimited } from '../../src/modules/catalog/slots/limit-rules.ts';
import { createWorld } from '../support/world.ts';

const session = (id: string) => ({
  id,
  name: `Layanan ${id}`,
  approval: 'manual' as const,
  ...unlimited,
  bpjsPoliCode: null,
  bpjsFktpCode: null,
  ihsLocationId: null,
  questions: null,
  externalId: null,
  metadata: null,
  version: 1,
  retiredAt: null,
  createdAt: 0,
  updatedAt: 0,
});

it('gives the results of a batch by the names of its statements, in whose order they run', async () => {
  const { db } = await createWorld();
  const ids = () => db.select({ id: sessions.id }).from(sessions).orderBy(sessions.id);
  const { before, pair, after, none } = await runAll(db, {
    before: ids(),
    pair: [insertSession(db, session('1')).returning(), insertSession(db, session('2')).returning()],
    after: ids(),
    none: [],
  });
  expect(before).toEqual([]);
  expect(pair.map(([row]) => row?.id)).toEqual(['1', '2']);
  expect(after).toEqual([{ id: '1' }, { id: '2' }]);
  expect(none).toEqual([]);
});

it('undoes a batch by names as a whole', async () => {
  const { db } = await createWorld();
  const twice = { first: insertSession(db, session('1')), second: insertSession(db, session('1')) };
  await expect(runAll(db, twice)).rejects.toThrow();
  expect(await db.select().from(sessions)).toEqual([]);
  expect(await runAll(db, {})).toEqual({});
  expect(await runAll(db, [])).toEqual([]);
});
