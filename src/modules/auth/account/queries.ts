import { and, desc, eq, gt, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { columnGroup } from '../../../core/db/row-columns.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { deviceLogins, passwordResets, users } from '../../../core/tables/accounts.ts';
import { patients } from '../../../core/tables/patients.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { hasFeeds } from '../feed-queries.ts';
import { profileFields } from '../fields.ts';
import { mailWhen } from '../mail/queries.ts';

// Each hash has its own salt: if the account has exactly this hash, this very write changed it.
const changed = sql`exists (select 1 from users u where u.id = r.user_id and u.password_hash = r.new_hash)`;
const loginLives = sql`exists (select 1 from device_logins l where l.id = r.login_id and l.user_id = r.user_id
  and l.revoked_at is null and l.expires_at > r.now)`;

/** Replaces the password hash that was verified, if the device login is still valid. */
export const replacePassword = rowStatement(['userId', 'loginId', 'oldHash', 'newHash', 'now'], (db, row) =>
  db
    .update(users)
    .set({ passwordHash: sql`r.new_hash`, updatedAt: sql`r.now` })
    .from(fromRow(row))
    .where(and(sql`${users.id} = r.user_id`, sql`${users.passwordHash} = r.old_hash`, loginLives)),
);

const isReset = sql`exists (select 1 from password_resets p where p.hash = r.token_hash and p.user_id = r.user_id
  and p.used_at is null and p.expires_at > r.now)`;
const provesEmail = sql`(select p.proves_email from password_resets p where p.hash = r.token_hash)`;
const isFirstProof = sql`${users.emailProvedAt} is null and ${provesEmail}`;

/** Comes before a reset that proves the e-mail: it takes off the phone of the person who registered the address. */
export const recordPhoneOfReset = securityEventWhen(
  sql`${isReset} and ${provesEmail} and exists (select 1 from users u where u.id = r.user_id
    and u.email_proved_at is null and u.login_phone is not null)`,
  ['tokenHash'],
);

/** Sets a new password if the reset is still valid. */
export const resetPassword = rowStatement(['userId', 'tokenHash', 'newHash', 'now'], (db, row) =>
  db
    .update(users)
    .set({
      passwordHash: sql`r.new_hash`,
      passwordUnsetAt: null,
      // The token from the mail proves that the address belongs to the person.
      emailProvedAt: sql`iif(${provesEmail}, coalesce(${users.emailProvedAt}, r.now), ${users.emailProvedAt})`,
      // Until then anybody may have registered it, and set a phone.
      loginPhone: sql`iif(${isFirstProof}, null, ${users.loginPhone})`,
      phoneProvedAt: sql`iif(${isFirstProof}, null, ${users.phoneProvedAt})`,
      updatedAt: sql`r.now`,
    })
    .from(fromRow(row))
    .where(and(sql`${users.id} = r.user_id`, isReset)),
);

/** After a password change: ends every device login except one. */
export const endLoginsAfterChange = rowStatement(
  ['userId', 'exceptLoginId', 'newHash', 'now', 'reason'],
  (db, row) =>
    db
      .update(deviceLogins)
      .set({ revokedAt: sql`r.now`, revokedReason: sql`r.reason` })
      .from(fromRow(row))
      .where(
        and(
          sql`${deviceLogins.userId} = r.user_id`,
          sql`${deviceLogins.id} <> r.except_login_id`,
          isNull(deviceLogins.revokedAt),
          changed,
        ),
      ),
);

/** After a password change: makes earlier resets unusable. */
export const spendResets = rowStatement(['userId', 'newHash', 'now'], (db, row) =>
  db
    .update(passwordResets)
    .set({ usedAt: sql`r.now` })
    .from(fromRow(row))
    .where(and(sql`${passwordResets.userId} = r.user_id`, isNull(passwordResets.usedAt), changed)),
);

export const recordPasswordChange = securityEventWhen(changed, ['newHash']);

export const mailPasswordChange = mailWhen(changed, ['newHash']);

/** One row if the account has this hash. */
export const findChanged = rowStatement(['userId', 'newHash'], (db, row) =>
  db
    .select({ changed: sql<number>`1`.as('changed') })
    .from(fromRow(row))
    .where(changed),
);

const accountOfEmail = sql`(select u.id from users u where u.email = r.email)`;
const accountExists = sql`exists (select 1 from users u where u.email = r.email)`;

/** Inserts a reset for the account with this e-mail; does nothing if there is none. */
export const insertReset = rowStatement(['hash', 'email', 'now', 'expiresAt'], (db, row) =>
  insertFromRow(db, passwordResets, row, sql`from r where ${accountExists}`, {
    userId: accountOfEmail,
    createdAt: sql`r.now`,
    provesEmail: sql`1`,
  }).onConflictDoNothing(),
);

export const mailReset = mailWhen(accountExists, ['email'], accountOfEmail);

/** Also recorded for unknown addresses (without the address), so that both cases cost the same. */
export const recordForgotten = securityEventWhen(sql`true`, ['email'], { userId: accountOfEmail });

/** The owner of a reset that is still valid. */
export const findReset = statement((db, named: Named<'hash' | 'legacyHash' | 'now'>) =>
  db
    .select({ tokenHash: passwordResets.hash, userId: users.id, email: users.email, name: users.name })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(
      and(
        inArray(passwordResets.hash, [named('hash'), named('legacyHash')]),
        isNull(passwordResets.usedAt),
        gt(passwordResets.expiresAt, named('now')),
      ),
    ),
);

export const findPasswordHash = statement((db, named: Named<'id'>) =>
  db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, named('id'))),
);

