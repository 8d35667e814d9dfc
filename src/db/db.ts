import type { ResultSet } from '@libsql/client';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import { persist } from './transient.ts';

type Driver = Omit<
  BaseSQLiteDatabase<'async', ResultSet | D1Result>,
  'transaction' | 'run' | 'all' | 'get' | 'values'
>;

/**
 * What both databases can do. There is no interactive transaction: D1 has none, and on libSQL two at once
 * block the event loop. `batch` is the one atomic step: all of its statements take effect, or none.
 */
export type Db = Driver & {
  batch<U extends BatchItem<'sqlite'>, T extends Readonly<[U, ...U[]]>>(
    statements: T,
  ): Promise<BatchResponse<T>>;
};

/** A statement with its values, ready for a batch; `R` is what it gives. */
export interface Statement<R = unknown> {
  readonly _: { readonly dialect: 'sqlite'; readonly result: R };
}

/** Runs one statement by itself. */
export const run = async <R>(db: Db, statement: Statement<R>): Promise<R> => {
  const [result] = await db.batch([statement]);
  return result as R;
};

const recognising = new WeakSet<Statement>();

/** Says of a statement that its batch recognises itself when it comes twice, and then changes nothing. */
export const recognisesRepeat = <S extends Statement>(statement: S): S => {
  recognising.add(statement);
  return statement;
};

/**
 * Runs statements in one atomic step and gives the result of each; again, when the answer was lost and one of them
 * recognises a repeat.
 */
export const runAll = async <const S extends readonly Statement[]>(
  db: Db,
  statements: S,
): Promise<{ -readonly [K in keyof S]: S[K]['_']['result'] }> => {
  const [first, ...rest] = statements;
  if (first === undefined) return [] as never;
  const attempt = () => db.batch([first, ...rest]);
  const mayRepeat = statements.some((statement) => recognising.has(statement));
  const results = await (mayRepeat ? persist(attempt) : attempt());
  // A batch gives one result a statement, in their order.
  return results as unknown as { -readonly [K in keyof S]: S[K]['_']['result'] };
};
