import { type AsyncBatchRemoteCallback, type AsyncRemoteCallback, drizzle } from 'drizzle-orm/sqlite-proxy';
import type { Db } from '../db.ts';

/** Opens a database that is reached by the caller's own calls: one for a statement alone, one for a batch. */
export const openProxy = (alone: AsyncRemoteCallback, batch: AsyncBatchRemoteCallback): Db =>
  // Builders and batch are those of a Db; only what a run without rows gives differs, and nobody reads it.
  drizzle(alone, batch) as unknown as Db;
