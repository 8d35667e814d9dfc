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

/** A statement with its values, ready for a batch; `R` is its result. */
export interface Statement<R = unknown> {
  readonly _: { readonly dialect: 'sqlite'; readonly result: R };
}

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

/** Named statements of one batch; a name may stand for several statements. */
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

/** Sends statements as one batch. Sends them again if the answer was lost and one of them recognises a repeat. */
const send = async (db: Db, [first, ...rest]: readonly Statement[]): Promise<readonly unknown[]> => {
  if (first === undefined) return [];
  const attempt = () => db.batch([first, ...rest]);
  const mayRepeat = [first, ...rest].some((statement) => recognising.has(statement));
  return mayRepeat ? persist(attempt) : attempt();
};

/**
 * Runs statements in one atomic batch and returns their results in the form of the input: a list, or an object with
 * the same names, whose statements run in the order of those names.
 */
export const runAll = async <const S extends readonly Statement[] | NamedStatements>(
  db: Db,
  statements: S,
): Promise<Results<S>> => {
  const groups = Object.entries<Statement | readonly Statement[]>(statements);
  const results = await send(
    db,
    groups.flatMap(([, group]) => group),
  );
  // A batch returns one result for each statement, in the same order.
  if (Array.isArray(statements)) return results as Results<S>;
  let at = 0;
  const take = (group: Statement | readonly Statement[]): unknown => {
    if (!Array.isArray(group)) return results[at++];
    at += group.length;
    return results.slice(at - group.length, at);
  };
  return Object.fromEntries(groups.map(([name, group]) => [name, take(group)])) as Results<S>;
};

/** Statements that are read in one round trip, and what their results say together. */
export interface Reading<R> {
  readonly statements: readonly Statement[];
  readonly resultOf: (results: readonly unknown[]) => R;
}

/** Reads several statements as one thing: `resultOf` takes their results in the order of the statements. */
export const reading = <const S extends readonly Statement[], R>(
  statements: S,
  resultOf: (results: ResultsOf<S>) => R,
): Reading<R> => ({ statements, resultOf: resultOf as (results: readonly unknown[]) => R });

/** Reads now, in a round trip of its own. */
export const read = async <R>(db: Db, { statements, resultOf }: Reading<R>): Promise<R> =>
  resultOf(await send(db, statements));
