import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { isSeldom, securityEvents, users } from '../../../core/tables/accounts.ts';
import { patients } from '../../../core/tables/patients.ts';

type Filter = 'patientId' | 'actorId' | 'userId' | 'type' | 'route';
type PageValue = Filter | 'from' | 'beforeAt' | 'beforeSequence' | 'limit';

const columns: Readonly<Record<Filter, SQL>> = {
  patientId: sql`${securityEvents.patientId}`,
  actorId: sql`${securityEvents.actorId}`,
  userId: sql`${securityEvents.userId}`,
  type: sql`${securityEvents.type}`,
  route: sql`${securityEvents.route}`,
};

export const actors = alias(users, 'actors');
export const accounts = alias(users, 'accounts');

/** The names of today of those whom a line names by id. */
export const names = {
  actorName: sql<string | null>`coalesce(${actors.name}, (select k.name from api_keys k
    where k.id = ${securityEvents.actorId}))`.as('actor_name'),
  userName: sql<string | null>`${accounts.name}`.as('user_name'),
  patientName: sql<string | null>`${patients.name}`.as('patient_name'),
};

const isNewest = sql`${securityEvents.occurredAt} desc, ${securityEvents.sequence} desc`;

/** The lines that an index leads to by `led`, with the names of their people. */
const linesBy = (db: Db, named: Named<PageValue>, leading: Filter | null, led?: SQL) => {
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
      and(
        sql`${at} >= ${named('from')} and ${at} <= ${named('beforeAt')}
          and (${at}, ${securityEvents.sequence}) < (${named('beforeAt')}, ${named('beforeSequence')})`,
        ...filters,
        led,
      ),
    );
};

/** One page of the trail, the newest first, by the index of one filter, or by time. */
const pageBy = (leading: Filter | null, led?: SQL) =>
  statement((db, named: Named<PageValue>) =>
    linesBy(db, named, leading, led).orderBy(isNewest).limit(named('limit')),
  );

export const pages = {
  patientId: pageBy('patientId'),
  userId: pageBy('userId'),
  // Uses two indexes: the one by actor finds changes to other people's accounts, the one by account finds changes to
  // their own.
  actorId: statement((db, named: Named<PageValue>) =>
    linesBy(db, named, 'actorId', sql`${columns.actorId} is not ${columns.userId}`)
      .unionAll(linesBy(db, named, 'actorId', sql`${columns.userId} = ${named('actorId')}`))
      .orderBy(isNewest)
      .limit(named('limit')),
  ),
  /** About an account, and those that were joined with it. */
  person: statement((db, named: Named<PageValue | 'personId'>) =>
    linesBy(
      db,
      named as Named<PageValue>,
      null,
      sql`${columns.userId} in (select ${named('personId')} union all
        select m.id from patients m where m.merged_into = ${named('personId')})`,
    )
      .orderBy(isNewest)
      .limit(named('limit')),
  ),
  type: pageBy('type', isSeldom('security_events.')),
  time: pageBy(null),
};
