import { and, asc, eq, sql } from 'drizzle-orm';
import { raiseClinicCalendar } from '../../../core/clinic/row.ts';
import type { Db } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { sessions } from '../../../core/tables/catalog.ts';

export type SessionRow = typeof sessions.$inferSelect;

export const findAllSessions = statement((db, named: Named<'afterName' | 'afterId' | 'limit'>) =>
  db
    .select()
    .from(sessions)
    .where(sql`(${sessions.name}, ${sessions.id}) > (${named('afterName')}, ${named('afterId')})`)
    .orderBy(asc(sessions.name), asc(sessions.id))
    .limit(named('limit')),
);

export const findSessionsByExternalId = statement((db, named: Named<'externalId'>) =>
  db
    .select()
    .from(sessions)
    .where(eq(sessions.externalId, named('externalId'))),
);

export const findSession = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(sessions)
    .where(eq(sessions.id, named('id'))),
);

export const insertSession = (db: Db, session: SessionRow) => db.insert(sessions).values(session);

/** Updates the row if it still has the previous version. Any calendar may show it, so the clinic's version rises. */
export const updateSession = (db: Db, { id, version, ...fields }: SessionRow) =>
  [
    db
      .update(sessions)
      .set({ ...fields, version })
      .where(and(eq(sessions.id, id), eq(sessions.version, version - 1)))
      .returning(),
    raiseClinicCalendar(db),
  ] as const;
