import { and, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { fromRow } from '../../../core/db/from-row.ts';
import { columnGroup } from '../../../core/db/row-columns.ts';
import { rowStatement, rowsStatement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { type BookingRow, progressColumns } from '../record/queries.ts';
import { actorHolds, loginLives, notReplayed, notWrittenYet, roleHolds, writer } from '../seats/guards.ts';
import { oldestWritten, roomToWrite } from '../seats/limit-guards.ts';
import { ruleNames, wouldBeOffered } from '../seats/offer-queries.ts';
import { awaitsCall, computeTurn } from '../seats/turn-queries.ts';

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

/**
 * The condition of every change of a booking in its slot: the version is unchanged since the decision, and the actor
 * still has the right.
 */
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

/** The clinic's rule is the one used for the decision; null if there was none, or if the environment sets it. */
const leadHolds: SQL = sql`(r.decided_lead is null or exists (select 1 from clinic c where c.id = 1
  and coalesce(c.cancel_lead_minutes, 0) = r.decided_lead))`;

const mayChange = and(isAsDecided, leadHolds, sql`${bookings.status} <> 'canceled'`);

const changeIf = (db: Db, row: SQL, columns: Partial<Record<keyof BookingRow, SQL>>, may: SQL | undefined) =>
  db
    .update(bookings)
    .set({ version: sql`r.version + 1`, writeId: sql`r.write_id`, ...columns, updatedAt: sql`r.now` })
    .from(fromRow(row))
    .where(may);

const changedRow = [...changeRow, 'decidedLead', ...stateColumns.names] as const;

/** Updates a booking if it still has the version that was decided on; otherwise does nothing. */
export const changeVersion = rowStatement(changedRow, (db, row) =>
  changeIf(db, row, stateColumns.fromRow, mayChange),
);

const isOffered = wouldBeOffered(sql`b.id = r.id`, {
  now: sql`r.now`,
  zone: sql`r.zone`,
  today: sql`r.today`,
  minNotice: sql`r.min_notice`,
  maxAdvance: sql`r.max_advance`,
});

/** The same, and only while the seat would be offered to somebody. */
export const changeIfOffered = rowStatement([...new Set([...changedRow, ...ruleNames])], (db, row) =>
  changeIf(db, row, stateColumns.fromRow, and(mayChange, sql`exists (select 1 from ${isOffered})`)),
);

/** As `changeVersion`, for several bookings: does nothing if one of them has another version by now. */
export const changeVersions = rowsStatement(changedRow, (db, row) =>
  changeIf(
    db,
    row,
    stateColumns.fromRow,
    and(
      mayChange,
      sql`not exists (select 1 from ${fromRow(row)} left join bookings on ${mayChange} where bookings.id is null)`,
    ),
  ),
);

/** The columns that a booking gets by hand. */
export const notedColumns = columnGroup(bookings, [
  'notes',
  'staffNotes',
  'payer',
  'visitKind',
  'referralNumber',
  'externalId',
  'metadata',
]);

const writtenRow = [...changeRow, 'maxAnHour'] as const;

const mayWrite = and(isAsDecided, roomToWrite);

/** Writes these if the booking still has the version that was decided on; otherwise does nothing. */
export const changeNotes = rowStatement([...writtenRow, ...notedColumns.names], (db, row) =>
  changeIf(db, row, notedColumns.fromRow, mayWrite),
);

const asksAsDecided = and(
  mayWrite,
  sql`exists (select 1 from sessions s where s.id = r.session_id and s.version = r.session_version)`,
  sql`${bookings.sessionId} = r.session_id`,
);

/** The same for the answers, and only while the session asks what was decided on. */
export const changeAnswers = rowStatement(
  [...writtenRow, 'sessionId', 'sessionVersion', 'answers'],
  (db, row) => changeIf(db, row, { answers: sql`r.answers` }, asksAsDecided),
);

const awaitsConfirming = and(
  isAsDecided,
  sql`${bookings.status} <> 'canceled'`,
  sql`${bookings.askedAt} is not null and ${bookings.confirmedAt} is null`,
);

/** The same, that the patient comes, of a booking whose reminder asked. */
export const confirmVisit = rowStatement(changeRow, (db, row) =>
  changeIf(db, row, { confirmedAt: sql`r.now` }, awaitsConfirming),
);

const turnOfSecond: SQL = sql`(select t.turn from (select ${computeTurn('o')} as turn, o.id as id from bookings o
  where o.doctor_id = bookings.doctor_id and o.schedule_date = bookings.schedule_date
  and o.session_id = bookings.session_id and o.id <> bookings.id and ${awaitsCall('o')}
  order by turn, id limit 2) t order by t.turn desc, t.id desc limit 1)`;

/**
 * Puts a booking that was just skipped right behind the next two who are there, or behind the last. Its turn continues
 * the text of the one before it, and the later of two that continue the same text comes first.
 */
export const placeBehind = rowStatement(['id', 'writeId', 'now'], (db, row) =>
  db
    .update(bookings)
    .set({
      queueTurn: sql`coalesce(${turnOfSecond} || '~' || printf('%013d', 9999999999999 - r.now), ${bookings.queueTurn})`,
    })
    .from(fromRow(row))
    .where(and(sql`${bookings.id} = r.id`, sql`${bookings.writeId} = r.write_id`, notWrittenYet)),
);

const asTruth = (condition: SQL, name: string) => sql<number>`${condition}`.as(name);

const reasons = {
  written: asTruth(sql`not (${notWrittenYet})`, 'written'),
  loginLives: asTruth(sql`(r.actor_role = 'system' or ${loginLives})`, 'login_lives'),
  roleHolds: asTruth(sql`(r.actor_role = 'system' or ${roleHolds})`, 'role_holds'),
  repeated: asTruth(sql`not (${notReplayed})`, 'repeated'),
};

const explain = (db: Db, row: SQL) => db.select(reasons).from(fromRow(row));

/** Whether a change of a booking happened and, if not, which rule refused it. */
export const explainChange = rowStatement(changeRow, explain);
export const explainChanges = rowsStatement(changeRow, explain);

/** The same of a change of notes or answers, with the limit of an hour. */
export const explainWritten = rowStatement(writtenRow, (db, row) =>
  db
    .select({
      ...reasons,
      roomToWrite: asTruth(roomToWrite, 'room_to_write'),
      oldestWritten: sql<number | null>`${oldestWritten}`.as('oldest_written'),
    })
    .from(fromRow(row)),
);
