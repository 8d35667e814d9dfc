import { sql } from 'drizzle-orm';
import { runAll } from '../../../core/db/db.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import { RequestRepeated, type StoredResponse } from '../../../core/idempotency/key.ts';
import { findReplay, overExpired, storedResponseTtlMs } from '../../../core/idempotency/queries.ts';
import { replays } from '../../../core/tables/idempotency.ts';
import type { ActingContext } from '../record/context.ts';
import type { BookingRow } from '../record/queries.ts';
import { actorHolds, notReplayed, toWriter, writer } from '../seats/guards.ts';
import { refuseActor } from '../seats/refusal.ts';
import { explainChange } from './queries.ts';

const storeUnchanged = rowStatement(
  [...writer, 'version', 'fingerprint', 'status', 'body', 'expiresAt'],
  (db, row) =>
    insertFromRow(
      db,
      replays,
      row,
      sql`from r where exists (select 1 from bookings b where b.id = r.id and b.version = r.version)
        and ${actorHolds} and ${notReplayed}`,
      {
        userId: sql`r.actor_id`,
        key: sql`r.key`,
        createdAt: sql`r.now`,
      },
    ).onConflictDoUpdate(overExpired),
);

/**
 * Stores the response of a request that changes nothing of a booking, so that its repeat changes nothing either, and
 * says whether the booking still has the version that was decided on. Throws if the actor lost access meanwhile, or if
 * the same request was already answered.
 */
export const storeUnchangedResponse = async (
  context: ActingContext,
  booking: BookingRow,
  response: StoredResponse | null,
): Promise<boolean> => {
  if (response === null) return true;
  const { db, newId } = context.deps;
  const { now } = context;
  const { idempotency, status } = response;
  const { key, fingerprint } = idempotency;
  const { version, startsAt } = booking;
  const body = JSON.stringify(response.body);
  const ids = toWriter(context, { id: booking.id, writeId: newId(), key });
  const {
    stored: [stored],
    why: [why],
  } = await runAll(db, {
    written: storeUnchanged(db, {
      ...ids,
      version,
      fingerprint,
      status,
      body,
      expiresAt: now + storedResponseTtlMs,
    }),
    stored: findReplay(db, { userId: ids.actorId ?? '', key, now }),
    why: explainChange(db, { ...ids, version, startsAt }),
  });
  if (why !== undefined) refuseActor({ ...why, repeated: 0 });
  if (stored === undefined) return false;
  if (stored.fingerprint !== fingerprint || stored.body !== body) throw new RequestRepeated();
  return true;
};
