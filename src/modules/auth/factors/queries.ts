import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { deviceLogins, isAdmin, isRecorded, rowIsRecorded, users } from '../../../core/tables/accounts.ts';
import { recoveryCodes, secondFactors } from '../../../core/tables/factors.ts';
import { securityEventWhen } from '../audit/queries.ts';

/** The factors of an account that ask for a code, the oldest first. */
export const findFactors = statement((db, named: Named<'userId'>) =>
  db
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, named('userId')), isNotNull(secondFactors.confirmedAt)))
    .orderBy(asc(secondFactors.createdAt), asc(secondFactors.id)),
);

export type FactorRow = ReturnType<typeof findFactors>['_']['result'][number];

/** The app that an account is setting up, if it is. */
export const findPending = statement((db, named: Named<'userId'>) =>
  db
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, named('userId')), isNull(secondFactors.confirmedAt))),
);

export const findFactor = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(secondFactors)
    .where(eq(secondFactors.id, named('id'))),
);

export const countRecoveryCodes = statement((db, named: Named<'userId'>) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, named('userId')), isNull(recoveryCodes.usedAt))),
);

/** An app that is being set up takes the place of any that was. */
export const deletePending = statement((db, named: Named<'userId'>) =>
  db
    .delete(secondFactors)
    .where(and(eq(secondFactors.userId, named('userId')), isNull(secondFactors.confirmedAt))),
);

export const insertFactor = statement((db, named: Named<'id' | 'userId' | 'name' | 'secret' | 'now'>) =>
  db.insert(secondFactors).values({
    id: named('id'),
    userId: named('userId'),
    kind: 'totp',
    name: named('name'),
    secret: named('secret'),
    counter: 0,
    createdAt: sql`${named('now')}`,
  }),
);

/** The values of a proof: a factor's code, a passkey's count of its uses, or a recovery code. */
export const proofColumns = ['factorId', 'counter', 'recoveryHash'] as const;

/**
 * Condition on the row `r`: the code of this factor was not used yet, nor was this recovery code. A passkey counts its
 * uses: a counter that does not increase belongs to a copy. Synced passkeys always send 0; their challenge is valid once.
 */
export const proofHolds = sql`(exists (select 1 from second_factors f where f.id = r.factor_id
  and f.user_id = r.user_id and f.confirmed_at is not null and (f.counter < r.counter
    or f.kind = 'passkey' and f.counter = 0 and r.counter = 0))
  or exists (select 1 from recovery_codes c where c.hash = r.recovery_hash and c.user_id = r.user_id
  and c.used_at is null))`;

/** After the event of a proof: its code is used up, and so are those of the steps before it. */
export const spendStep = statement((db, named: Named<'factorId' | 'counter' | 'now' | 'writeId'>) =>
  db
    .update(secondFactors)
    .set({ counter: sql`${named('counter')}`, lastUsedAt: sql`${named('now')}` })
    .where(and(eq(secondFactors.id, named('factorId')), isRecorded(named('writeId')))),
);

export const spendRecoveryCode = statement((db, named: Named<'recoveryHash' | 'now' | 'writeId'>) =>
  db
    .update(recoveryCodes)
    .set({ usedAt: sql`${named('now')}` })
    .where(and(eq(recoveryCodes.hash, named('recoveryHash')), isRecorded(named('writeId')))),
);

/** The first statement of the batch that turns a factor on; the code must be of an unused time step. */
export const recordAdded = securityEventWhen(
  sql`exists (select 1 from second_factors f where f.id = r.factor_id and f.user_id = r.user_id
    and f.confirmed_at is null and f.counter < r.counter)`,
  ['factorId', 'counter'],
);

/** The app that was in use before: an account has one. */
export const deleteReplaced = statement((db, named: Named<'userId' | 'exceptId' | 'writeId'>) =>
  db.delete(secondFactors).where(
    sql`${secondFactors.userId} = ${named('userId')} and ${secondFactors.id} <> ${named('exceptId')}
        and ${secondFactors.kind} = 'totp' and ${isRecorded(named('writeId'))}`,
  ),
);

