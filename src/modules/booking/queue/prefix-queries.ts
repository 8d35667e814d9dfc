import { and, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { queuePrefixes } from '../../../core/tables/queues.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';

const prefixRow = ['doctorId', 'sessionId', 'prefix', 'today'] as const;

const isOwn = sql`p.doctor_id = r.doctor_id and p.session_id = r.session_id`;

/** Another queue has the prefix, or had it and bookings from today on still carry it. */
const isTaken: SQL = sql`exists (select 1 from queue_prefixes p where p.prefix = r.prefix and not (${isOwn})
  and (p.replaced_at is null or exists (select 1 from bookings b where b.doctor_id = p.doctor_id
  and b.schedule_date >= r.today and b.session_id = p.session_id
  and substr(b.queue_label, 1, length(p.prefix) + 1) = p.prefix || '-')))`;

const isSession: SQL = sql`exists (select 1 from sessions s where s.id = r.session_id)`;

const stands: SQL = sql`exists (select 1 from queue_prefixes p where p.prefix = r.prefix and ${isOwn}
  and p.replaced_at is null)`;

/** Recorded if the queue may use the prefix and does not have it yet. */
export const recordPrefix = securityEventWhen(
  sql`${isSession} and not ${stands} and not ${isTaken}`,
  prefixRow,
);

/** The prefix that the queue had stays with it, for the bookings that carry it. */
export const replacePrefix = rowStatement(['doctorId', 'sessionId', 'writeId', 'now'], (db, row) =>
  db
    .update(queuePrefixes)
    .set({ replacedAt: sql`r.now` })
    .from(fromRow(row))
    .where(
      and(
        sql`${queuePrefixes.doctorId} = r.doctor_id and ${queuePrefixes.sessionId} = r.session_id`,
        sql`${queuePrefixes.replacedAt} is null`,
        rowIsRecorded,
      ),
    ),
);

export const takePrefix = rowStatement(['doctorId', 'sessionId', 'prefix', 'writeId'], (db, row) =>
  insertFromRow(db, queuePrefixes, row, sql`from r where ${rowIsRecorded}`, {}).onConflictDoUpdate({
    target: queuePrefixes.prefix,
    set: {
      doctorId: sql`excluded.doctor_id`,
      sessionId: sql`excluded.session_id`,
      replacedAt: sql`null`,
    },
  }),
);

/** Why the queue does not have the prefix. */
export const explainPrefix = rowStatement(prefixRow, (db, row) =>
  db
    .select({
      stands: sql<number>`${stands}`.as('stands'),
      isSession: sql<number>`${isSession}`.as('is_session'),
    })
    .from(fromRow(row)),
);
