import { existsSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFileThreads } from '../../../src/core/db/embedded/file-threads.ts';
import { openFile } from '../../../src/core/db/embedded/open-file.ts';
import { add, newPath, openNotes, stored } from '../../support/node/embedded-files.ts';

/** The descriptors of this process that lead to files of a folder. */
const descriptorsIn = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });

describe('a file of a thread', () => {
  it.skipIf(!existsSync('/proc/self/fd'))(
    'keeps no descriptor once its closing is answered, also where others are closed at the same time',
    async () => {
      const threads = startFileThreads(1);
      onTestFinished(() => threads.close());
      const open = async () => {
        const path = newPath();
        // Without a statement, which would keep it open until this thread collects its garbage.
        const made = openFile(path, { timeout: 0 });
        made.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT UNIQUE)');
        made.close();
        const client = await threads.open({ path, cacheKib: 1_000, checkpointPages: 1_000 });
        await add(client, 'a');
        return { folder: dirname(path), client };
      };
      const [first, second, third] = [await open(), await open(), await open()];
      await Promise.all([first.client.end(), second.client.end()]);
      for (const { folder } of [first, second]) expect(descriptorsIn(folder)).toEqual([]);
      expect(descriptorsIn(third.folder).length).toBeGreaterThan(0);
      await third.client.end();
      expect(descriptorsIn(third.folder)).toEqual([]);
    },
  );

  it('that could not be opened for a while is opened again, once', async () => {
    const path = newPath();
    const { client: made } = await openNotes({ path });
    await add(made, 'a');
    made.close();
    const threads = startFileThreads(1);
    onTestFinished(() => threads.close());
    const client = await threads.open({ path, cacheKib: 1_000, checkpointPages: 1_000 });
    await add(client, 'b');
    const folder = dirname(path);
    await threads.replace();
    renameSync(folder, `${folder}-away`);
    try {
      for (let tried = 0; tried < 2; tried += 1)
        await expect(add(client, 'lost')).rejects.toMatchObject({ code: 'cannot_open' });
    } finally {
      renameSync(`${folder}-away`, folder);
    }
    await Promise.allSettled([add(client, 'at first'), add(client, 'of the first')]);
    await add(client, 'c');
    await client.end();
    expect(stored(path).filter((text) => text.length === 1)).toEqual(['a', 'b', 'c']);
    expect(stored(path)).not.toContain('lost');
  });

  it('that is gone is not made anew, where its thread was replaced', async () => {
    const path = newPath();
    const { client: made } = await openNotes({ path });
    made.close();
    const threads = startFileThreads(1);
    onTestFinished(() => threads.close());
    const client = await threads.open({ path, cacheKib: 1_000, checkpointPages: 1_000 });
    await add(client, 'a');
    await threads.replace();
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    await expect(add(client, 'b')).rejects.toMatchObject({ code: 'cannot_open' });
    expect(existsSync(path)).toBe(false);
    await client.end();
  });
});
