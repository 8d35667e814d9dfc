import { sql } from 'drizzle-orm';
import { insertFromRow } from '../../core/db/from-row.ts';
import { randomUuid } from '../../core/db/ids.ts';
import { rowStatement } from '../../core/db/statement.ts';
import { matches, recordMatches } from '../../core/tables/matches.ts';

/** How many records an account is matched with at most, such as where a family wrote one e-mail into all of theirs. */
const maxMatches = 10;

/**
 * Puts the records that may be this account's before the desk, each pair once for ever. It belongs into each batch that
 * proves an e-mail, or changes the date of birth of an account's own record.
 */
export const offerMatches = rowStatement(['userId', 'now'], (db, row) =>
  insertFromRow(
    db,
    recordMatches,
    row,
    sql`from r join users u on u.id = r.user_id join patients o on o.id = u.id
      join patients p on p.birth_date = o.birth_date where ${matches} limit ${sql.raw(String(maxMatches))}`,
    {
      id: randomUuid,
      accountId: sql`u.id`,
      patientId: sql`p.id`,
      createdAt: sql`r.now`,
    },
  ).onConflictDoNothing(),
);
