import type { ResultSet } from '@libsql/client';
import type { Connection } from './connection.ts';
import { DatabaseUnavailableError } from './errors.ts';
import type { BoundStatement } from './values.ts';
import { type Outcome, runAll, runOne } from './work.ts';

/** Statements that take effect together. They are plain data, so that another thread can run them. */
export interface GroupWrite {
  statements: readonly BoundStatement[];
  /** Whether they came as a batch: an error then says which of them failed. */
  isBatch: boolean;
}

/** The whole group was rolled back because one of its writes, or the commit, failed; `cause` is that error. */
export class GroupUndone extends Error {}

/** How writes of a group are isolated from each other: not at all at first, because few fail. */
export type Apart = 'not' | 'savepoints' | 'commits';

export const nextApart: Record<Apart, Apart> = {
  not: 'savepoints',
  savepoints: 'commits',
  commits: 'commits',
};

const rollback = (connection: Connection): void => {
  if (connection.inTransaction()) connection.exec('ROLLBACK');
  connection.forget();
};

const runWrite = (connection: Connection, { statements, isBatch }: GroupWrite): ResultSet[] => {
  const [only] = statements;
  return isBatch || only === undefined ? runAll(connection, statements) : [runOne(connection, only)];
};

const attempt = (connection: Connection, write: GroupWrite, apart: Apart): Outcome<ResultSet[]> => {
  if (apart === 'savepoints') connection.exec('SAVEPOINT operation');
  try {
    const value = runWrite(connection, write);
    if (apart === 'savepoints') connection.exec('RELEASE operation');
    return { done: true, value };
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    // OR ROLLBACK and RAISE(ROLLBACK) end the shared transaction of the other writes too.
    if (apart === 'not' || !connection.inTransaction()) {
      rollback(connection);
      throw new GroupUndone('rolled back', { cause: error });
    }
    if (apart === 'savepoints') {
      connection.exec('ROLLBACK TO operation');
      connection.exec('RELEASE operation');
    }
    return { done: false, error };
  }
};

/**
 * Commits writes together. Returns the outcome of those that began within `budgetMs`; the others must still be written.
 * Throws `GroupUndone`, or `DatabaseUnavailableError` after which the connection must not be used again.
 */
export const commitGroup = (
  connection: Connection,
  group: readonly GroupWrite[],
  apart: Apart,
  budgetMs: number,
): Outcome<ResultSet[]>[] => {
  connection.exec('BEGIN IMMEDIATE');
  const outcomes: Outcome<ResultSet[]>[] = [];
  const startedAt = performance.now();
  for (const write of group) {
    outcomes.push(attempt(connection, write, apart));
    if (performance.now() - startedAt > budgetMs) break;
  }
  if (!outcomes.some((outcome) => outcome.done)) {
    rollback(connection);
    return outcomes;
  }
  try {
    connection.exec('COMMIT');
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    rollback(connection);
    throw new GroupUndone('not committed', { cause: error });
  }
  return outcomes;
};
