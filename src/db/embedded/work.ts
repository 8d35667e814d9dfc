import type { Connection } from './connection.ts';

/** What one operation does on the connection; a write may run again when its commit did not happen. */
export type Work<T = unknown> = (connection: Connection) => T;

/** What became of one operation of a group. */
export type Outcome = { done: true; value: unknown } | { done: false; error: unknown };

/** Runs work between BEGIN and COMMIT, or undoes it. */
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
