import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { atACopy, atItsClinic, makeCredentials, tryCredentials } from '../support/clinic-credentials.ts';
import { createClinics } from '../support/objects/clinics.ts';

const ownTables = `select name from sqlite_master where type = 'table'
  and name not glob '_cf_*' and name not glob 'sqlite_*' and name <> '__drizzle_migrations'`;

/** Puts all rows of one object in the place of another's. */
const copy = async (from: object, to: object): Promise<void> => {
  const tables = await runInDurableObject(from, (_, { storage: { sql } }) =>
    sql
      .exec(ownTables)
      .toArray()
      .map(({ name }) => ({ name: String(name), rows: sql.exec(`select * from "${name}"`).toArray() })),
  );
  await runInDurableObject(to, (_, { storage }) =>
    storage.transactionSync(() => {
      const { sql } = storage;
      sql.exec('pragma defer_foreign_keys = on').toArray();
      for (const { name } of tables) sql.exec(`delete from "${name}"`).toArray();
      for (const { name, rows } of tables)
        for (const row of rows) {
          const columns = Object.keys(row);
          const places = columns.map(() => '?').join();
          const named = columns.map((column) => `"${column}"`).join();
          sql.exec(`insert into "${name}" (${named}) values (${places})`, ...Object.values(row)).toArray();
        }
    }),
  );
  await evictDurableObject(to);
};

it('nothing that lets somebody in at one clinic does so at a copy of its database', async () => {
  const { ask, objectOf } = await createClinics(['melati', 'mawar']);
  const at =
    (name: string) =>
    (path: string, given = {}) =>
      ask(name, path, given);
  const made = await makeCredentials(at('melati'));
  const [from, to] = [await objectOf('melati'), await objectOf('mawar')];
  await copy(from.object, to.object);
  expect(await tryCredentials(at('mawar'), made)).toEqual(atACopy);
  expect(await tryCredentials(at('melati'), made)).toEqual(atItsClinic);
});
