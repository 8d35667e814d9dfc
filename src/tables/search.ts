import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { uuid } from '../db/columns.ts';

/** The folded words by which a person or a doctor is found: prefixes are looked up by range in an index. */
export const searchWords = sqliteTable(
  'search_words',
  {
    ownerId: uuid('owner_id').notNull(),
    kind: text('kind', { enum: ['person', 'doctor'] }).notNull(),
    word: text('word').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.word] }),
    index('search_words_word').on(t.kind, t.word, t.ownerId),
  ],
);
