import { and, type SQL, sql } from 'drizzle-orm';
import { fromRow } from '../../db/from-row.ts';
import { columnGroup } from '../../db/row-columns.ts';
import { rowStatement } from '../../db/statement.ts';
import { bookings } from '../../tables/bookings.ts';
import { progressColumns } from '../record/queries.ts';
import { actorHolds, loginLives, notReplayed, notWrittenYet, roleHolds, writer } from '../seats/guards.ts';

/** The columns that a change may set, of a booking that stays in its slot. */
export const stateColumns = columnGroup(bookings, [
  ...progressColumns.names,
  'completedAt',
  'noShowAt',
  'canceledAt',
  'canceledBy',
  'cancelReasonCode',
  'cancelReason',
]);

/** What every change of a booking in its slot asks: the version that was decided on, by whoever still may. */
const isAsDecided = and(
  sql`${bookings.id} = r.id`,
  sql`${bookings.version} = r.version`,
  // A past booking changes its instant without a new version when the clinic changes its zone.
  sql`${bookings.startsAt} = r.starts_at`,
  actorHolds,
  notReplayed,
  notWrittenYet,
);

const changeRow = [...writer, 'version', 'startsAt'] as const;

/** Updates a booking if it still has the version that was decided on; otherwise does nothing. */
export const changeVersion = rowStatement([...changeRow, ...stateColumns.names], (db, row) =>
  db
    .update(bookings)
    .set({
      version: sql`r.version + 1`,
      writeId: sql`r.write_id`,
      ...stateColumns.fromRow,
      updatedAt: sql`r.now`,
    })
    .from(fromRow(row))
    .where(and(isAsDecided, sql`${bookings.status} <> 'canceled'`)),
);

/** Writes the notes of a booking if it still has the version that was decided on; otherwise does nothing. */
export const changeNotes = rowStatement([...changeRow, 'notes', 'staffNotes'], (db, row) =>
  db
    .update(bookings)
    .set({
      version: sql`r.version + 1`,
      writeId: sql`r.write_id`,
      notes: sql`r.notes`,
      staffNotes: sql`r.staff_notes`,
      updatedAt: sql`r.now`,
    })
    .from(fromRow(row))
    .where(isAsDecided),
);

const asTruth = (condition: SQL, name: string) => sql<number>`${condition}`.as(name);

/** Whether a change of a booking happened and, if it did not, what stood in its way. */
export const explainChange = rowStatement(changeRow, (db, row) =>
  db
    .select({
      written: asTruth(sql`not (${notWrittenYet})`, 'written'),
      loginLives: asTruth(sql`(r.actor_role = 'system' or ${loginLives})`, 'login_lives'),
      roleHolds: asTruth(sql`(r.actor_role = 'system' or ${roleHolds})`, 'role_holds'),
      repeated: asTruth(sql`not (${notReplayed})`, 'repeated'),
    })
    .from(fromRow(row)),
);
