import { sql } from 'drizzle-orm';
import type { Statement } from '../../../core/db/db.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import type { Deps } from '../../../core/deps.ts';
import { holds } from '../../../core/tables/queues.ts';
import { takesCodes } from '../../../core/takes-codes.ts';

const endTaken = rowStatement(['bookingId', 'writeId', 'hold', 'actorId'], (db, row) =>
  db.delete(holds).where(
    sql`id in (with ${row} select h.id from r cross join bookings b on b.id = r.booking_id and b.write_id = r.write_id
        cross join holds h on h.secret_hash = r.hold or h.account_id = r.actor_id
        where h.secret_hash is r.hold
          or (h.doctor_id = b.doctor_id and h.schedule_date = b.schedule_date and h.starts_at = b.starts_at))`,
  ),
);

/**
 * Ends the hold that this write turns into a booking, in its batch: the one that was named by its secret, and the
 * account's own of that slot. Nothing where the clinic holds no slots.
 */
export const endTakenHolds = (
  deps: Pick<Deps, 'db' | 'config' | 'mailer'>,
  {
    id,
    writeId,
    hold,
    actorId,
  }: { id: string; writeId: string; hold: string | null; actorId: string | null },
): readonly Statement[] =>
  takesCodes(deps) ? [endTaken(deps.db, { bookingId: id, writeId, hold, actorId })] : [];
