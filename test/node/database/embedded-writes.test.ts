import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type EmbeddedOptions, openEmbedded } from '../../../src/core/db/embedded/client.ts';
import { add, openNotes as openNotesOf, places, stored } from '../../support/node/embedded-files.ts';

const statuses = async (operations: Promise<unknown>[]) =>
  (await Promise.allSettled(operations)).map(({ status }) => status);

describe.each(places)('commits %s', (_, commitsInThread) => {
  const openNotes = (options: Partial<EmbeddedOptions> = {}) => openNotesOf({ commitsInThread, ...options });
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

    it('reads a single row and leaves no read open', async () => {
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
