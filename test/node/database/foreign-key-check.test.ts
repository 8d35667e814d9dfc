import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isForeignKeyViolation } from '../../../src/core/db/foreign-key-check.ts';
import { openRemote } from '../../../src/core/db/remote/remote.ts';
import { SettingError } from '../../../src/core/settings/parse-settings.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { newPath, openNotes } from '../../support/node/embedded-files.ts';
import { serveHrana } from '../../support/node/hrana-server.ts';

const tables = [
  'CREATE TABLE parent (id INTEGER PRIMARY KEY)',
  'CREATE TABLE child (parent_id INTEGER REFERENCES parent(id))',
];
const orphan = 'INSERT INTO child VALUES (7)';

const clients = {
  'an embedded file': async () => (await openNotes()).client,
  'a remote database': async () => {
    const server = await serveHrana(newPath(), () => null);
    onTestFinished(() => void server.close());
    return openRemote(server.url);
  },
};

describe.each(Object.entries(clients))('a migration of %s', (_name, open) => {
  it('that leaves a row which refers to none is undone as a whole', async () => {
    const client = await open();
    await client.migrate(tables);
    const failed = await client.migrate(['CREATE TABLE later (a)', orphan]).catch((error: unknown) => error);
    expect(isForeignKeyViolation(failed)).toBe(true);
    expect((await client.execute('SELECT count(*) FROM child')).rows[0]?.[0]).toBe(0);
    await expect(client.execute('SELECT a FROM later')).rejects.toThrow('no such table');
    await client.migrate(['INSERT INTO parent VALUES (7)', orphan]);
    expect((await client.execute('SELECT count(*) FROM child')).rows[0]?.[0]).toBe(1);
  });
});

describe('the start', () => {
  const withOrphan = (): string => {
    const path = newPath();
    const database = new Database(path, {});
    // Without it the tables would be another program's.
    const ours =
      'CREATE TABLE __drizzle_migrations (id integer primary key, hash text not null, created_at numeric)';
    for (const sql of ['PRAGMA foreign_keys = OFF', ours, ...tables, orphan]) database.exec(sql);
    database.close();
    return path;
  };

  it('is refused in a sentence while a migration would leave such a row', async () => {
    const path = withOrphan();
    for (const url of [`file:${path}`, (await serveFile(path)).url]) {
      const failed = await openDatabase(url).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(SettingError);
      expect(String(failed)).toMatch(/foreign_key_check.*Nothing was changed/);
    }
    const database = new Database(path, {});
    database.exec('DELETE FROM child');
    database.close();
    const opened = await openDatabase(`file:${path}`);
    await opened.close();
  });

  const serveFile = async (path: string) => {
    const server = await serveHrana(path, () => null);
    onTestFinished(() => void server.close());
    return server;
  };
});
