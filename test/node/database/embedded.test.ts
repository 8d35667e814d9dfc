import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LibsqlBatchError, LibsqlError } from '@libsql/client';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { type EmbeddedOptions, openEmbedded } from '../../../src/db/embedded/client.ts';
import { add, openNotes as openNotesOf, places, stored } from '../../support/node/embedded-files.ts';

const note = sqliteTable('note', {
  id: integer().primaryKey(),
  text: text(),
  size: integer(),
  bytes: blob({ mode: 'buffer' }),
});

const statuses = async (operations: Promise<unknown>[]) =>
  (await Promise.allSettled(operations)).map(({ status }) => status);

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

  describe('writes', () => {
    it('takes a batch as a whole or not at all', async () => {
      const { client, path } = await openNotes();
      const twice = "INSERT INTO note (text) VALUES ('x')";
      await expect(client.batch([twice, twice])).rejects.toThrow('UNIQUE');
      await expect(client.executeMultiple(`${twice}; ${twice};`)).rejects.toThrow('UNIQUE');
      await expect(client.migrate([twice, twice])).rejects.toThrow('UNIQUE');
      expect(stored(path)).toEqual([]);
    });

    it('shares one commit between writes that wait together, in their order', async () => {
      const { client, path } = await openNotes({ groupSize: 10 });
      const before = client.stats().commitCount;
      const texts = Array.from({ length: 20 }, (_, i) => `n${i}`);
      await Promise.all(texts.map((each) => add(client, each)));
      expect(client.stats().commitCount - before).toBeLessThan(texts.length / 2);
      expect(stored(path)).toEqual(texts);
    });

    it('waits for as many as shared the last commit, and no longer than it may', async () => {
      const { client, path } = await openNotes({ gatherMs: 60_000 });
      await Promise.all(['a', 'b', 'c'].map((each) => add(client, each)));
      const before = client.stats().commitCount;
      const again: Promise<unknown>[] = [];
      for (const each of ['d', 'e', 'f']) {
        again.push(add(client, each));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(again);
      expect(client.stats().commitCount - before).toBe(1);
      const hurried = openEmbedded({ path, commitsInThread, gatherMs: 1 });
      await Promise.all(['g', 'h', 'i'].map((each) => add(hurried, each)));
      await add(hurried, 'j');
      hurried.close();
      expect(stored(path)).toEqual([...'abcdefghij']);
    });

    it('rejects only the write that fails, and undoes all of it', async () => {
      const { client, path } = await openNotes();
      const half = client.batch([
        "INSERT INTO note (text) VALUES ('half')",
        'INSERT INTO note (text) VALUES (1), (1)',
      ]);
      const others = [add(client, 'a'), half, add(client, 'b'), add(client, 'a'), add(client, 'c')];
      expect(await statuses(others)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
      expect(stored(path)).toEqual(['a', 'b', 'c']);
    });

    it('keeps the neighbours of a write that rolls the transaction back', async () => {
      const { client, path } = await openNotes();
      const rude = client.execute.bind(client, "INSERT OR ROLLBACK INTO note (text) VALUES ('a')");
      expect(await statuses([add(client, 'a'), rude(), add(client, 'b')])).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(stored(path)).toEqual(['a', 'b']);
    });

    it('keeps the neighbours of a write that fails only at the commit', async () => {
      const { client, path } = await openNotes();
      await client.execute(
        'CREATE TABLE page (note INTEGER REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED)',
      );
      const orphan = client.execute('INSERT INTO page VALUES (99)');
      expect(await statuses([add(client, 'a'), orphan, add(client, 'b')])).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(stored(path)).toEqual(['a', 'b']);
    });

    it('shows an acknowledged write to the next read, and holds back what is not committed', async () => {
      const { client } = await openNotes();
      const count = async () => (await client.execute('SELECT count(*) AS n FROM note')).rows[0]?.n;
      const writing = add(client, 'a');
      expect(await count()).toBe(0);
      await writing;
      expect(await count()).toBe(1);
    });

    it('answers reads of one moment each for itself, whatever becomes of their neighbours', async () => {
      const { client } = await openNotes();
      await add(client, 'a');
      const texts = 'SELECT text FROM note';
      const reads = [
        client.execute(texts),
        client.execute('SELECT nothing FROM note'),
        client.execute(texts),
      ];
      expect(await statuses(reads)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await reads[2])?.rows[0]?.text).toBe('a');
      await add(client, 'b');
      expect((await client.execute(texts)).rows).toHaveLength(2);
    });

    it('answers a read before the commit of a write that waited longer', async () => {
      const { client } = await openNotes();
      const order: string[] = [];
      const writing = add(client, 'a').then(() => order.push('written'));
      const reading = client
        .execute('SELECT 1')
        .then(() => client.stats().commitCount)
        .then((commits) => order.push(`read after ${commits} commits`));
      const before = client.stats().commitCount;
      await Promise.all([writing, reading]);
      expect(order).toEqual([`read after ${before} commits`, 'written']);
    });

    it('reads one row alone and leaves no read open behind it', async () => {
      const { client, path } = await openNotes();
      const one = () => client.execute({ sql: 'SELECT text FROM note ORDER BY id DESC LIMIT ?', args: [1] });
      // In lower case, as drizzle writes it: the form that the client knows.
      const known = (max: number) =>
        client.execute({ sql: 'select text from note order by id desc limit ?', args: [max] });
      expect((await known(1)).rows).toEqual([]);
      await Promise.all([add(client, 'a'), add(client, 'b')]);
      expect((await known(1)).rows).toEqual((await one()).rows);
      expect((await known(1)).rows[0]?.text).toBe('b');
      expect((await known(2)).rows).toHaveLength(2);
      await known(1);
      const [checkpoint] = (await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')).rows;
      expect(checkpoint?.busy).toBe(0);
      expect(statSync(`${path}-wal`).size).toBe(0);
    });

    it('finishes what waits before it closes, then refuses', async () => {
      const { client, path } = await openNotes();
      const last = [add(client, 'a'), add(client, 'b')];
      client.close();
      await Promise.all(last);
      expect(stored(path)).toEqual(['a', 'b']);
      expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
      await expect(client.execute('SELECT 1')).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
      await expect(add(client, 'c')).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
      client.reconnect();
      await add(client, 'c');
    });

    it('drains', async () => {
      const { client, path } = await openNotes();
      void add(client, 'a');
      await client.drain();
      expect([client.stats().queuedWrites, stored(path)]).toEqual([0, ['a']]);
    });
  });
});
