import { sql } from 'drizzle-orm';
import { type Named, statement } from '../core/db/statement.ts';

/** How many blocks each of these keys sealed. */
export const countSealedBy = statement((db, named: Named<'keyIds'>) =>
  db
    .select({
      keyId: sql<string>`k.value`.as('key_id'),
      blocks: sql<number>`(select count(*) from audit_blocks b where b.key_id = k.value)`.as('blocks'),
    })
    .from(sql`json_each(${named('keyIds')}) k`),
);
