import { and, sql } from 'drizzle-orm';
import { fromRow } from '../../../core/db/from-row.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import type { LimitReason } from '../../catalog/slots/limit-rules.ts';
import {
  actorHolds,
  loginLives,
  nextQueueLabel,
  nextQueueNumber,
  notReplayed,
  notWrittenYet,
  roleHolds,
  writer,
} from '../seats/guards.ts';
import { proofOrFew, roomForPatient } from '../seats/limit-guards.ts';
import { unlessWritten } from '../seats/queries.ts';
import { approvalUnchanged, limitReason, withinLimitsOfRow } from '../seats/session-guards.ts';

const accepting = [
  ...writer,
  'version',
  'startsAt',
  'patientId',
  'doctorId',
  'sessionId',
  'scheduleDate',
  'maxComing',
  'maxUnproved',
  'ahead',
  'approval',
  'maxPerDay',
  'minDaysBetween',
  'openTo',
  'approvalAfter',
  'waits',
] as const;

const approvalHolds = sql`exists (select 1 from sessions n where n.id = r.session_id and n.approval = r.approval)`;

/** Makes a booking of an offer whose time is not over, with the next number of its queue, or does nothing. */
export const acceptVersion = rowStatement([...accepting, 'status', 'approvedAt'], (db, row) =>
  db
    .update(bookings)
    .set({
      version: sql`r.version + 1`,
      writeId: sql`r.write_id`,
      status: sql`r.status`,
      approvedAt: sql`r.approved_at`,
      heldUntil: null,
      queueNumber: nextQueueNumber,
      queueLabel: nextQueueLabel,
      updatedAt: sql`r.now`,
    })
    .from(fromRow(row))
    .where(
      and(
        sql`${bookings.id} = r.id and ${bookings.version} = r.version and ${bookings.startsAt} = r.starts_at
          and ${bookings.status} = 'waiting' and ${bookings.heldUntil} > r.now`,
        actorHolds,
        notReplayed,
        notWrittenYet,
        approvalHolds,
        approvalUnchanged,
        withinLimitsOfRow,
        roomForPatient,
        proofOrFew,
      ),
    ),
);

/** Whether an offer was accepted, with its number, and which rule refused it if not. */
export const explainAccept = rowStatement(accepting, (db, row) =>
  db
    .select({
      written: sql<number>`e.write_id is not null`.as('written'),
      queueNumber: sql<number | null>`json_extract(e.payload, '$.queue_number')`.as('queue_number'),
      queueLabel: sql<string | null>`json_extract(e.payload, '$.queue_label')`.as('queue_label'),
      loginLives: sql<number>`${unlessWritten(loginLives)}`.as('login_lives'),
      roleHolds: sql<number>`${unlessWritten(roleHolds)}`.as('role_holds'),
      repeated: sql<number>`${unlessWritten(sql`not (${notReplayed})`)}`.as('repeated'),
      roomForPatient: sql<number>`${unlessWritten(roomForPatient)}`.as('room_for_patient'),
      proofOrFew: sql<number>`${unlessWritten(proofOrFew)}`.as('proof_or_few'),
      limit: sql<LimitReason | null>`${unlessWritten(limitReason)}`.as('limit_reason'),
    })
    .from(sql`${fromRow(row)} left join booking_events e on e.booking_id = r.id and e.write_id = r.write_id`)
    .limit(1),
);
