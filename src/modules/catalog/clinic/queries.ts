import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { columnGroup } from '../../../core/db/row-columns.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { clinic, logos } from '../../../core/tables/catalog.ts';
import { clinicFields } from './fields.ts';

export type ClinicRow = typeof clinic.$inferSelect;

const changeable = columnGroup(clinic, [...clinicFields.names, 'logoTag', 'version']);

/** Updates the clinic if it still has the previous version. New rules raise the version of its calendar. */
export const updateClinic = (db: Db, row: ClinicRow, hasNewRules: boolean) =>
  db
    .update(clinic)
    .set({
      ...changeable.valuesOf(row),
      ...(hasNewRules && { calendarVersion: sql`${clinic.calendarVersion} + 1` }),
    })
    .where(and(eq(clinic.id, 1), eq(clinic.version, row.version - 1)))
    .returning();

export const findLogo = statement((db, named: Named<'tag'>) =>
  db
    .select()
    .from(logos)
    .where(eq(logos.tag, named('tag'))),
);

/** Stores a logo under the hash of its content; whose change of the clinic was lost, `sweepLogos` takes it away again. */
export const storeLogo = (db: Db, row: typeof logos.$inferInsert) =>
  db.insert(logos).values(row).onConflictDoNothing();

/** Does not change the clinic's own logo. */
export const sweepLogos = (db: Db) =>
  db.delete(logos).where(sql`${logos.tag} is not (select c.logo_tag from ${clinic} c where c.id = 1)`);
