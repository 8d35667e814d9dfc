import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import { users } from './accounts.ts';

/** Who consented to which version of the privacy notice, and who withdrew: rows are only added. */
export const consents = sqliteTable(
  'consents',
  {
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    writeId: uuid('write_id').notNull().unique(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: ['given', 'withdrawn'] }).notNull(),
    version: text('version').notNull(),
    recordedAt: instant('recorded_at').notNull(),
  },
  (t) => [index('consents_user').on(t.userId, t.sequence)],
);
