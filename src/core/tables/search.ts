import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { uuid } from '../db/columns.ts';

/**
 * The folded words by which a person or a doctor is found: prefixes are looked up by range in the key. Those of one
 * owner are also in the owner's row (`words` of patients and doctors), from which these rows are found.
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
