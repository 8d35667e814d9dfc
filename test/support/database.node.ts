import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { openDatabase } from '../../src/node/database.ts';

export const runtime: 'node' | 'workers' = 'node';

const folder = mkdtempSync(join(tmpdir(), 'janji-test-'));
const opened: (() => Promise<void>)[] = [];

afterAll(async () => {
  await Promise.all(opened.map((close) => close()));
  rmSync(folder, { recursive: true, force: true });
});

/** An empty, migrated database of its own for one test. */
export const freshDatabase = async (): Promise<Db> => {
  const { db, close } = await openDatabase(`file:${join(folder, `${opened.length}.db`)}`);
  opened.push(close);
  return db;
};