/** The columns that an account's owner may change. */
type Profile = Pick<typeof users.$inferSelect, (typeof profileFields.names)[number]>;

const written = columnGroup(users, profileFields.names);

const isProfile = (profile: Profile): SQL | undefined =>
  and(...profileFields.names.map((name) => eq(users[name], profile[name])));

/** Updates a person's own profile, unless it changed since it was read. */
export const updateProfile = (db: Db, id: string, old: Profile, profile: Profile, now: number) =>
  db
    .update(users)
    .set({ ...written.valuesOf(profile), updatedAt: now })
    .where(and(eq(users.id, id), isProfile(old)));

/** The record of an account's person has the name and the number that the account has. */
export const copyProfileToRecord = statement((db, named: Named<'id' | 'now'>) =>
  db
    .update(patients)
    .set({
      name: sql`u.name`,
      phoneNumber: sql`u.phone_number`,
      phoneCountryCode: sql`u.phone_country_code`,
      version: sql`${patients.version} + 1`,
      updatedAt: sql`${named('now')}`,
    })
    .from(sql`users u`)
    .where(
      sql`${patients.id} = ${named('id')} and u.id = ${patients.id} and (u.name, u.phone_number, u.phone_country_code)
        is not (${patients.name}, ${patients.phoneNumber}, ${patients.phoneCountryCode})`,
    ),
);

/** Condition: the person has this profile. Guards statements that belong to that change. */
export const hasProfile = (id: string, profile: Profile): SQL =>
  sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${isProfile(profile)})`;

export const findProfile = statement((db, named: Named<'id'>) =>
  db
    .select({
      name: users.name,
      phoneNumber: users.phoneNumber,
      phoneCountryCode: users.phoneCountryCode,
      email: users.email,
      deviceId: users.deviceId,
    })
    .from(users)
    .where(eq(users.id, named('id'))),
);

/** One page of a person's active device logins, newest first, after the position (before_created, before_id). */
export const findDevices = statement(
  (db, named: Named<'userId' | 'now' | 'beforeCreated' | 'beforeId' | 'limit'>) =>
    db
      .select({
        id: deviceLogins.id,
        deviceId: deviceLogins.deviceId,
        userAgent: deviceLogins.userAgent,
        createdAt: deviceLogins.createdAt,
        lastSeenAt: deviceLogins.lastSeenAt,
      })
      .from(deviceLogins)
      .where(
        and(
          eq(deviceLogins.userId, named('userId')),
          isNull(deviceLogins.revokedAt),
          gt(deviceLogins.expiresAt, named('now')),
          sql`(${deviceLogins.createdAt}, ${deviceLogins.id}) < (${named('beforeCreated')}, ${named('beforeId')})`,
        ),
      )
      .orderBy(desc(deviceLogins.createdAt), desc(deviceLogins.id))
      .limit(named('limit')),
);

const otherLogins = sql`l.user_id = r.user_id and l.id <> r.device_login_id and l.revoked_at is null and l.expires_at > r.now`;

/** Runs before the other logins are ended, because it counts them. */
export const recordEndOfOthers = securityEventWhen(
  sql`exists (select 1 from device_logins l where ${otherLogins}) or ${hasFeeds}`,
  [],
  { detail: sql`(select json_object('devices', count(*)) from device_logins l where ${otherLogins})` },
);

/** Ends every valid device login of a person except one, and returns their ids. */
export const endOtherLogins = statement((db, named: Named<'userId' | 'exceptLoginId' | 'now'>) =>
  db
    .update(deviceLogins)
    .set({ revokedAt: sql`${named('now')}`, revokedReason: 'ended' })
    .where(
      and(
        eq(deviceLogins.userId, named('userId')),
        ne(deviceLogins.id, named('exceptLoginId')),
        isNull(deviceLogins.revokedAt),
        gt(deviceLogins.expiresAt, named('now')),
      ),
    )
    .returning({ id: deviceLogins.id }),
);
