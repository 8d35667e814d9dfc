import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { columnsInOrder } from '../db/insert-select.ts';
import { doctors } from '../tables/catalog.ts';
import { patients } from '../tables/patients.ts';
import { searchWords } from '../tables/search.ts';

const owners = { person: patients, doctor: doctors };
type Kind = keyof typeof owners;

/** Words as the row of their owner holds them. */
export const wordList = (words: readonly string[]): string => JSON.stringify(words);

/** Makes a person or a doctor searchable by these words, which their row is written with. */
export const addWords = (
  db: Db,
  kind: Kind,
  ownerId: string,
  words: readonly string[],
  holds: SQL = sql`true`,
) => {
  const columns = { ownerId: sql`${ownerId}`, kind: sql`${kind}`, word: sql`j.value` };
  return db
    .insert(searchWords)
    .select(
      sql`select ${columnsInOrder(searchWords, columns)} from json_each(${wordList(words)}) j where ${holds}`,
    )
    .onConflictDoNothing();
};

/**
 * Makes a person or a doctor searchable by exactly these words, if `holds` is true. Goes into the batch that writes the
 * name, after the row itself.
 */
export const replaceWords = (
  db: Db,
  kind: Kind,
  ownerId: string,
  words: readonly string[],
  holds: SQL = sql`true`,
) => {
  const owner = owners[kind];
  const list = wordList(words);
  return [
    db.delete(searchWords).where(
      sql`${searchWords.kind} = ${kind} and ${searchWords.ownerId} = ${ownerId} and ${searchWords.word} in
        (select value from json_each((select o.words from ${owner} o where o.id = ${ownerId}))
        where value not in (select value from json_each(${list}))) and ${holds}`,
    ),
    addWords(db, kind, ownerId, words, holds),
    db
      .update(owner)
      .set({ words: list })
      .where(sql`${owner.id} = ${ownerId} and ${owner.words} is not ${list} and ${holds}`),
  ] as const;
};

/** Appended to a prefix: sorts after every word that starts with the prefix. */
export const wordEnd = '\u{10ffff}';

/** The words of a person. */
export const wordsOf = (id: SQL): SQL => sql`(select o.words from patients o where o.id = ${id})`;

/** Condition: each term is the beginning of one of these words, the list of an owner's row. */
export const hasTerms = (words: SQL, terms: SQL): SQL =>
  sql`not exists (select 1 from json_each(${terms}) t where not exists (select 1 from json_each(${words}) own
    where own.value >= t.value and own.value < t.value || ${sql.raw(`'${wordEnd}'`)}))`;

/** Condition: no earlier one of these words begins with the term, so that an owner is found by one. */
export const isFirst = (words: SQL, term: SQL): SQL =>
  sql`not exists (select 1 from json_each(${words}) own where own.value >= ${term} and own.value < ${searchWords.word})`;
