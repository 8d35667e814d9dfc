import { type SQL, sql } from 'drizzle-orm';
import { v7 } from 'uuid';

const idBytes = 16;
const poolBytes = 4_096;
const pool = new Uint8Array(poolBytes);
let used = poolBytes;

/** Random bytes out of a pool: to ask the system for each id costs more than to make the id. */
const randomBytes = (): Uint8Array => {
  if (used === poolBytes) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += idBytes;
  return pool.slice(used - idBytes, used);
};

/**
 * A new id (UUID version 7, RFC 9562): ids that are made one after another are neighbours in each index, so a commit
 * writes fewer pages. It contains its creation time; it is not a secret.
 */
export const newId = (): string => v7({ rng: randomBytes });

/** A version 4 UUID that the database generates for each row: only the database knows how many rows there are. */
export const randomUuid: SQL = sql.raw(
  "lower(hex(randomblob(4))||'-'||hex(randomblob(2))||'-4'||substr(hex(randomblob(2)),2)||'-8'||substr(hex(randomblob(2)),2)||'-'||hex(randomblob(6)))",
);
