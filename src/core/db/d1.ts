import { drizzle } from 'drizzle-orm/d1';
import type { Db } from './db.ts';
import { persist, readsOnly, TransientDatabaseError } from './transient.ts';

// https://developers.cloudflare.com/d1/observability/debug-d1/, and what else its errors have said.
const momentary =
  /network connection lost|caused object to be reset|was reset|reset because its code was updated|overloaded|transient issue|exceeded timeout|request stream because client disconnected|internal error|exceeded maximum db size/i;

const asTransient = (error: unknown): unknown =>
  error instanceof Error && momentary.test(error.message)
    ? new TransientDatabaseError(error.message, { cause: error })
    : error;

const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw asTransient(error);
  }
};

/** Reads are retried; writes are not, because the write may have succeeded and only its answer was lost. */
const does = <T>(reads: boolean, work: () => Promise<T>): Promise<T> =>
  reads ? persist(() => attempt(work)) : attempt(work);

const readingStatements = new WeakSet<D1PreparedStatement>();

/** D1's own statement object, because its batch accepts nothing else, with every method that runs it wrapped. */
const watch = (statement: D1PreparedStatement, reads: boolean): D1PreparedStatement => {
  const { bind, all, run, raw, first } = statement;
  if (reads) readingStatements.add(statement);
  const watched =
    (method: (...args: never[]) => Promise<unknown>) =>
    (...args: never[]) =>
      does(reads, () => method.apply(statement, args));
  return Object.assign(statement, {
    bind: (...values: unknown[]) => watch(bind.apply(statement, values), reads),
    all: watched(all),
    run: watched(run),
    raw: watched(raw),
    first: watched(first),
  });
};

/** Opens D1. Temporary failures are reported as `unavailable`, and reads are retried. */
export const openD1 = (database: D1Database): Db =>
  drizzle({
    prepare: (sql: string) => watch(database.prepare(sql), readsOnly(sql)),
    batch: (statements: D1PreparedStatement[]) =>
      does(
        statements.every((statement) => readingStatements.has(statement)),
        () => database.batch(statements),
      ),
  } as D1Database);
