import { eq, getTableColumns, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { securityEvents } from '../../../core/tables/accounts.ts';
import { patients } from '../../../core/tables/patients.ts';
import { accounts, actors, names } from '../../../modules/auth/audit/list-queries.ts';

/** The lines of a range of sequences with their names, in order: the first excluded and the last included. */
export const findNamedLines = statement((db, named: Named<'after' | 'last'>) =>
  db
    .select({ ...getTableColumns(securityEvents), ...names })
    .from(securityEvents)
    .leftJoin(actors, eq(actors.id, securityEvents.actorId))
    .leftJoin(accounts, eq(accounts.id, securityEvents.userId))
    .leftJoin(patients, eq(patients.id, securityEvents.patientId))
    .where(
      sql`${securityEvents.sequence} > ${named('after')} and ${securityEvents.sequence} <= ${named('last')}`,
    )
    .orderBy(securityEvents.sequence),
);

/** The first and the last line of a period, the end of which is not included. */
export const findPeriod = statement((db, named: Named<'from' | 'end'>) =>
  db
    .select({
      first: sql<number | null>`min(${securityEvents.sequence})`.as('first'),
      last: sql<number | null>`max(${securityEvents.sequence})`.as('last'),
    })
    .from(securityEvents)
    .where(
      sql`${securityEvents.occurredAt} >= ${named('from')} and ${securityEvents.occurredAt} < ${named('end')}`,
    ),
);
