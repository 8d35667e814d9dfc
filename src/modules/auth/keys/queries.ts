import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { columnGroup } from '../../../core/db/row-columns.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { apiKeys } from '../../../core/tables/keys.ts';
import { securityEventWhen } from '../audit/queries.ts';

export type KeyRow = typeof apiKeys.$inferSelect;

/** The key of a hash, whether it still opens anything or not; read on every request that it makes. */
export const findKnownKey = statement((db, named: Named<'id' | 'hash'>) =>
  db
    .select({
      id: apiKeys.id,
      scopes: apiKeys.scopes,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
      revokedAt: apiKeys.revokedAt,
      cancelLeadMinutes: sql<number | null>`(select c.cancel_lead_minutes from clinic c where c.id = 1)`.as(
        'cancel_lead_minutes',
      ),
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, named('id')), eq(apiKeys.hash, named('hash'))))
    .limit(1),
);

export type KnownKey = ReturnType<typeof findKnownKey>['_']['result'][number];

/** Stores when a key was used, unless the stored instant is recent enough. */
export const touchKey = rowStatement(['id', 'now', 'before'], (db, row) =>
  db
    .update(apiKeys)
    .set({ lastUsedAt: sql`r.now` })
    .from(fromRow(row))
    .where(and(sql`${apiKeys.id} = r.id`, sql`coalesce(${apiKeys.lastUsedAt}, 0) <= r.before`)),
);

export const findKey = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.id, named('id'))),
);

/** One page of keys, the newest first, before the position (beforeAt, beforeId). */
export const findKeys = statement((db, named: Named<'beforeAt' | 'beforeId' | 'limit'>) =>
  db
    .select()
    .from(apiKeys)
    .where(sql`(${apiKeys.createdAt}, ${apiKeys.id}) < (${named('beforeAt')}, ${named('beforeId')})`)
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(named('limit')),
);

/** Recorded unless the same request was answered before. */
export const recordKeyMade = securityEventWhen(isFirstRequest, ['key']);

const keyColumns = columnGroup(apiKeys, Object.keys(getTableColumns(apiKeys)) as (keyof KeyRow)[]);

/** Adds a key, in the batch that has recorded it. */
export const insertKey = rowStatement([...keyColumns.names, 'writeId'], (db, row) =>
  insertFromRow(db, apiKeys, row, sql`from r where ${rowIsRecorded}`, keyColumns.fromRow).returning({
    id: apiKeys.id,
  }),
);

/** Changes a key that was not revoked. */
export const updateKey = (db: Db, id: string, fields: Partial<KeyRow>) =>
  db
    .update(apiKeys)
    .set(fields)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning();