const deleteEvery = statement((db, named: Named<'userId' | 'writeId'>) =>
  db
    .delete(secondFactors)
    .where(and(eq(secondFactors.userId, named('userId')), isRecorded(named('writeId')))),
);

export const confirmFactor = statement((db, named: Named<'factorId' | 'counter' | 'now' | 'writeId'>) =>
  db
    .update(secondFactors)
    .set({
      confirmedAt: sql`${named('now')}`,
      lastUsedAt: sql`${named('now')}`,
      counter: sql`${named('counter')}`,
    })
    .where(and(eq(secondFactors.id, named('factorId')), isRecorded(named('writeId'))))
    .returning(),
);

export const recordRemoved = securityEventWhen(
  sql`exists (select 1 from second_factors f where f.id = r.factor_id and f.user_id = r.user_id)`,
  ['factorId'],
);

export const deleteFactor = statement((db, named: Named<'factorId' | 'writeId'>) =>
  db.delete(secondFactors).where(and(eq(secondFactors.id, named('factorId')), isRecorded(named('writeId')))),
);

/** Whether a login needs a factor follows from the remaining factors. */
export const noteFactors = statement((db, named: Named<'userId' | 'now' | 'writeId'>) =>
  db
    .update(users)
    .set({
      secondFactorAt: sql`case when exists (select 1 from second_factors f where f.user_id = ${named('userId')}
        and f.confirmed_at is not null) then coalesce(${users.secondFactorAt}, ${named('now')}) end`,
    })
    .where(and(eq(users.id, named('userId')), isRecorded(named('writeId')))),
);

/** Deletes the previous codes when there are new ones. */
export const deleteRecoveryCodes = statement((db, named: Named<'userId' | 'writeId'>) =>
  db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, named('userId')), isRecorded(named('writeId')))),
);

/** The same, once no factor is left. */
export const deleteIdleCodes = statement((db, named: Named<'userId' | 'writeId'>) =>
  db.delete(recoveryCodes).where(
    sql`${recoveryCodes.userId} = ${named('userId')} and ${isRecorded(named('writeId'))}
        and not exists (select 1 from second_factors f where f.user_id = ${named('userId')}
          and f.confirmed_at is not null)`,
  ),
);

/** Removes all factors of an account, if the event was recorded. */
export const dropFactors = (
  db: Db,
  { userId, now, writeId }: { userId: string; now: number; writeId: string },
) =>
  [
    deleteEvery(db, { userId, writeId }),
    noteFactors(db, { userId, now, writeId }),
    deleteIdleCodes(db, { userId, writeId }),
  ] as const;

/** `hashes` is a JSON list. */
export const insertRecoveryCodes = rowStatement(['userId', 'hashes', 'now', 'writeId'], (db, row) =>
  insertFromRow(db, recoveryCodes, row, sql`from r, json_each(r.hashes) j where ${rowIsRecorded}`, {
    hash: sql`j.value`,
    createdAt: sql`r.now`,
  }),
);

/** Recorded only if an active factor uses codes, since otherwise they have no use. */
export const recordCodesMade = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.second_factor_at is not null)`,
);

/** The other devices were logged in by the password alone. */
export const endUnprovedLogins = statement((db, named: Named<'userId' | 'exceptId' | 'now' | 'writeId'>) =>
  db
    .update(deviceLogins)
    .set({ revokedAt: sql`${named('now')}`, revokedReason: 'factor_changed' })
    .where(
      sql`${deviceLogins.userId} = ${named('userId')} and ${deviceLogins.id} <> ${named('exceptId')}
        and ${deviceLogins.revokedAt} is null and ${isRecorded(named('writeId'))}`,
    ),
);

export const countUnguardedAdmins = statement((db, _named: Named<never>) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(users)
    .where(sql`${isAdmin} and ${users.secondFactorAt} is null and ${users.deactivatedAt} is null`),
);
