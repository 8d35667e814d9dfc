import { type SQL, sql } from 'drizzle-orm';

/** A UUID of version 4, made by the database for each row, where the number of rows is known to it alone. */
export const randomUuid: SQL = sql.raw(
  "lower(hex(randomblob(4))||'-'||hex(randomblob(2))||'-4'||substr(hex(randomblob(2)),2)||'-8'||substr(hex(randomblob(2)),2)||'-'||hex(randomblob(6)))",
);
