import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Db } from './db.ts';

/** A statement of a text that drizzle has no builder for: drizzle's own `run`, which `Db` leaves out. */
export const written = (db: Db, text: SQL): BatchItem<'sqlite'> =>
  (db as unknown as { run(text: SQL): BatchItem<'sqlite'> }).run(text);
