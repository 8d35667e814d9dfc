import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../db/db.ts';
import { clinic } from '../../tables/catalog.ts';

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
