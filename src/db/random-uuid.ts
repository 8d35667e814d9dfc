import { type SQL, sql } from 'drizzle-orm';

/** A version 4 UUID that the database generates for each row: only the database knows how many rows there are. */
export const randomUuid: SQL = sql.raw(
  "lower(hex(randomblob(4))||'-'||hex(randomblob(2))||'-4'||substr(hex(randomblob(2)),2)||'-8'||substr(hex(randomblob(2)),2)||'-'||hex(randomblob(6)))",
);
