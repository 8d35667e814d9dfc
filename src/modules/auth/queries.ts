import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../core/db/db.ts';
import { fromRow } from '../../core/db/from-row.ts';
import { jsonObject } from '../../core/db/row-columns.ts';
import { type Named, rowStatement, statement } from '../../core/db/statement.ts';
import { addWords, wordList } from '../../core/search/queries.ts';
import { personWords } from '../../core/search/rules.ts';
import { deviceLogins, users } from '../../core/tables/accounts.ts';
import { patients } from '../../core/tables/patients.ts';
import { profileFields } from './fields.ts';
import { oldestLoginMs } from './rules.ts';

/** A user as the API shows it, as JSON text: most requests never parse it. */
const userJson = jsonObject(profileFields.shownColumns);

/** A valid device login with its owner. Read on every request, so that revocation takes effect at once. */
export const findLiveLogin = statement((db, named: Named<'deviceLoginId' | 'userId' | 'now'>) =>
  db
    .select({
      user: userJson.as('user'),
      role: users.role,
      doctorId: users.doctorId,
      emailProvedAt: users.emailProvedAt,
      loginPhone: users.loginPhone,
      passwordUnsetAt: users.passwordUnsetAt,
      secondFactorAt: users.secondFactorAt,
      ssoSubject: users.ssoSubject,
      provedAt: sql<number>`coalesce(${deviceLogins.provedAt}, ${deviceLogins.createdAt})`.as('proved'),
      lastSeenAt: deviceLogins.lastSeenAt,
      usedGeneration: deviceLogins.usedGeneration,
      cancelLeadMinutes: sql<number | null>`(select c.cancel_lead_minutes from clinic c where c.id = 1)`.as(
        'cancel_lead_minutes',
      ),
    })
    .from(deviceLogins)
    .innerJoin(users, eq(users.id, deviceLogins.userId))
    .where(
      and(
        eq(deviceLogins.id, named('deviceLoginId')),
        eq(deviceLogins.userId, named('userId')),
        isNull(deviceLogins.revokedAt),
        gt(deviceLogins.expiresAt, named('now')),
      ),
    )
    .limit(1),
);

export type NewUser = typeof users.$inferInsert & { email: string | null };

/** The record of the person whom an account belongs to: it has the account's id. */
const ownRecord = (user: NewUser, birthDate: string | null): typeof patients.$inferInsert => ({
  id: user.id,
  name: user.name,
  phoneNumber: user.phoneNumber,
  phoneCountryCode: user.phoneCountryCode,
  birthDate,
  staffNotes: '',
  createdBy: user.id,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
});

/** An account and the patient record of its person, who can be searched for. */
export const insertAccount = (db: Db, user: NewUser, birthDate: string | null = null) => {
  const words = personWords(user);
  return [
    db.insert(users).values(user),
    db.insert(patients).values({ ...ownRecord(user, birthDate), words: wordList(words) }),
    addWords(db, 'person', user.id, words),
  ] as const;
};

/** Until when a device login lasts that is used now: as long as it may be idle, and to its end at most. */
export const prolonged = (now: SQL) => sql`max(${deviceLogins.expiresAt}, min(${now} + ${deviceLogins.idleMs},
  coalesce(${deviceLogins.endsAt}, ${deviceLogins.createdAt} + ${sql.raw(String(oldestLoginMs))})))`;

/** Stores when a device was seen and its newest used token, unless the stored values are recent enough. */
export const touchLogin = rowStatement(['id', 'now', 'before', 'generation'], (db, row) =>
  db
    .update(deviceLogins)
    .set({
      lastSeenAt: sql`max(last_seen_at, r.now)`,
      expiresAt: prolonged(sql`r.now`),
      usedGeneration: sql`max(used_generation, r.generation)`,
    })
    .from(fromRow(row))
    .where(
      and(
        sql`${deviceLogins.id} = r.id`,
        or(sql`${deviceLogins.lastSeenAt} <= r.before`, sql`${deviceLogins.usedGeneration} < r.generation`),
      ),
    ),
);
