import { sql } from 'drizzle-orm';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { emailCodes, isRecorded, users } from '../../../core/tables/accounts.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { codeInPlace, isOpenCode, mailWhen, newCode } from '../mail/queries.ts';

const unproved = sql`exists (select 1 from users u where u.id = r.user_id and u.email_proved_at is null)`;

/** Stores a code and replaces the previous one, if the account's e-mail is not proved yet. */
export const storeCode = rowStatement(['userId', 'hash', 'now', 'expiresAt'], (db, row) =>
  insertFromRow(db, emailCodes, row, sql`from r where ${unproved}`, newCode).onConflictDoUpdate({
    target: emailCodes.userId,
    set: codeInPlace,
  }),
);

export const mailCode = mailWhen(unproved);
export const recordCodeSent = securityEventWhen(unproved);

/** Comes first in the batch of a proof: the other statements take effect only if this event was recorded. */
export const recordProof = securityEventWhen(
  sql`${unproved} and exists (select 1 from email_codes c where ${isOpenCode(sql`r.hashes`, sql`r.user_id`, sql`r.now`)})`,
  ['hashes'],
);

export const proveEmail = statement((db, named: Named<'userId' | 'now' | 'writeId'>) =>
  db
    .update(users)
    .set({ emailProvedAt: sql`${named('now')}` })
    .where(sql`${users.id} = ${named('userId')} and ${isRecorded(named('writeId'))}`),
);

/** A code can be used once. */
export const spendCode = statement((db, named: Named<'userId' | 'writeId'>) =>
  db
    .delete(emailCodes)
    .where(sql`${emailCodes.userId} = ${named('userId')} and ${isRecorded(named('writeId'))}`),
);

export const countFailure = statement((db, named: Named<'userId' | 'writeId'>) =>
  db
    .update(emailCodes)
    .set({ failures: sql`${emailCodes.failures} + 1` })
    .where(sql`${emailCodes.userId} = ${named('userId')} and not ${isRecorded(named('writeId'))}`),
);

export const findProof = statement((db, named: Named<'userId'>) =>
  db
    .select({ emailProvedAt: users.emailProvedAt })
    .from(users)
    .where(sql`${users.id} = ${named('userId')}`),
);
