import type Database from 'libsql';
import type { ObjectStorage } from '../object.ts';

/** A file as the storage of an object, for what copies the rows of both: each call blocks until it is done. */
export const fileStorage = (database: Database.Database): ObjectStorage => ({
  sql: {
    exec: (text, ...values) => {
      const statement = database.prepare(text);
      const names = statement.columns().map(({ name }) => name);
      if (names.length === 0) {
        statement.run(...values);
        return { toArray: () => [], raw: () => [] };
      }
      const rows = statement.raw().all(...values) as unknown[][];
      return {
        toArray: () => rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]]))),
        raw: () => rows,
      };
    },
  },
  transactionSync: (work) => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const done = work();
      database.exec('COMMIT');
      return done;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  },
});
