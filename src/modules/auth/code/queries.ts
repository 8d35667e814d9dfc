import { eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db, Statement } from '../../../core/db/db.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isRecorded, isSeldom, loginCodes, users } from '../../../core/tables/accounts.ts';
import { patients } from '../../../core/tables/patients.ts';
import { searchWords } from '../../../core/tables/search.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { maxCodeFailures } from '../mail/email-code-rules.ts';
import { codeInPlace, newCode } from '../mail/queries.ts';

/** The detail of an act after which a phone is told by a message; it counts as a code to a phone does. */
export const tellsPhone = { told: 'phone' } as const;

/**
 * Condition: the clinic may send another message today: it sent fewer than `r.ceiling` to phones since the instant
 * `r.since`, codes and what a change or removal of a phone sends. Mails have no ceiling.
 */
const hasRoom = sql`(r.ceiling is null or (select count(*) from (select 1 from security_events e
  where e.type in ('login_code_sent', 'phone_changed', 'phone_removed') and e.occurred_at >= r.since
  and 'phone' in (e.detail ->> 'by', e.detail ->> 'told') and ${isSeldom('e.')}
  limit (select ceiling from r))) < r.ceiling)`;

/** Stores a code, in the place of an earlier one for the same address; returns nothing where no message may be sent. */
export const storeLoginCode = rowStatement(
  ['address', 'hash', 'now', 'expiresAt', 'ceiling', 'since'],
  (db, row) =>
    insertFromRow(db, loginCodes, row, sql`from r where ${hasRoom}`, newCode)
      .onConflictDoUpdate({
        target: loginCodes.address,
        set: codeInPlace,
      })
      .returning({ address: loginCodes.address }),
);

/** Recorded for unknown addresses too (without the address), so that both cases cost the same. */
export const recordLoginCode = securityEventWhen(hasRoom, ['email', 'phone', 'ceiling', 'since'], {
  userId: sql`coalesce(r.user_id, (select u.id from users u where u.email = r.email union all
    select u.id from users u where u.login_phone = r.phone))`,
});

/** An account with the date of birth of its person. */
export const accountWithBirthDate = {
  ...getTableColumns(users),
  birthDate: sql<string | null>`(select p.birth_date from patients p where p.id = users.id)`.as('birth_date'),
};

/** The account that a phone was proved for. */
export const findUserByPhone = statement((db, named: Named<'phone'>) =>
  db
    .select(accountWithBirthDate)
    .from(users)
    .where(eq(users.loginPhone, named('phone'))),
);

type Tried = Named<'addresses' | 'hashes' | 'now'>;

/** Condition: an unexpired code of one of the addresses, which are hashes in a JSON list. */
const isLive = (addresses: SQLWrapper, now: SQLWrapper): SQL =>
  sql`${loginCodes.address} in (select value from json_each(${addresses}))
    and ${loginCodes.expiresAt} > ${now} and ${loginCodes.failures} < ${sql.raw(String(maxCodeFailures))}`;

const isRight = (hashes: SQLWrapper): SQL =>
  sql`${loginCodes.hash} in (select value from json_each(${hashes}))`;

/** Condition: a code is right and still good; `addresses` and `hashes` are JSON lists. */
const codeHolds = (addresses: SQLWrapper, hashes: SQLWrapper, now: SQLWrapper): SQL =>
  sql`exists (select 1 from login_codes where ${isLive(addresses, now)} and ${isRight(hashes)})`;

/** The same, of the row `r`. */
export const rowCodeHolds = codeHolds(sql`r.addresses`, sql`r.hashes`, sql`r.now`);

/** One row if the code is right and still good. */
export const findLoginCode = statement((db, named: Tried) =>
  db
    .select({ address: loginCodes.address })
    .from(loginCodes)
    .where(sql`${isLive(named('addresses'), named('now'))} and ${isRight(named('hashes'))}`),
);

