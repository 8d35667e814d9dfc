import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../src/db/db.ts';
import { openDatabase } from '../../src/node/database.ts';

export const runtime: 'node' | 'workers' = 'node';

/** An empty, migrated database of its own for one test. */
export const freshDatabase = async (): Promise<Db> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-test-'));
  return (await openDatabase(`file:${join(folder, 'janji.db')}`)).db;
};
