import { type SQL, sql } from 'drizzle-orm';
import { type Db, recognisesRepeat, runAll, type Statement } from '../../db/db.ts';
import { columnsInOrder } from '../../db/insert-select.ts';
import { rowStatement } from '../../db/statement.ts';
import type { Deps } from '../../deps.ts';
import type { StoredResponse } from '../../idempotency/key.ts';
import { queues } from '../../tables/bookings.ts';
import { replays } from '../../tables/idempotency.ts';
import { bookingEvents } from '../../tables/webhooks.ts';
import { notWrittenYet } from '../seats/guards.ts';

export const replayTtlMs = 24 * 60 * 60 * 1000;

/** Who changes which booking, and the id of the change, made before it is written. */
export interface Change {
  bookingId: string;
  writeId: string;
  actorId: string | null;
  actorRole: (typeof bookingEvents.$inferInsert)['actorRole'];
  requestId: string;
  now: number;
  type: (typeof bookingEvents.$inferInsert)['type'];
  /** The booking after the change, as the event tells it. */
  payload: object;
  /** Whether the change may have taken a queue number. */
  takesTicket: boolean;
}

// Only the database knows the queue number, so it is inserted into the prepared JSON when the row is written.
const withQueueNumber = (text: SQL, path: '$.queue_number' | '$.data.queue_number') =>
  sql`json_replace(${text}, ${sql.raw(`'${path}'`)}, cast(b.queue_number as integer))`;

const changedBooking = sql`from r join bookings b on b.id = r.booking_id and b.write_id = r.write_id
  where ${notWrittenYet}`;

const raiseQueue = rowStatement(['booking_id', 'write_id'], (db, row) =>
  db
    .insert(queues)
    .select(
      sql`with ${row} select ${columnsInOrder(queues, {
        doctorId: sql`b.doctor_id`,
        scheduleDate: sql`b.schedule_date`,
        sessionId: sql`b.session_id`,
        lastNumber: sql`b.queue_number`,
      })} ${changedBooking}`,
    )
    .onConflictDoUpdate({
      target: [queues.doctorId, queues.scheduleDate, queues.sessionId],
      set: { lastNumber: sql`max(last_number, excluded.last_number)` },
    }),
);

const storeReplay = rowStatement(
  ['booking_id', 'write_id', 'user_id', 'key', 'fingerprint', 'status', 'body', 'now', 'expires_at'],
  (db, row) =>
    db
      .insert(replays)
      .select(
        sql`with ${row} select ${columnsInOrder(replays, {
          userId: sql`r.user_id`,
          key: sql`r.key`,
          fingerprint: sql`r.fingerprint`,
          status: sql`r.status`,
          body: withQueueNumber(sql`r.body`, '$.data.queue_number'),
          createdAt: sql`r.now`,
          expiresAt: sql`r.expires_at`,
        })} ${changedBooking}`,
      )
      .onConflictDoUpdate({
        target: [replays.userId, replays.key],
        set: {
          fingerprint: sql`excluded.fingerprint`,
          status: sql`excluded.status`,
          body: sql`excluded.body`,
          createdAt: sql`excluded.created_at`,
          expiresAt: sql`excluded.expires_at`,
        },
      }),
);

const recordEvent = rowStatement(
  ['booking_id', 'write_id', 'type', 'actor_id', 'actor_role', 'request_id', 'now', 'payload'],
  (db, row) =>
    db.insert(bookingEvents).select(
      sql`with ${row} select ${columnsInOrder(bookingEvents, {
        sequence: sql`null`,
        writeId: sql`r.write_id`,
        bookingId: sql`r.booking_id`,
        version: sql`b.version`,
        type: sql`r.type`,
        actorId: sql`r.actor_id`,
        actorRole: sql`r.actor_role`,
        requestId: sql`r.request_id`,
        occurredAt: sql`r.now`,
        payload: withQueueNumber(sql`r.payload`, '$.queue_number'),
      })} ${changedBooking}`,
    ),
);

const replayToStore = (db: Db, change: Change, { idempotency, status, body }: StoredResponse) =>
  storeReplay(db, {
    booking_id: change.bookingId,
    write_id: change.writeId,
    user_id: change.actorId,
    ...idempotency,
    status,
    body: JSON.stringify(body),
    now: change.now,
    expires_at: change.now + replayTtlMs,
  });

/**
 * What is written together with a change of a booking: its queue number, the answer kept for a repeat, and last
 * the event. Each does nothing when the change did not happen, or was already recorded.
 */
const effectsOf = (db: Db, change: Change, kept: StoredResponse | null) => {
  const written = { booking_id: change.bookingId, write_id: change.writeId };
  const event = {
    ...written,
    type: change.type,
    actor_id: change.actorId,
    actor_role: change.actorRole,
    request_id: change.requestId,
    now: change.now,
    payload: JSON.stringify(change.payload),
  };
  return [
    ...(change.takesTicket ? [raiseQueue(db, written)] : []),
    ...(kept === null ? [] : [replayToStore(db, change, kept)]),
    // Last, because every other statement first checks that no event with this write id exists.
    recognisesRepeat(recordEvent(db, event)),
  ] as const;
};

/**
 * Commits a guarded change with its effects in one atomic step and gives the explanation, which comes last. It is the
 * only way to write an event, and wakes whoever delivers them.
 */
export const commitChange = async <W extends { written: unknown }>(
  { db, eventsWritten }: Pick<Deps, 'db' | 'eventsWritten'>,
  guarded: Statement,
  change: Change,
  kept: StoredResponse | null,
  explanation: Statement<W[]>,
): Promise<W | undefined> => {
  const {
    why: [why],
  } = await runAll(db, { guarded, effects: effectsOf(db, change, kept), why: explanation });
  if (why?.written) eventsWritten();
  return why;
};
