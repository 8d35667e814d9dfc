import { and, eq, type SQL, sql } from 'drizzle-orm';
import { insertFromRow } from '../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../core/db/statement.ts';
import { byWord, found, foundWord, type Sought } from '../../core/search/queries.ts';
import {
  adminBeside,
  deviceLogins,
  isAdmin,
  isRecorded,
  passwordResets,
  rowIsRecorded,
  users,
  worksHere,
} from '../../core/tables/accounts.ts';
import { securityEventWhen } from '../auth/audit/queries.ts';
import { hasFeeds } from '../auth/feed-queries.ts';
import { mailWhen } from '../auth/mail/queries.ts';

const shown = {
  id: users.id,
  name: users.name,
  phoneNumber: users.phoneNumber,
  phoneCountryCode: users.phoneCountryCode,
  email: users.email,
  role: users.role,
  doctorId: users.doctorId,
  invitedAt: users.invitedAt,
  passwordUnsetAt: users.passwordUnsetAt,
  secondFactorAt: users.secondFactorAt,
  deactivatedAt: users.deactivatedAt,
  createdAt: users.createdAt,
};

export const findPerson = statement((db, named: Named<'id'>) =>
  db
    .select(shown)
    .from(users)
    .where(eq(users.id, named('id'))),
);

export type PersonRow = ReturnType<typeof findPerson>['_']['result'][number];

type ListValue = 'afterRole' | 'afterName' | 'afterId' | 'firstRole' | 'lastRole' | 'limit';

/**
 * One page of people by role and name, from `firstRole` to `lastRole` and after the cursor's position: staff, and
 * patients among them.
 */
export const findPeople = statement((db, named: Named<ListValue>) => {
  const [role, name] = [sql`${named('afterRole')}`, sql`${named('afterName')}`];
  const peopleWhere = (condition: SQL) =>
    db
      .select(shown)
      .from(users)
      .where(
        sql`(role, name, id) > (${role}, ${name}, ${named('afterId')})
          and role between ${named('firstRole')} and ${named('lastRole')} and ${condition}`,
      );
  return peopleWhere(worksHere)
    .unionAll(peopleWhere(sql`role = 'patient' and name >= iif(${role} = 'patient', ${name}, '')`))
    .orderBy(sql`role, name, id`)
    .limit(named('limit'));
});

/** One page of people who have a word for each search term, ordered by the first word that begins with the first term. */
export const searchPeople = statement((db, named: Named<Sought | 'role'>) =>
  db
    .select({ word: foundWord, ...shown })
    .from(
      found(named, sql`users.id is not null and (${named('role')} is null or users.role = ${named('role')})`),
    )
    .innerJoin(users, sql`users.id = f.id`)
    .orderBy(byWord),
);

const roleInput = ['beforeRole', 'beforeDoctor', 'role', 'doctorId'] as const;

/** Condition: the person still has the role that was read, and at least one admin remains. */
const mayChangeRole: SQL = sql`exists (select 1 from users u where u.id = r.user_id and u.role = r.before_role
  and u.doctor_id is r.before_doctor) and (r.before_role <> 'admin' or r.role = 'admin'
  or ${adminBeside('user_id')})`;

/** Comes first in the batch: the other statements take effect only if this event was recorded. */
export const recordRoleChange = securityEventWhen(mayChangeRole, roleInput);

export const updateRole = statement((db, named: Named<'id' | 'role' | 'doctorId' | 'now' | 'writeId'>) =>
  db
    .update(users)
    .set({
      role: sql`${named('role')}`,
      doctorId: sql`${named('doctorId')}`,
      updatedAt: sql`${named('now')}`,
    })
    .where(and(eq(users.id, named('id')), isRecorded(named('writeId'))))
    .returning(shown),
);

/** Removes the owner's own password when the clinic gives the account rights. */
export const unsetPassword = statement((db, named: Named<'id' | 'hash' | 'now' | 'writeId'>) =>
  db
    .update(users)
    .set({
      passwordHash: sql`${named('hash')}`,
      passwordUnsetAt: sql`${named('now')}`,
      invitedAt: sql`${named('now')}`,
    })
    .where(and(eq(users.id, named('id')), isRecorded(named('writeId')))),
);

/** Earlier password resets of such an account can no longer be used. */
export const spendOlderResets = statement((db, named: Named<'id' | 'now' | 'writeId'>) =>
  db
    .update(passwordResets)
    .set({ usedAt: sql`${named('now')}` })
    .where(
      sql`${passwordResets.userId} = ${named('id')} and ${passwordResets.usedAt} is null
        and ${isRecorded(named('writeId'))}`,
    ),
);

/** Stores the hash of the token by which a first password can be set. */
export const insertSetup = rowStatement(
  ['writeId', 'hash', 'userId', 'now', 'expiresAt', 'provesEmail'],
  (db, row) =>
    insertFromRow(db, passwordResets, row, sql`from r where ${rowIsRecorded}`, {
      createdAt: sql`r.now`,
    }).onConflictDoNothing(),
);

export const mailSetup = mailWhen(rowIsRecorded, ['writeId']);

/** Recorded only if the account still has no password. */
export const recordSetupAgain = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.password_unset_at is not null)`,
);

/** Ends every device login of a person whose role has changed, or whose account was deactivated. */
export const endLogins = statement((db, named: Named<'id' | 'now' | 'writeId' | 'reason'>) =>
  db
    .update(deviceLogins)
    .set({ revokedAt: sql`${named('now')}`, revokedReason: sql`${named('reason')}` })
    .where(
      sql`${deviceLogins.userId} = ${named('id')} and ${deviceLogins.revokedAt} is null and ${isRecorded(named('writeId'))}`,
    ),
);

const liveLogins = sql`l.user_id = r.user_id and l.revoked_at is null and l.expires_at > r.now`;

/** Comes before the logins are ended, because it counts them. */
export const recordEndOfDevices = securityEventWhen(
  sql`exists (select 1 from device_logins l where ${liveLogins}) or ${hasFeeds}`,
  [],
  { detail: sql`(select json_object('devices', count(*)) from device_logins l where ${liveLogins})` },
);

/** Ends every device login of a person and returns their ids. */
export const endAllLogins = statement((db, named: Named<'id' | 'now'>) =>
  db
    .update(deviceLogins)
    .set({ revokedAt: sql`${named('now')}`, revokedReason: 'ended' })
    .where(
      sql`${deviceLogins.userId} = ${named('id')} and ${deviceLogins.revokedAt} is null
        and ${deviceLogins.expiresAt} > ${named('now')}`,
    )
    .returning({ id: deviceLogins.id }),
);

export const countOtherAdmins = statement((db, named: Named<'id'>) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(users)
    .where(sql`${isAdmin} and ${users.deactivatedAt} is null and ${users.id} <> ${named('id')}`),
);

/** Comes first in the batch that shuts an account; not the last admin's. */
export const recordDeactivation = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.deactivated_at is null
    and (u.role <> 'admin' or ${adminBeside('user_id')}))`,
);

export const recordReactivation = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.deactivated_at is not null)`,
);

/** Shuts an account, or opens it where `deactivatedAt` is null, if the event was recorded; both end its tie to a work account. */
export const setDeactivated = statement((db, named: Named<'id' | 'deactivatedAt' | 'writeId'>) =>
  db
    .update(users)
    .set({ deactivatedAt: sql`${named('deactivatedAt')}`, ssoSubject: null })
    .where(and(eq(users.id, named('id')), isRecorded(named('writeId')))),
);
