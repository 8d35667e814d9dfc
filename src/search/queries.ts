import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { columnsInOrder } from '../db/insert-select.ts';
import { searchWords } from '../tables/search.ts';

/**
 * Makes a person or a doctor searchable by exactly these words, if `holds` is true. Goes into the batch that writes the
 * name.
 */
export const replaceWords = (
  db: Db,
  kind: 'person' | 'doctor',
  ownerId: string,
  words: readonly string[],
  holds: SQL = sql`true`,
) => {
  const list = sql`json_each(${JSON.stringify(words)})`;
  const gone = sql`${searchWords.ownerId} = ${ownerId} and ${searchWords.word} not in (select value from ${list})`;
  const columns = { ownerId: sql`${ownerId}`, kind: sql`${kind}`, word: sql`j.value` };
  return [
    db.delete(searchWords).where(sql`${gone} and ${holds}`),
    db
      .insert(searchWords)
      .select(sql`select ${columnsInOrder(searchWords, columns)} from ${list} j where ${holds}`)
      .onConflictDoNothing(),
  ] as const;
};

/** Appended to a prefix: sorts after every word that starts with the prefix. */
export const wordEnd = '\u{10ffff}';

/** Condition: each term is the beginning of one of the owner's words. */
export const hasTerms = (ownerId: SQL, terms: SQL): SQL =>
  sql`not exists (select 1 from json_each(${terms}) t where not exists (select 1 from search_words w
    where w.owner_id = ${ownerId} and w.word >= t.value and w.word < t.value || ${sql.raw(`'${wordEnd}'`)}))`;
