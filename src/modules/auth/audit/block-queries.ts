import { asc, desc, gt, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { securityEvents } from '../../../core/tables/accounts.ts';
import { auditBlocks } from '../../../core/tables/audit.ts';

export type Block = typeof auditBlocks.$inferSelect;
export type Line = typeof securityEvents.$inferSelect;

export const findLastBlock = statement((db, _named: Named<never>) =>
  db.select().from(auditBlocks).where(gt(auditBlocks.number, 0)).orderBy(desc(auditBlocks.number)).limit(1),
);

/**
 * The next lines that are not in a block. A line that commits later has a higher sequence, whatever its id or its time.
 */
export const findUnsealed = statement((db, named: Named<'limit'>) =>
  db
    .select()
    .from(securityEvents)
    .where(gt(securityEvents.sequence, sql`coalesce((select max(b.last_sequence) from audit_blocks b), 0)`))
    .orderBy(asc(securityEvents.sequence))
    .limit(named('limit')),
);

/** Appends a block, unless another sealer was first: its number is taken then, and no row is returned. */
export const insertBlock = (db: Db, block: Block) =>
  db.insert(auditBlocks).values(block).onConflictDoNothing().returning({ number: auditBlocks.number });

/** Blocks after a number, in order. */
export const findBlocks = statement((db, named: Named<'after' | 'limit'>) =>
  db
    .select()
    .from(auditBlocks)
    .where(gt(auditBlocks.number, named('after')))
    .orderBy(asc(auditBlocks.number))
    .limit(named('limit')),
);

/** The block before a number, however far before. */
export const findBlockBefore = statement((db, named: Named<'number'>) =>
  db
    .select()
    .from(auditBlocks)
    .where(lt(auditBlocks.number, named('number')))
    .orderBy(desc(auditBlocks.number))
    .limit(1),
);

/** Lines in a range of sequences, the first excluded and the last included. */
export const findLines = statement((db, named: Named<'after' | 'last' | 'limit'>) =>
  db
    .select()
    .from(securityEvents)
    .where(
      sql`${securityEvents.sequence} > ${named('after')} and ${securityEvents.sequence} <= ${named('last')}`,
    )
    .orderBy(asc(securityEvents.sequence))
    .limit(named('limit')),
);

/** The lines after the last block: their number, counted up to ten thousand, and the time of the first. */
export const countUnsealed = statement((db, _named: Named<never>) =>
  db
    .select({
      lines: sql<number>`count(*)`.as('lines'),
      oldestAt: sql<number | null>`min(u.occurred_at)`.as('oldest_at'),
      firstSequence: sql<number | null>`min(u.sequence)`.as('first_sequence'),
      // The database remembers the highest number that it ever gave, also once its row is gone.
      highestNumber:
        sql<number>`coalesce((select seq from sqlite_sequence where name = 'audit_blocks'), 0)`.as(
          'highest_number',
        ),
    })
    .from(
      sql`(select e.occurred_at, e.sequence from security_events e
        where e.sequence > coalesce((select max(b.last_sequence) from audit_blocks b), 0)
        order by e.sequence limit 10000) u`,
    ),
);

/** Blocks that an older key sealed. */
export const findSealedBy = statement((db, named: Named<'keyId' | 'after' | 'limit'>) =>
  db
    .select({ number: auditBlocks.number, hash: auditBlocks.hash, seal: auditBlocks.seal })
    .from(auditBlocks)
    .where(sql`${auditBlocks.keyId} = ${named('keyId')} and ${auditBlocks.number} > ${named('after')}`)
    .orderBy(asc(auditBlocks.number))
    .limit(named('limit')),
);

/** Seals blocks again with another key; each is given as number, the seal before, and the new one. */
export const resealBlocks = statement((db, named: Named<'blocks' | 'keyId'>) =>
  db
    .update(auditBlocks)
    .set({ keyId: sql`${named('keyId')}`, seal: sql`n.after` })
    .from(
      sql`(select value ->> 0 as number, value ->> 1 as before, value ->> 2 as after
        from json_each(${named('blocks')})) n`,
    )
    .where(sql`${auditBlocks.number} = n.number and ${auditBlocks.seal} = n.before`),
);
