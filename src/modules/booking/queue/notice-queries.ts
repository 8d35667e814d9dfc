import { type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { doctorNotices } from '../../../core/tables/queues.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';
import { loginLives, roleHolds } from '../seats/guards.ts';

const actor = ['actorRole', 'actorDoctorId', 'loginId'] as const;
const noticeRow = ['doctorId', 'date', 'delayMinutes', 'message'] as const;

const standing = sql`from doctor_notices n where n.doctor_id = r.doctor_id and n.date = r.date`;

const says = sql`n.delay_minutes = r.delay_minutes and n.message = r.message`;

const isAnother: SQL = sql`(not exists (select 1 ${standing} and ${says})
  and (r.delay_minutes > 0 or r.message <> '' or exists (select 1 ${standing})))`;

/** Recorded if the notice differs from the present one. */
export const recordNotice = securityEventWhen(sql`${isAnother} and ${loginLives} and ${roleHolds}`, [
  ...actor,
  ...noticeRow,
]);

/** Writes a notice in its next version, where that was recorded. */
export const writeNotice = rowStatement([...noticeRow, 'writeId', 'now'], (db, row) =>
  insertFromRow(db, doctorNotices, row, sql`from r where ${rowIsRecorded}`, {
    version: sql`1`,
    updatedAt: sql`r.now`,
  }).onConflictDoUpdate({
    target: [doctorNotices.date, doctorNotices.doctorId],
    set: {
      delayMinutes: sql`excluded.delay_minutes`,
      message: sql`excluded.message`,
      version: sql`${doctorNotices.version} + 1`,
      updatedAt: sql`excluded.updated_at`,
    },
  }),
);

/** Whether the actor still has the right, and the version of the present notice; null if there never was one. */
export const explainNotice = rowStatement(
  ['doctorId', 'date', 'actorId', 'actorRole', 'actorDoctorId', 'loginId', 'now'],
  (db, row) =>
    db
      .select({
        loginLives: sql<number>`${loginLives}`.as('login_lives'),
        roleHolds: sql<number>`${roleHolds}`.as('role_holds'),
        version: sql<number | null>`(select n.version ${standing})`.as('version'),
      })
      .from(fromRow(row)),
);
