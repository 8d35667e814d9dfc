import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../db/db.ts';
import { type Named, statement } from '../../db/statement.ts';
import { clinic, logos } from '../../tables/catalog.ts';

export type ClinicRow = typeof clinic.$inferSelect;

/** Updates the clinic if it still has the previous version. New rules raise the version of its calendar. */
export const updateClinic = (db: Db, row: ClinicRow, hasNewRules: boolean) =>
  db
    .update(clinic)
    .set({
      name: row.name,
      address: row.address,
      phone: row.phone,
      logoUrl: row.logoUrl,
      logoTag: row.logoTag,
      color: row.color,
      minNoticeMinutes: row.minNoticeMinutes,
      maxAdvanceDays: row.maxAdvanceDays,
      cancelLeadMinutes: row.cancelLeadMinutes,
      maxLiveBookings: row.maxLiveBookings,
      maxUnprovedBookings: row.maxUnprovedBookings,
      retentionYears: row.retentionYears,
      consentVersion: row.consentVersion,
      privacyNoticeUrl: row.privacyNoticeUrl,
      version: row.version,
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

/** Leaves the clinic's own logo alone. */
export const sweepLogos = (db: Db) =>
  db.delete(logos).where(sql`${logos.tag} is not (select c.logo_tag from ${clinic} c where c.id = 1)`);
