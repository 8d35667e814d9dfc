import { sql } from 'drizzle-orm';
import { type Db, runAll } from '../../db/db.ts';
import { insertFromRow } from '../../db/from-row.ts';
import { rowStatement } from '../../db/statement.ts';
import { RequestRepeated, type StoredResponse } from '../../idempotency/key.ts';
import { findReplay } from '../../idempotency/queries.ts';
import { replays } from '../../tables/idempotency.ts';
import { notReplayed } from '../seats/guards.ts';
import { replayTtlMs } from './effects.ts';

const storeUnchanged = rowStatement(
  ['id', 'version', 'actorId', 'key', 'fingerprint', 'status', 'body', 'now', 'expiresAt'],
  (db, row) =>
    insertFromRow(
      db,
      replays,
      row,
      {
        userId: sql`r.actor_id`,
        key: sql`r.key`,
        fingerprint: sql`r.fingerprint`,
        status: sql`r.status`,
        body: sql`r.body`,
        createdAt: sql`r.now`,
        expiresAt: sql`r.expires_at`,
      },
      sql`from r where exists (select 1 from bookings b where b.id = r.id and b.version = r.version)
        and ${notReplayed}`,
    ).onConflictDoUpdate({
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

/**
 * Stores the response of a request that changes nothing of a booking, so that its repeat changes nothing either, and
 * says whether the booking still has the version that was decided on. Throws if the request was answered meanwhile.
 */
export const keepUnchanged = async (
  db: Db,
  booking: { id: string; version: number },
  actorId: string,
  now: number,
  response: StoredResponse | null,
): Promise<boolean> => {
  if (response === null) return true;
  const { id, version } = booking;
  const { idempotency, status } = response;
  const body = JSON.stringify(response.body);
  const expiresAt = now + replayTtlMs;
  const [, [stored]] = await runAll(db, [
    storeUnchanged(db, { id, version, actorId, ...idempotency, status, body, now, expiresAt }),
    findReplay(db, { userId: actorId, key: idempotency.key, now }),
  ]);
  if (stored === undefined) return false;
  if (stored.fingerprint !== idempotency.fingerprint || stored.body !== body) throw new RequestRepeated();
  return true;
};
