import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { columnsInOrder } from '../db/insert-select.ts';
import { doctors } from '../tables/catalog.ts';
import { patients } from '../tables/patients.ts';
import { searchWords } from '../tables/search.ts';

const owners = { person: patients, doctor: doctors };
type Kind = keyof typeof owners;

/** The words as their owner's row stores them. */
export const wordList = (words: readonly string[]): string => JSON.stringify(words);

const selectEmail = (id: SQL): SQL => sql`(select a.email from users a where a.id = ${id})`;

/**
 * Makes a person or a doctor searchable by these words, which their row is written with. The e-mail of an account needs
 * no entry: the index of the accounts is one.
 */
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
      sql`select ${columnsInOrder(searchWords, columns)} from json_each(${wordList(words)}) j
        where j.value is not ${selectEmail(sql`${ownerId}`)} and ${holds}`,
    )
    .onConflictDoNothing();
};

/**
 * Makes a person or a doctor searchable by exactly these words, if the condition `holds` is true. Goes into the batch
 * that writes the name, after the row itself.
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
      sql`kind = ${kind} and owner_id = ${ownerId} and word in
        (select value from json_each((select o.words from ${owner} o where o.id = ${ownerId}))
        where value not in (select value from json_each(${list}))) and ${holds}`,
    ),
    addWords(db, kind, ownerId, words, holds),
    db.update(owner).set({ words: list }).where(sql`id = ${ownerId} and words is not ${list} and ${holds}`),
  ] as const;
};

/** Appended to a beginning: sorts after every word that has it. */
const wordEnd = sql.raw("'\u{10ffff}'");

/** Condition: the word begins so. */
export const begins = (word: SQL, start: SQL): SQL =>
  sql`${word} >= ${start} and ${word} < ${start} || ${wordEnd}`;

const ownBegins = (words: SQL, beginnings: SQL): SQL => sql`(select 1 from json_each(${beginnings}) start,
  json_each(${words}) own where ${begins(sql`own.value`, sql`start.value`)}`;

/** Condition: one of these words, the list of an owner's row, has a beginning of each term. */
export const hasTerms = (words: SQL, terms: SQL): SQL =>
  sql`not exists (select 1 from json_each(${terms}) t where not exists ${ownBegins(words, sql`t.value`)}))`;

/** The parameters of a search statement: `soughtIn`, and its page. */
export type Sought = 'term' | 'whole' | 'terms' | 'afterWord' | 'afterId' | 'limit';

const words = sql.raw('patients.words');

/**
 * One page of a search's results, as the rows `f` of a word and an id: by the first term in one of its forms, if all
 * other terms are theirs, and only by the first of their words that has one of these forms. The e-mail of an account is
 * such a word, too. `also` is a condition on `patients` and, where they have an account, `users`.
 */
export const found = (named: (name: Sought) => Placeholder, also: SQL): SQL => {
  const terms = sql`${named('terms')}`;
  const entries = (source: SQL, form: 'term' | 'whole', holds: SQL) =>
    sql`select s.* from (select ${source}) s join patients on patients.id = s.id left join users on users.id = s.id
      where ${begins(sql`s.word`, sql`${named(form)}`)} and (s.word, s.id) > (${named('afterWord')}, ${named('afterId')})
      and ${holds} and ${hasTerms(words, terms)}
      and not exists ${ownBegins(words, sql`json_extract(${terms}, '$[0]')`)} and own.value < s.word) and ${also}`;
  const ways = (form: 'term' | 'whole') =>
    sql`${entries(
      sql`word, owner_id as id from search_words where kind = 'person'`,
      form,
      sql`s.word is not users.email`,
    )} union all ${entries(
      sql`email as word, id from users`,
      form,
      sql`exists (select 1 from json_each(${words}) own where own.value = s.word)`,
    )}`;
  return sql`(${ways('term')} union all ${ways('whole')} order by word, id limit ${named('limit')}) f`;
};

/** The word of a row of such a page, and its order. */
export const foundWord = sql<string>`f.word`.as('word');
export const byWord = sql`f.word, f.id`;
