import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type EmbeddedOptions, openEmbedded } from '../../../src/core/db/embedded/client.ts';
import { makeSession } from '../../../src/core/db/embedded/session.ts';
import { add, newPath, openNotes as openNotesOf, places, stored } from '../../support/node/embedded-files.ts';

describe.each(places)('commits %s', (_, commitsInThread) => {
  const openNotes = (options: Partial<EmbeddedOptions> = {}) => openNotesOf({ commitsInThread, ...options });

  describe('when the file fails', () => {
    it.each([
      ['full', 'PRAGMA max_page_count = 1'],
      ['readonly', 'PRAGMA query_only = ON'],
    ])('says %s to the whole group at once, and works again by itself', async (code, cause) => {
      const { client, path } = await openNotes();
      await add(client, 'a');
      await client.batch([cause]);
      const two = "SELECT '' AS n UNION ALL SELECT '2'";
      const big = (text: string) =>
        client.execute({
          sql: `INSERT INTO note SELECT NULL, ? || n, 0, zeroblob(50000) FROM (${two})`,
          args: [text],
        });
      for (const outcome of await Promise.allSettled([big('b'), big('c')])) {
        const { reason } = outcome as PromiseRejectedResult;
        expect(reason).toMatchObject({
          name: 'DatabaseUnavailableError',
          code,
          cause: { name: 'SqliteError' },
        });
      }
      await big('d');
      expect(stored(path)).toEqual(['a', 'd', 'd2']);
      expect(client.stats()).toMatchObject({ busyCount: 0, reconnectCount: 1 });
    });

    it('says corrupt', async () => {
      const { client, path } = await openNotes();
      await client.executeMultiple("INSERT INTO note (text, bytes) VALUES ('a', zeroblob(90000))");
      client.close();
      const whole = readFileSync(path);
      writeFileSync(path, Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 0xff)]));
      client.reconnect();
      await expect(client.execute('SELECT * FROM note')).rejects.toMatchObject({ code: 'corrupt' });
      writeFileSync(path, whole);
      expect((await client.execute('SELECT text FROM note')).rows[0]?.text).toBe('a');
    });

    it('acknowledges nothing that goes to a deleted file, and finds the file when it is back', async () => {
      const { client, path } = await openNotes();
      await add(client, 'a');
      client.close();
      client.reconnect();
      await client.execute('SELECT 1');
      renameSync(path, `${path}.away`);
      await expect(add(client, 'lost')).rejects.toMatchObject({ code: 'cannot_open' });
      await expect(client.execute('SELECT 1')).rejects.toMatchObject({ code: 'cannot_open' });
      renameSync(`${path}.away`, path);
      await add(client, 'b');
      expect(stored(path)).toEqual(['a', 'b']);
    });

    it('answers reads from a file that was moved away for a second at most', async () => {
      let now = 0;
      const { client, path } = await openNotes({ clock: () => now });
      await add(client, 'a');
      const read = () => client.execute('SELECT text FROM note');
      await read();
      renameSync(path, `${path}.away`);
      now += 999;
      expect((await read()).rows).toHaveLength(1);
      now += 1;
      await expect(read()).rejects.toMatchObject({
        code: 'cannot_open',
        message: expect.stringContaining(path),
      });
      renameSync(`${path}.away`, path);
      expect((await read()).rows).toHaveLength(1);
    });

    it('knows at once when it is asked, and then answers no read from such a file', async () => {
      const { client, path } = await openNotes({ clock: () => 0 });
      await add(client, 'a');
      expect(() => client.assertFileInPlace()).not.toThrow();
      renameSync(path, `${path}.away`);
      expect(() => client.assertFileInPlace()).toThrow(`the database file ${path} is gone`);
      await expect(client.execute('SELECT text FROM note')).rejects.toMatchObject({ code: 'cannot_open' });
    });

    it('acknowledges no write whose file was moved away while it was written', async () => {
      const { path } = await openNotes();
      const session = makeSession({ path, driverTimeoutMs: 0, clock: () => 0 });
      onTestFinished(() => session.drop());
      const addThenMove = () =>
        session.write((connection) => {
          connection.run({ sql: 'INSERT INTO note (text) VALUES (?)', args: ['unseen'] });
          renameSync(path, `${path}.away`);
        });
      expect(addThenMove).toThrow(`${path} was moved away during a write`);
    });

    it('follows a file that was replaced', async () => {
      const { client, path } = await openNotes();
      await add(client, 'a');
      client.close();
      copyFileSync(path, `${path}.backup`);
      client.reconnect();
      await client.execute('SELECT 1');
      for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
      renameSync(`${path}.backup`, path);
      await add(client, 'b');
      expect(stored(path)).toEqual(['a', 'b']);
    });
  });

  describe('refuses to open', () => {
    const refusal = (path: string, options = {}) => {
      try {
        openEmbedded({ path, ...options }).close();
      } catch (error) {
        return error;
      }
    };

    it('a corrupt file, a folder, and a file in no folder', () => {
      const path = newPath();
      writeFileSync(path, 'not a database'.repeat(500));
      mkdirSync(join(dirname(path), 'folder'));
      const schemaBroken = `${path}.schema`;
      openEmbedded({ path: schemaBroken }).close();
      writeFileSync(
        schemaBroken,
        Buffer.concat([readFileSync(schemaBroken).subarray(0, 100), Buffer.alloc(3996, 0xff)]),
      );
      expect(refusal(schemaBroken)).toMatchObject({ code: 'corrupt' });
      expect(refusal(path)).toMatchObject({ name: 'DatabaseUnavailableError', code: 'corrupt' });
      expect(refusal(join(dirname(path), 'folder'))).toMatchObject({ code: 'cannot_open' });
      expect(refusal(join(dirname(path), 'nowhere', 'a.db'))).toMatchObject({ code: 'cannot_open' });
    });

    it('memory, URLs, and a driver timeout that would stop the event loop', () => {
      for (const path of ['', ':memory:', 'file:a.db', 'libsql://host'])
        expect(refusal(path)).toBeInstanceOf(TypeError);
      for (const driverTimeoutMs of [51, -1, Number.NaN])
        expect(refusal(newPath(), { driverTimeoutMs })).toBeInstanceOf(RangeError);
    });
  });

  it('refuses a write at once when too many wait, and keeps those that do', async () => {
    const { client, path } = await openNotes({ maxQueued: 2 });
    const outcomes = await Promise.allSettled([add(client, 'a'), add(client, 'b'), add(client, 'c')]);
    expect(outcomes[2]).toMatchObject({ status: 'rejected', reason: { code: 'busy' } });
    expect(stored(path)).toEqual(['a', 'b']);
  });
});
