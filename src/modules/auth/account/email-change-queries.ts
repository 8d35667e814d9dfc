import { sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import {
  deviceLogins,
  emailCodes,
  isRecorded,
  passwordResets,
  rowLoginLives,
  users,
} from '../../../core/tables/accounts.ts';
import { emailChanges } from '../../../core/tables/factors.ts';
import { patients } from '../../../core/tables/patients.ts';
import { searchWords } from '../../../core/tables/search.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { codeInPlace, mailWhen, newCode } from '../mail/queries.ts';

const isFree = sql`not exists (select 1 from users u where u.email = r.email)`;

/** Stores the requested e-mail with its code, in the place of one from before, unless somebody has it. */
export const storeChange = rowStatement(['userId', 'email', 'hash', 'now', 'expiresAt'], (db, row) =>
  insertFromRow(db, emailChanges, row, sql`from r where ${isFree}`, newCode).onConflictDoUpdate({
    target: emailChanges.userId,
    set: {
      email: sql`excluded.email`,
      ...codeInPlace,
    },
  }),
);

export const mailChange = mailWhen(isFree, ['email']);
/** Queues a mail to the account's present address, whether or not the requested address is taken. */
export const mailAsked = mailWhen(sql`true`, ['address']);

export const findChange = statement((db, named: Named<'userId'>) =>
  db
    .select({ email: emailChanges.email })
    .from(emailChanges)
    .where(sql`${emailChanges.userId} = ${named('userId')}`),
);

/**
 * The first statement of the batch: the others run only if the code was right and in time, no account has the e-mail, and
 * the login was not ended meanwhile.
 */
export const recordEmailChange = securityEventWhen(
  sql`exists (select 1 from email_changes c where c.user_id = r.user_id and c.email = r.email
    and c.expires_at > r.now and c.failures < r.max_failures
    and c.hash in (select value from json_each(r.hashes))) and ${isFree} and ${rowLoginLives}`,
  ['email', 'hashes', 'maxFailures'],
);

/** The new e-mail was proved by the code that was mailed to it. */
export const changeEmail = statement((db, named: Named<'userId' | 'email' | 'now' | 'writeId'>) =>
  db
    .update(users)
    .set({
      email: sql`${named('email')}`,
      emailProvedAt: sql`${named('now')}`,
      updatedAt: sql`${named('now')}`,
    })
    .where(sql`${users.id} = ${named('userId')} and ${isRecorded(named('writeId'))}`),
);

export const spendChange = statement((db, named: Named<'userId' | 'writeId'>) =>
  db
    .delete(emailChanges)
    .where(sql`${emailChanges.userId} = ${named('userId')} and ${isRecorded(named('writeId'))}`),
);

export const countChangeFailure = statement((db, named: Named<'userId' | 'writeId'>) =>
  db
    .update(emailChanges)
    .set({ failures: sql`${emailChanges.failures} + 1` })
    .where(sql`${emailChanges.userId} = ${named('userId')} and not ${isRecorded(named('writeId'))}`),
);

/** Deletes queued mails to the previous e-mail address. */
export const spendMailed = statement((db, named: Named<'userId' | 'now' | 'writeId'>) =>
  db
    .update(passwordResets)
    .set({ usedAt: sql`${named('now')}` })
    .where(
      sql`${passwordResets.userId} = ${named('userId')} and ${passwordResets.usedAt} is null
        and ${isRecorded(named('writeId'))}`,
    ),
);

export const spendOldCode = statement((db, named: Named<'userId' | 'writeId'>) =>
  db
    .delete(emailCodes)
    .where(sql`${emailCodes.userId} = ${named('userId')} and ${isRecorded(named('writeId'))}`),
);

/** Other devices are logged out, as after a change of the password. */
export const endOthers = statement((db, named: Named<'userId' | 'exceptId' | 'now' | 'writeId' | 'reason'>) =>
  db
    .update(deviceLogins)
    .set({ revokedAt: sql`${named('now')}`, revokedReason: sql`${named('reason')}` })
    .where(
      sql`${deviceLogins.userId} = ${named('userId')} and ${deviceLogins.id} <> ${named('exceptId')}
        and ${deviceLogins.revokedAt} is null and ${isRecorded(named('writeId'))}`,
    ),
);

/** The clinic finds the person by the new e-mail from now on: the account's own index has it. */
export const swapWord = (
  db: Db,
  { userId, writeId, now }: { userId: string; writeId: string; now: number },
  before: string | null,
  after: string,
) => {
  const holds = isRecorded(writeId);
  return [
    db
      .delete(searchWords)
      .where(sql`kind = 'person' and owner_id = ${userId} and word = ${before} and ${holds}`),
    db
      .update(patients)
      .set({
        words: sql`(select json_group_array(n.value) from (select value from json_each(words)
          where value is not ${before} union select ${after}) n)`,
        // Lists of what was changed since show the e-mail, too; and a change that was decided before knows the old one.
        version: sql`version + 1`,
        updatedAt: now,
      })
      .where(sql`id = ${userId} and ${holds}`),
  ] as const;
};
