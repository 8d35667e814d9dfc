import type { ResultSet } from '@libsql/client';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import { persist } from './transient.ts';

type Driver = Omit<BaseSQLiteDatabase<'async', Written>, 'transaction' | 'run' | 'all' | 'get' | 'values'>;

/**
 * The operations that both databases support. There is no interactive transaction: D1 has none, and on libSQL two at
 * once block the event loop. `batch` is the one atomic step: all of its statements take effect, or none.
 */
export type Db = Driver & {
  batch<U extends BatchItem<'sqlite'>, T extends Readonly<[U, ...U[]]>>(
    statements: T,
  ): Promise<BatchResponse<T>>;
};

/** A statement with its values, ready for a batch; `R` is its result. */
export interface Statement<R = unknown> {
  readonly _: { readonly dialect: 'sqlite'; readonly result: R };
}

/** The result that both databases give for a statement that writes and returns no rows. */
export type Written = ResultSet | D1Result;

/** How many rows such a statement wrote. */
export const rowsWritten = (written: Written): number =>
  'rowsAffected' in written ? written.rowsAffected : written.meta.changes;

export const run = async <R>(db: Db, statement: Statement<R>): Promise<R> => {
  const [result] = await db.batch([statement]);
  return result as R;
};

const recognising = new WeakSet<Statement>();

/** Marks a statement whose batch detects its own repetition and then changes nothing. */
export const recognisesRepeat = <S extends Statement>(statement: S): S => {
  recognising.add(statement);
  return statement;
};

type ResultsOf<S extends readonly Statement[]> = { -readonly [K in keyof S]: S[K]['_']['result'] };

/** Statements that are read in one round trip, and a function that makes one value of their results. */
export interface Reading<R> {
  readonly statements: readonly Statement[];
  readonly toResult: (results: readonly unknown[]) => R;
}

/** What is run in one batch, by names: a statement, several of one kind, or a reading. */
export type Named = Readonly<Record<string, Statement | readonly Statement[] | Reading<unknown>>>;

/** The results of a batch, by its names. */
export type NamedResults<N extends Named> = {
  -readonly [K in keyof N]: N[K] extends Reading<infer R>
    ? R
    : N[K] extends Statement<infer R>
      ? R
      : N[K] extends readonly Statement[]
        ? ResultsOf<N[K]>
        : never;
};

const isList = (given: object): given is readonly Statement[] => Array.isArray(given);

const isStep = (statements: readonly Statement[]): statements is readonly [Statement, ...Statement[]] =>
  statements.length > 0;

/** Sends statements as one batch; again, when the answer was lost and one of them recognises a repeat. */
const send = (db: Db, statements: readonly Statement[]): Promise<readonly unknown[]> => {
  if (!isStep(statements)) return Promise.resolve([]);
  if (statements.some((statement) => recognising.has(statement))) return persist(() => db.batch(statements));
  return db.batch(statements);
};

/** A reading of one statement: the value that is made of its result. */
export const readOne = <S, R>(statement: Statement<S>, toValue: (result: S) => R): Reading<R> => ({
  statements: [statement],
  toResult: ([result]) => toValue(result as S),
});

/** Combines statements into one reading, whose statements run in the order of their names; nothing is read yet. */
export const reading = <const N extends Named, R = NamedResults<N>>(
  named: N,
  toValue?: (results: NamedResults<N>) => R,
): Reading<R> => {
  const statements: Statement[] = [];
  const takers: [name: string, take: (results: readonly unknown[]) => unknown][] = [];
  for (const [name, part] of Object.entries(named)) {
    const from = statements.length;
    if (isList(part)) statements.push(...part);
    else if ('toResult' in part) statements.push(...part.statements);
    else statements.push(part);
    const to = statements.length;
    if (isList(part)) takers.push([name, (results) => results.slice(from, to)]);
    else if ('toResult' in part) takers.push([name, (results) => part.toResult(results.slice(from, to))]);
    else takers.push([name, (results) => results[from]]);
  }
  const toResult = (results: readonly unknown[]) => {
    const found: Record<string, unknown> = {};
    for (const [name, take] of takers) found[name] = take(results);
    return toValue === undefined ? (found as R) : toValue(found as NamedResults<N>);
  };
  return { statements, toResult };
};

/** Reads now, in a round trip of its own. */
export const read = async <R>(db: Db, { statements, toResult }: Reading<R>): Promise<R> =>
  toResult(await send(db, statements));

type ResultsOfAll<S> = S extends readonly Statement[]
  ? ResultsOf<S>
  : S extends Named
    ? NamedResults<S>
    : never;

/**
 * Runs statements in one atomic step and returns the result of each, in the form in which they were given: by their names,
 * or in a list. Not async, because every request waits for it.
 */
export const runAll = <const S extends readonly Statement[] | Named>(
  db: Db,
  statements: S,
): Promise<ResultsOfAll<S>> =>
  // A batch gives one result a statement, in their order.
  (isList(statements) ? send(db, statements) : read(db, reading(statements))) as Promise<ResultsOfAll<S>>;
