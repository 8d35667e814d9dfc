import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { isRecorded, securityEventWhen } from '../auth/audit/queries.ts';
import { mailWhen } from '../auth/mail/queries.ts';
import { insertFromRow } from '../db/from-row.ts';
import { type Named, rowStatement, statement } from '../db/statement.ts';
import { hasTerms } from '../search/queries.ts';
import { deviceLogins, passwordResets, users } from '../tables/accounts.ts';
import { searchWords } from '../tables/search.ts';

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
  createdAt: users.createdAt,
};

export const findPerson = statement((db, named: Named<'id'>) =>
  db
    .select(shown)
    .from(users)
    .where(eq(users.id, named('id'))),
);

export type PersonRow = ReturnType<typeof findPerson>['_']['result'][number];

/** People by role and name, from `firstRole` to `lastRole`, whatever position the page goes on after. */
export const findPeople = statement(
  (db, named: Named<'afterRole' | 'afterName' | 'afterId' | 'firstRole' | 'lastRole' | 'limit'>) =>
    db
      .select(shown)
      .from(users)
      .where(
        sql`(${users.role}, ${users.name}, ${users.id}) > (${named('afterRole')}, ${named('afterName')}, ${named('afterId')})
          and ${users.role} >= ${named('firstRole')} and ${users.role} <= ${named('lastRole')}`,
      )
      .orderBy(asc(users.role), asc(users.name), asc(users.id))
      .limit(named('limit')),
);

/** People of whom one word begins with `term` and others with the other terms, by the first word found. */
export const searchPeople = statement(
  (db, named: Named<'afterWord' | 'afterId' | 'term' | 'termEnd' | 'terms' | 'role' | 'limit'>) =>
    db
      .select({ word: searchWords.word, ...shown })
      .from(searchWords)
      .innerJoin(users, eq(users.id, searchWords.ownerId))
      .where(
        sql`${searchWords.kind} = 'person' and ${searchWords.word} >= ${named('term')}
          and ${searchWords.word} < ${named('termEnd')}
          and (${searchWords.word}, ${searchWords.ownerId}) > (${named('afterWord')}, ${named('afterId')})
          and (${named('role')} is null or ${users.role} = ${named('role')})
          and ${hasTerms(sql`${users.id}`, sql`${named('terms')}`)}
          and not exists (select 1 from search_words e where e.owner_id = ${searchWords.ownerId}
            and e.word >= ${named('term')} and e.word < ${searchWords.word})`,
      )
      .orderBy(asc(searchWords.word), asc(searchWords.ownerId))
      .limit(named('limit')),
);

const roleInput = ['before_role', 'before_doctor', 'role', 'doctor_id'] as const;

/** The person has the role that was read, and somebody stays an admin. */
const mayChangeRole: SQL = sql`exists (select 1 from users u where u.id = r.user_id and u.role = r.before_role
  and u.doctor_id is r.before_doctor) and (r.before_role <> 'admin' or r.role = 'admin'
  or (select count(*) from users a where a.role = 'admin') > 1)`;

/** Comes first in the batch: what follows happens only where this was recorded. */
export const recordRoleChange = securityEventWhen(mayChangeRole, roleInput);

export const updateRole = statement((db, named: Named<'id' | 'role' | 'doctorId' | 'now' | 'writeId'>) =>
  db
    .update(users)
    .set({
      role: sql`${named('role')}`,
      doctorId: sql`${named('doctorId')}`,
      updatedAt: sql`${named('now')}`,
    })
    .where(and(eq(users.id, named('id')), isRecorded(sql`${named('writeId')}`)))
    .returning(shown),
);

/** Takes an account over for the clinic: whatever password its owner chose opens it no more. */
export const unsetPassword = statement((db, named: Named<'id' | 'hash' | 'now' | 'writeId'>) =>
  db
    .update(users)
    .set({
      passwordHash: sql`${named('hash')}`,
      passwordUnsetAt: sql`${named('now')}`,
      invitedAt: sql`${named('now')}`,
    })
    .where(and(eq(users.id, named('id')), isRecorded(sql`${named('writeId')}`))),
);

/** No reset of before can be used for an account that is taken over. */
export const spendOlderResets = statement((db, named: Named<'id' | 'now' | 'writeId'>) =>
  db
    .update(passwordResets)
    .set({ usedAt: sql`${named('now')}` })
    .where(
      sql`${passwordResets.userId} = ${named('id')} and ${passwordResets.usedAt} is null
        and ${isRecorded(sql`${named('writeId')}`)}`,
    ),
);

const withWrite = isRecorded(sql`r.write_id`);

/** The one way to a first password, as a hash of its token. */
export const insertSetup = rowStatement(
  ['write_id', 'hash', 'user_id', 'now', 'expires_at', 'proves_email'],
  (db, row) =>
    insertFromRow(
      db,
      passwordResets,
      row,
      {
        hash: sql`r.hash`,
        userId: sql`r.user_id`,
        createdAt: sql`r.now`,
        expiresAt: sql`r.expires_at`,
        usedAt: sql`null`,
        provesEmail: sql`r.proves_email`,
      },
      sql`from r where ${withWrite}`,
    ).onConflictDoNothing(),
);

export const mailSetup = mailWhen(withWrite, ['write_id']);

/** Another way to a first password, for an account that still has none. */
export const recordSetupAgain = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.password_unset_at is not null)`,
);

/** Ends every device login of a person whose role has changed. */
export const endLogins = statement((db, named: Named<'id' | 'now' | 'writeId'>) =>
  db
    .update(deviceLogins)
    .set({ revokedAt: sql`${named('now')}`, revokedReason: 'role_changed' })
    .where(
      sql`${deviceLogins.userId} = ${named('id')} and ${deviceLogins.revokedAt} is null and ${isRecorded(sql`${named('writeId')}`)}`,
    ),
);

export const countAdmins = statement((db, _named: Named<never>) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(users)
    .where(eq(users.role, 'admin')),
);
