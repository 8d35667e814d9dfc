import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { passwordResets, rowIsRecorded, users } from '../../../core/tables/accounts.ts';
import { emailChanges } from '../../../core/tables/factors.ts';
import { mailOutbox } from '../../../core/tables/mail.ts';
import { maxCodeFailures } from './email-code-rules.ts';

export type DueMail = typeof mailOutbox.$inferSelect;

/** Makes a statement that puts a mail into the outbox if `guard`, a condition on its row `r`, is true. */
export const mailWhen = <const K extends string = never>(
  guard: SQL,
  more: readonly K[] = [],
  userId = sql`r.user_id`,
) =>
  rowStatement(['mailId', 'kind', 'userId', 'language', 'now', 'expiresAt', ...more], (db, row) =>
    insertFromRow(db, mailOutbox, row, sql`from r where ${guard}`, {
      id: sql`r.mail_id`,
      userId,
      createdAt: sql`r.now`,
      attempts: sql`0`,
      dueAt: sql`r.now`,
    }).onConflictDoNothing(),
  );

/** Puts a mail to an address of its own into the outbox, or a message to a phone: once what it tells of is recorded. */
export const tellAddress = mailWhen(rowIsRecorded, ['writeId', 'address']);

/** Claims due mails for one attempt: no other process takes them until the lease ends. */
export const leaseDue = statement((db, named: Named<'leaseId' | 'leaseEnd' | 'now' | 'max'>) =>
  db
    .update(mailOutbox)
    .set({
      leaseId: sql`${named('leaseId')}`,
      dueAt: sql`${named('leaseEnd')}`,
      attempts: sql`${mailOutbox.attempts} + 1`,
    })
    .where(
      sql`${mailOutbox.id} in (select o.id from mail_outbox o where o.sent_at is null and o.failed_at is null
        and o.due_at <= ${named('now')} and o.expires_at > ${named('now')} order by o.due_at limit ${named('max')})`,
    )
    .returning(),
);

/** Stores the outcome of the attempt with this lease. */
export const settleMail = statement(
  (db, named: Named<'id' | 'leaseId' | 'sentAt' | 'failedAt' | 'dueAt' | 'error'>) =>
    db
      .update(mailOutbox)
      .set({
        sentAt: sql`${named('sentAt')}`,
        failedAt: sql`${named('failedAt')}`,
        dueAt: sql`${named('dueAt')}`,
        lastError: sql`${named('error')}`,
        leaseId: null,
        address: sql`case when ${named('sentAt')} is null and ${named('failedAt')} is null then ${mailOutbox.address} end`,
      })
      .where(and(eq(mailOutbox.id, named('id')), eq(mailOutbox.leaseId, named('leaseId')))),
);

/** Whose mail this is by now: a join of accounts gives it to another one. And whether a phone that it goes to opens an account. */
export const findRecipient = statement((db, named: Named<'id'>) =>
  db
    .select({
      email: users.email,
      name: users.name,
      opens:
        sql<number>`exists (select 1 from users o where o.login_phone = substr(${mailOutbox.address}, 2))`.as(
          'opens',
        ),
    })
    .from(mailOutbox)
    .innerJoin(users, eq(users.id, mailOutbox.userId))
    .where(eq(mailOutbox.id, named('id'))),
);

/** The requested e-mail of an account, if its code is in the JSON list and still valid. */
export const findOpenChange = statement((db, named: Named<'userId' | 'now'>) =>
  db
    .select({ email: emailChanges.email, hash: emailChanges.hash })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, named('userId')), gt(emailChanges.expiresAt, named('now')))),
);

/** Which of the hashes (given as JSON) belong to a reset that is still valid. */
export const findOpenResets = statement((db, named: Named<'hashes' | 'now'>) =>
  db
    .select({ hash: passwordResets.hash })
    .from(passwordResets)
    .where(
      and(
        sql`${passwordResets.hash} in (select value from json_each(${named('hashes')}))`,
        isNull(passwordResets.usedAt),
        sql`${passwordResets.expiresAt} > ${named('now')}`,
      ),
    ),
);

/** The columns of a code that is stored, from a row `r`: of an e-mail to prove, of another one, or of a login. */
export const newCode = { createdAt: sql`r.now`, failures: sql`0` };

/** The same where it takes the place of an earlier one. */
export const codeInPlace = {
  hash: sql`excluded.hash`,
  createdAt: sql`excluded.created_at`,
  expiresAt: sql`excluded.expires_at`,
  failures: sql`0`,
};

/** Condition: the code `c` still proves the e-mail, and its hash is one of those given as JSON. */
export const isOpenCode = (
  hash: SQL,
  userId: SQL,
  now: SQL,
): SQL => sql`c.user_id = ${userId} and c.expires_at > ${now}
  and c.failures < ${sql.raw(String(maxCodeFailures))} and c.hash in (select value from json_each(${hash}))`;

/** The valid hash of an account, if it is in the JSON list. */
export const findOpenCode = statement((db, named: Named<'userId' | 'hashes' | 'now'>) =>
  db
    .select({ hash: sql<string>`c.hash`.as('hash') })
    .from(sql`email_codes c`)
    .where(isOpenCode(sql`${named('hashes')}`, sql`${named('userId')}`, sql`${named('now')}`)),
);
