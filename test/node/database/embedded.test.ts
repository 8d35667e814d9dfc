import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LibsqlBatchError, LibsqlError } from '@libsql/client';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import type { EmbeddedOptions } from '../../../src/core/db/embedded/client.ts';
import { add, openNotes as openNotesOf, places } from '../../support/node/embedded-files.ts';

const note = sqliteTable('note', {
  id: integer().primaryKey(),
  text: text(),
  size: integer(),
  bytes: blob({ mode: 'buffer' }),
});

describe.each(places)('commits %s', (_, commitsInThread) => {
  const openNotes = (options: Partial<EmbeddedOptions> = {}) => openNotesOf({ commitsInThread, ...options });
  describe('drizzle on the embedded client', () => {
    it('inserts, selects, updates and deletes', async () => {
      const db = drizzle({ client: (await openNotes()).client });
      const bytes = Buffer.from([0, 255, 7]);
      const [made] = await db.insert(note).values({ text: 'a', size: 3, bytes }).returning();
      expect(made).toEqual({ id: 1, text: 'a', size: 3, bytes });
      await db.update(note).set({ size: null }).where(eq(note.id, 1));
      expect(await db.select().from(note)).toEqual([{ id: 1, text: 'a', size: null, bytes }]);
      expect((await db.delete(note)).rowsAffected).toBe(1);
    });

    it('runs a batch and gives each result', async () => {
      const db = drizzle({ client: (await openNotes()).client });
      const [made, all] = await db.batch([
        db.insert(note).values({ text: 'a' }).returning({ id: note.id }),
        db.select({ text: note.text }).from(note),
      ]);
      expect([made, all]).toEqual([[{ id: 1 }], [{ text: 'a' }]]);
    });

    it('names the columns of raw queries', async () => {
      const { client } = await openNotes();
      const db = drizzle({ client });
      expect((await db.get<{ n: number }>(sql`select count(*) as n from note`)).n).toBe(0);
      const { rows, columns } = await client.execute('select 1 as a, 2 as a, 3 as length');
      expect([rows[0]?.a, rows[0]?.[1], rows[0]?.length, columns]).toEqual([1, 2, 3, ['a', 'a', 'length']]);
    });

    it('migrates, once', async () => {
      const { client, path } = await openNotes();
      const folder = join(dirname(path), 'migrations');
      mkdirSync(join(folder, 'meta'), { recursive: true });
      const entries = [{ idx: 0, version: '6', when: 1, tag: '0000_first', breakpoints: true }];
      writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ dialect: 'sqlite', entries }));
      writeFileSync(
        join(folder, '0000_first.sql'),
        'CREATE TABLE first (a TEXT);\n--> statement-breakpoint\nINSERT INTO first VALUES (1);',
      );
      const db = drizzle({ client });
      await migrate(db, { migrationsFolder: folder });
      await migrate(db, { migrationsFolder: folder });
      expect((await client.execute('SELECT count(*) FROM first')).rows[0]?.[0]).toBe(1);
      expect((await client.execute('PRAGMA foreign_keys')).rows[0]?.[0]).toBe(1);
    });
  });

  describe('statements', () => {
    it('never shows the arguments of an earlier caller', async () => {
      const { client } = await openNotes();
      const query = 'SELECT ? AS a, ? AS b';
      await client.execute({ sql: query, args: ['mine', 'secret'] });
      expect((await client.execute({ sql: query, args: ['theirs'] })).rows[0]?.b).toBeNull();
    });

    it('notices a changed schema', async () => {
      const { client } = await openNotes();
      await client.execute('SELECT * FROM note');
      await client.execute('ALTER TABLE note ADD COLUMN more TEXT');
      expect((await client.execute('SELECT * FROM note')).columns).toContain('more');
    });

    it('takes booleans, dates, big integers and bytes, and refuses what cannot be stored', async () => {
      const { client } = await openNotes();
      const args = [true, new Date(5), 7n, new Uint8Array([1]).buffer, null];
      const { rows } = await client.execute({ sql: 'SELECT ?, ?, ?, ?, ?', args });
      expect([...(rows[0] as unknown as unknown[])]).toEqual([1, 5, 7, new Uint8Array([1]).buffer, null]);
      for (const wrong of [undefined, Number.NaN, 2n ** 63n, {}] as never[])
        await expect(client.execute({ sql: 'SELECT ?', args: [wrong] })).rejects.toThrow(
          /passed as|argument/,
        );
      await expect(client.execute('SELECT 9007199254740993')).rejects.toThrow(RangeError);
    });

    it('says which constraint failed, and never the values', async () => {
      const { client } = await openNotes();
      await add(client, 'private');
      const single = await add(client, 'private').catch((error: unknown) => error);
      expect(single).toBeInstanceOf(LibsqlError);
      expect(single).toMatchObject({ code: 'SQLITE_CONSTRAINT', extendedCode: 'SQLITE_CONSTRAINT_UNIQUE' });
      expect(String(single)).toContain('UNIQUE constraint failed: note.text');
      expect(String(single)).not.toContain('private');
      const insert = { sql: 'INSERT INTO note (text) VALUES (?)', args: ['private'] };
      const batch = await client.batch(['SELECT 1', insert]).catch((error: unknown) => error);
      expect(batch).toBeInstanceOf(LibsqlBatchError);
      expect(batch).toMatchObject({ statementIndex: 1, code: 'SQLITE_CONSTRAINT' });
    });

    it('leaves transactions to batches, and writes out of batches that read', async () => {
      const { client } = await openNotes();
      await expect(client.transaction()).rejects.toThrow('not supported');
      for (const order of ['BEGIN', ' commit', '/* now */ ROLLBACK', '-- x\nSAVEPOINT a'])
        await expect(client.execute(order)).rejects.toThrow('batch()');
      await expect(client.batch(['DELETE FROM note'], 'read')).rejects.toThrow('only select');
      const sneaky = 'WITH x AS (SELECT 1) INSERT INTO note (text) SELECT 1 FROM x';
      await expect(client.batch([sneaky], 'read')).rejects.toThrow('only select');
    });
  });
});
