import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { type Named, statement } from '../../db/statement.ts';
import { securityEvents, users } from '../../tables/accounts.ts';
import { patients } from '../../tables/patients.ts';

type Filter = 'patientId' | 'actorId' | 'userId' | 'type' | 'route';
type PageValue = Filter | 'from' | 'beforeAt' | 'beforeSequence' | 'limit';

const columns: Readonly<Record<Filter, SQL>> = {
  patientId: sql`${securityEvents.patientId}`,
  actorId: sql`${securityEvents.actorId}`,
  userId: sql`${securityEvents.userId}`,
  type: sql`${securityEvents.type}`,
  route: sql`${securityEvents.route}`,
};

const actors = alias(users, 'actors');
const accounts = alias(users, 'accounts');

const names = {
  actorName: sql<string | null>`${actors.name}`.as('actor_name'),
  userName: sql<string | null>`${accounts.name}`.as('user_name'),
  patientName: sql<string | null>`${patients.name}`.as('patient_name'),
};

/** One page of the trail, the newest first, with the names of its people, by the index of one filter, or by time. */
const pageBy = (leading: Filter | null) =>
  statement((db, named: Named<PageValue>) => {
    const filters = (Object.keys(columns) as Filter[]).map((name) =>
      name === leading
        ? sql`${columns[name]} = ${named(name)}`
        : sql`(${named(name)} is null or ${columns[name]} = ${named(name)})`,
    );
    const at = securityEvents.occurredAt;
    return db
      .select({
        ...getTableColumns(securityEvents),
        ...names,
        block: sql<number | null>`(select b.number from audit_blocks b
          where b.last_sequence >= ${securityEvents.sequence} order by b.last_sequence limit 1)`.as('block'),
      })
      .from(securityEvents)
      .leftJoin(actors, eq(actors.id, securityEvents.actorId))
      .leftJoin(accounts, eq(accounts.id, securityEvents.userId))
      .leftJoin(patients, eq(patients.id, securityEvents.patientId))
      .where(
        sql`${at} >= ${named('from')} and ${at} <= ${named('beforeAt')}
          and (${at}, ${securityEvents.sequence}) < (${named('beforeAt')}, ${named('beforeSequence')})
          and ${sql.join(filters, sql` and `)}`,
      )
      .orderBy(sql`${at} desc`, sql`${securityEvents.sequence} desc`)
      .limit(named('limit'));
  });

/** By what few lines have in common: a patient has the fewest, a type the most. */
export const pages = {
  patientId: pageBy('patientId'),
  userId: pageBy('userId'),
  actorId: pageBy('actorId'),
  type: pageBy('type'),
  time: pageBy(null),
};

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
