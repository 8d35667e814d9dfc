import type { ResultSet } from '@libsql/client';
import type { Connection } from './connection.ts';
import { atStatement } from './errors.ts';
import { changesSchema } from './statement-kind.ts';
import type { BoundStatement } from './values.ts';

/** One operation on the connection. A write may run again if its commit did not happen. */
export type Work<T = unknown> = (connection: Connection) => T;

/** The outcome of one operation of a group. */
export type Outcome<T = unknown> = { done: true; value: T } | { done: false; error: unknown };

/** Runs work between BEGIN and COMMIT; rolls back if it fails. */
export const within = <T>(connection: Connection, begin: string, work: () => T): T => {
  connection.exec(begin);
  try {
    const value = work();
    connection.exec('COMMIT');
    return value;
  } finally {
    if (connection.inTransaction()) connection.exec('ROLLBACK');
  }
};

export const runOne = (connection: Connection, statement: BoundStatement): ResultSet => {
  try {
    return connection.run(statement);
  } finally {
    if (changesSchema(statement)) connection.forget();
  }
};

/** Runs the statements of a batch; an error says which of them failed. */
export const runAll = (connection: Connection, statements: readonly BoundStatement[]): ResultSet[] =>
  statements.map((statement, index) => {
    try {
      return runOne(connection, statement);
    } catch (error) {
      throw atStatement(error, index);
    }
  });
