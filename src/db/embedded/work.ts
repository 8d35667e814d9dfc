import type { Connection } from './connection.ts';

/** One operation on the connection. A write may run again if its commit did not happen. */
export type Work<T = unknown> = (connection: Connection) => T;

/** The outcome of one operation of a group. */
export type Outcome = { done: true; value: unknown } | { done: false; error: unknown };

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
