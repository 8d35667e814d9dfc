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

/** Runs a single statement. */
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

/** Named statements of one batch; a name may refer to several statements. */
type NamedStatements = Readonly<Record<string, Statement | readonly Statement[]>>;

/** The results of a list of statements. */
export type ResultsOf<S extends readonly Statement[]> = { -readonly [K in keyof S]: S[K]['_']['result'] };

type Results<S> = S extends readonly Statement[]
  ? ResultsOf<S>
  : {
      -readonly [K in keyof S]: S[K] extends Statement<infer R>
        ? R
        : S[K] extends readonly Statement[]
          ? ResultsOf<S[K]>
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

const sendNamed = async (db: Db, statements: NamedStatements): Promise<Record<string, unknown>> => {
  const groups = Object.entries(statements);
  const results = await send(
    db,
    groups.flatMap(([, group]) => group),
  );
  let at = 0;
  const take = (group: Statement | readonly Statement[]): unknown => {
    if (!isList(group)) return results[at++];
    at += group.length;
    return results.slice(at - group.length, at);
  };
  return Object.fromEntries(groups.map(([name, group]) => [name, take(group)]));
};

/** Statements that are read in one round trip, and a function that makes one value of their results. */
export interface Reading<R> {
  readonly statements: readonly Statement[];
  readonly toResult: (results: readonly unknown[]) => R;
}

/** Combines statements into one reading; nothing is read yet. `toResult` gets their results in the same order. */
export const reading = <const S extends readonly Statement[], R>(
  statements: S,
  toResult: (results: ResultsOf<S>) => R,
): Reading<R> => ({ statements, toResult: toResult as (results: readonly unknown[]) => R });

/**
 * Runs statements in one atomic step and returns the result of each, in the form in which they were given: a list, or
 * an object by names, whose statements run in the order of its names. Not async, because every request waits for it.
 */
export const runAll = <const S extends readonly Statement[] | NamedStatements>(
  db: Db,
  statements: S,
): Promise<Results<S>> =>
  // A batch gives one result a statement, in their order.
  (isList(statements) ? send(db, statements) : sendNamed(db, statements)) as Promise<Results<S>>;

/** Reads now, in a round trip of its own. */
export const read = async <R>(db: Db, { statements, toResult }: Reading<R>): Promise<R> =>
  toResult(await send(db, statements));
