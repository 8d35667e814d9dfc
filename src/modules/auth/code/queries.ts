import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { loginCodes, users } from '../../../core/tables/accounts.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { maxCodeFailures } from '../mail/email-code-rules.ts';

/** Stores a code, in the place of an earlier one for the same address. */
export const storeLoginCode = rowStatement(['address', 'hash', 'now', 'expiresAt'], (db, row) =>
  insertFromRow(
    db,
    loginCodes,
    row,
    {
      address: sql`r.address`,
      hash: sql`r.hash`,
      createdAt: sql`r.now`,
      expiresAt: sql`r.expires_at`,
      failures: sql`0`,
    },
    sql`from r where true`,
  ).onConflictDoUpdate({
    target: loginCodes.address,
    set: {
      hash: sql`excluded.hash`,
      createdAt: sql`excluded.created_at`,
      expiresAt: sql`excluded.expires_at`,
      failures: sql`0`,
    },
  }),
);

/** Recorded for unknown addresses too (without the address), so that both cases cost the same. */
export const recordLoginCode = securityEventWhen(sql`true`, ['email'], {
  userId: sql`(select u.id from users u where u.email = r.email)`,
});

type Tried = Named<'addresses' | 'hashes' | 'now'>;

/** Condition: an unexpired code of one of the addresses, which are hashes in a JSON list. */
const isLive = (addresses: SQLWrapper, now: SQLWrapper): SQL =>
  sql`${loginCodes.address} in (select value from json_each(${addresses}))
    and ${loginCodes.expiresAt} > ${now} and ${loginCodes.failures} < ${sql.raw(String(maxCodeFailures))}`;

const isRight = (hashes: SQLWrapper): SQL =>
  sql`${loginCodes.hash} in (select value from json_each(${hashes}))`;

/** One row if the code is right and still good. */
export const findLoginCode = statement((db, named: Tried) =>
  db
    .select({ address: loginCodes.address })
    .from(loginCodes)
    .where(sql`${isLive(named('addresses'), named('now'))} and ${isRight(named('hashes'))}`),
);

/** Uses the code up if it is right and `ready` is 1, and returns it: of any number of requests to one of them. */
export const spendLoginCode = statement((db, named: Named<'addresses' | 'hashes' | 'now' | 'ready'>) =>
  db
    .delete(loginCodes)
    .where(
      sql`${isLive(named('addresses'), named('now'))} and ${isRight(named('hashes'))} and ${named('ready')} = 1`,
    )
    .returning({ address: loginCodes.address }),
);

export const countWrongCode = statement((db, named: Tried) =>
  db
    .update(loginCodes)
    .set({ failures: sql`${loginCodes.failures} + 1` })
    .where(sql`${isLive(named('addresses'), named('now'))} and not ${isRight(named('hashes'))}`),
);

/** Takes an account over for the owner of its mailbox, if that was never proved and the password is the one read. */
export const takeOverAccount = rowStatement(['userId', 'oldHash', 'newHash', 'now'], (db, row) =>
  db
    .update(users)
    .set({
      passwordHash: sql`r.new_hash`,
      passwordUnsetAt: sql`r.now`,
      emailProvedAt: sql`r.now`,
      updatedAt: sql`r.now`,
    })
    .from(fromRow(row))
    .where(
      sql`${users.id} = r.user_id and ${users.passwordHash} = r.old_hash and ${users.emailProvedAt} is null`,
    ),
);
