import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import {
  type EmbeddedClient,
  type EmbeddedOptions,
  openEmbedded,
} from '../../../src/core/db/embedded/client.ts';
import { openFile } from '../../../src/core/db/embedded/open-file.ts';

/** A path in a folder of its own, which goes when the test ends. */
export const newPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-embedded-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'test.db');
};

/** A client on a new file with one table, `note`; how much a commit takes does not hang on how busy this machine is. */
export const openNotes = async (options: Partial<EmbeddedOptions> = {}) => {
  const path = options.path ?? newPath();
  const client = openEmbedded({ groupBudgetMs: 60_000, ...options, path });
  onTestFinished(() => client.close());
  await client.execute(
    'CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT UNIQUE, size INTEGER, bytes BLOB)',
  );
  return { client, path };
};

/** Where a client commits: each promise of the client holds for both. */
export const places = [
  ['where the requests are', false],
  ['in a thread of its own', true],
] as const;

/** Adds one note. */
export const add = (client: Pick<EmbeddedClient, 'execute'>, text: string) =>
  client.execute({ sql: 'INSERT INTO note (text) VALUES (?)', args: [text] });

/** The notes that are really in the file, read by a fresh connection. */
export const stored = (path: string, key?: string): string[] => {
  const database = openFile(path, { timeout: 0, key });
  try {
    return (database.prepare('SELECT text FROM note ORDER BY id').raw().all() as [string][]).map(
      ([text]) => text,
    );
  } finally {
    database.close();
  }
};

/** A second process on the file that obeys orders. */
export const otherProcess = (path: string, key?: string) => {
  const child: ChildProcess = fork(fileURLToPath(new URL('lock-holder.ts', import.meta.url)), [
    path,
    ...(key === undefined ? [] : [key]),
  ]);
  onTestFinished(() => void child.kill());
  return async (order: 'lock' | 'unlock' | 'make' | 'seize' | 'free' | 'write' | 'rest'): Promise<void> => {
    child.send(order);
    await once(child, 'message');
  };
};

/** Waits until something is so, for a minute at most. */
export const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 60_000, interval: 5 });
