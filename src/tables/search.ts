import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { uuid } from '../db/columns.ts';

/**
 * The folded words by which a person or a doctor is found: prefixes are looked up by range in the key. Those of one owner
 * stand in the owner's row as well (`words` of patients and doctors), which leads from there to here.
 */
export const searchWords = sqliteTable(
  'search_words',
  {
    kind: text('kind', { enum: ['person', 'doctor'] }).notNull(),
    word: text('word').notNull(),
    ownerId: uuid('owner_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.word, t.ownerId] })],
);
