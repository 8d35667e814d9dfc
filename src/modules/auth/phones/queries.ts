import { eq, type SQL, sql } from 'drizzle-orm';
import { fromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isRecorded, rowIsRecorded, rowLoginLives, users } from '../../../core/tables/accounts.ts';
import { hasProfile } from '../account/queries.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { accountWithBirthDate, rowCodeHolds } from '../code/queries.ts';
import { phoneProofMs } from '../code/rules.ts';
import { mailWhen } from '../mail/queries.ts';

export const findOwner = statement((db, named: Named<'id'>) =>
  db
    .select(accountWithBirthDate)
    .from(users)
    .where(eq(users.id, named('id'))),
);

/** Another account gives the phone up: the code is right, and it was not used for so long that it may be somebody else's. */
export const recordLapse = securityEventWhen(
  sql`${rowCodeHolds} and exists (select 1 from users u where u.id = r.user_id and u.login_phone = r.phone
    and coalesce(u.phone_proved_at, 0) <= r.now - ${sql.raw(String(phoneProofMs))})`,
  ['phone', 'addresses', 'hashes'],
);

/**
 * The first statement of the batch: the others run only if the code was right and in time, no account has the phone, and
 * the login was not ended meanwhile.
 */
export const recordPhoneChange = securityEventWhen(
  sql`${rowCodeHolds} and not exists (select 1 from users o where o.login_phone = r.phone)
    and exists (select 1 from users u where u.id = r.user_id and u.role = 'patient' and u.deactivated_at is null)
    and ${rowLoginLives}`,
  ['phone', 'addresses', 'hashes'],
);

/** The phone opens the account; the number for messages follows, unless the profile was changed meanwhile. */
export const changePhone = rowStatement(
  ['writeId', 'userId', 'phone', 'oldNumber', 'oldCode', 'newNumber', 'newCode', 'now'],
  (db, row) => {
    const isAsRead = sql`(${users.phoneNumber}, ${users.phoneCountryCode}) = (r.old_number, r.old_code)`;
    return db
      .update(users)
      .set({
        loginPhone: sql`r.phone`,
        phoneProvedAt: sql`r.now`,
        phoneNumber: sql`iif(${isAsRead}, r.new_number, ${users.phoneNumber})`,
        phoneCountryCode: sql`iif(${isAsRead}, r.new_code, ${users.phoneCountryCode})`,
        updatedAt: sql`r.now`,
      })
      .from(fromRow(row))
      .where(sql`${users.id} = r.user_id and ${rowIsRecorded}`);
  },
);

/** The first statement of a removal: something else opens the account. */
export const recordPhoneRemoval = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.login_phone is not null and u.email is not null
    and (u.password_unset_at is null or (r.can_mail = 1 and u.email_proved_at is not null)))`,
  ['canMail'],
);

export const removePhone = rowStatement(['writeId', 'userId', 'now'], (db, row) =>
  db
    .update(users)
    .set({ loginPhone: null, phoneProvedAt: null, updatedAt: sql`r.now` })
    .from(fromRow(row))
    .where(sql`${users.id} = r.user_id and ${rowIsRecorded}`),
);

/** Tells the owner, who may have an e-mail, that the phone was changed. */
export const mailPhoneChange = mailWhen(
  sql`${rowIsRecorded} and exists (select 1 from users u where u.id = r.user_id and u.email is not null)`,
  ['writeId'],
);

/** Condition: this write set the phone, and the account has this profile since. */
export const profileIsSet = (id: string, profile: Parameters<typeof hasProfile>[1], writeId: string): SQL =>
  sql`${hasProfile(id, profile)} and ${isRecorded(writeId)}`;
