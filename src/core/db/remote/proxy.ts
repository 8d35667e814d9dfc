import { type AsyncBatchRemoteCallback, type AsyncRemoteCallback, drizzle } from 'drizzle-orm/sqlite-proxy';
import type { Db } from '../db.ts';

/** Opens a database that is reached by the caller's own calls: one for a single statement, one for a batch. */
export const openProxy = (alone: AsyncRemoteCallback, batch: AsyncBatchRemoteCallback): Db =>
  // Builders and batch are those of a Db; only the result of a run without rows differs, and it is never read.
  drizzle(alone, batch) as unknown as Db;