/**
 * The account's phone was proved again, if the code is right and opens it: one that stays shut would keep the number from
 * its next holder. Comes before the code is used up.
 */
export const renewPhoneProof = statement(
  (db, named: Named<'addresses' | 'hashes' | 'now' | 'userId' | 'phone'>) =>
    db
      .update(users)
      .set({ phoneProvedAt: sql`${named('now')}` })
      .where(
        sql`${users.id} = ${named('userId')} and ${users.loginPhone} = ${named('phone')}
          and ${users.role} = 'patient' and ${users.deactivatedAt} is null
          and ${codeHolds(named('addresses'), named('hashes'), named('now'))}`,
      ),
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

/** Uses the code up whose effect was recorded. */
export const spendRecordedCode = statement((db, named: Named<'addresses' | 'writeId'>) =>
  db.delete(loginCodes).where(
    sql`${loginCodes.address} in (select value from json_each(${named('addresses')}))
        and ${isRecorded(named('writeId'))}`,
  ),
);

export const countWrongCode = statement((db, named: Tried) =>
  db
    .update(loginCodes)
    .set({ failures: sql`${loginCodes.failures} + 1` })
    .where(sql`${isLive(named('addresses'), named('now'))} and not ${isRight(named('hashes'))}`),
);

const isUnproved = sql`u.password_hash = r.old_hash and u.email_proved_at is null`;

/** Comes before an account is taken over: its phone is that of the person who registered the address. */
export const recordPhoneOfUnproved = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and ${isUnproved} and u.login_phone is not null)`,
  ['oldHash'],
);

/**
 * Takes an account over for the owner of its mailbox, if that was never proved and the password is the one read. A phone
 * opens it no longer.
 */
export const takeOverAccount = rowStatement(['userId', 'oldHash', 'newHash', 'now'], (db, row) =>
  db
    .update(users)
    .set({
      passwordHash: sql`r.new_hash`,
      passwordUnsetAt: sql`r.now`,
      emailProvedAt: sql`r.now`,
      loginPhone: null,
      phoneProvedAt: null,
      updatedAt: sql`r.now`,
    })
    .from(fromRow(row))
    .where(
      sql`${users.id} = r.user_id and ${users.passwordHash} = r.old_hash and ${users.emailProvedAt} is null`,
    ),
);

/** Comes first in the batch that gives a phone to somebody else: the other statements take effect only after it. */
export const recordRelease = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.login_phone = r.phone)`,
  ['phone'],
);

/**
 * Statements that take a phone from an account whose holder has it no longer, if that was recorded: it no longer
 * opens the account, and messages about visits no longer go to it.
 */
export const releasePhone = (
  db: Db,
  { userId, phone, now, writeId }: { userId: string; phone: string; now: number; writeId: string },
): Statement[] => {
  const holds = isRecorded(writeId);
  // Some people type the country code into the field of the number, too.
  const isIt = sql`${phone} in (phone_country_code || ltrim(phone_number, '0'), ltrim(phone_number, '0'))`;
  return [
    db
      .update(users)
      .set({
        loginPhone: null,
        phoneProvedAt: null,
        phoneNumber: sql`iif(${isIt}, '', phone_number)`,
        phoneCountryCode: sql`iif(${isIt}, '', phone_country_code)`,
        updatedAt: now,
      })
      .where(sql`id = ${userId} and login_phone = ${phone} and ${holds}`),
    db
      .update(patients)
      .set({
        phoneNumber: '',
        phoneCountryCode: '',
        words: sql`(select json_group_array(value) from json_each(words) where value <> ${phone})`,
        version: sql`version + 1`,
        updatedAt: now,
      })
      .where(sql`id = ${userId} and ${isIt} and ${holds}`),
    db.delete(searchWords).where(
      sql`kind = 'person' and owner_id = ${userId} and word = ${phone} and ${holds}
          and not exists (select 1 from patients p, json_each(p.words) w where p.id = ${userId} and w.value = ${phone})`,
    ),
  ];
};
