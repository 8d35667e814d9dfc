import { sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { fromRow } from '../../../core/db/from-row.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { waitlistEntries } from '../../../core/tables/queues.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';

const sameSession = sql`exists (select 1 from waitlist_entries w join waitlist_entries b on b.session_id = w.session_id
  where w.id = r.entry_id and w.ended_at is null and b.id = coalesce(r.before_id, w.id) and b.ended_at is null)`;

/** Recorded where both entries wait for the same session. */
export const recordOrder = securityEventWhen(sql`${isFirstRequest} and ${sameSession}`, [
  'entryId',
  'beforeId',
  'key',
]);

const ordering = ['entryId', 'beforeId', 'writeId'] as const;
const ofSession = sql`waitlist_entries.ended_at is null and waitlist_entries.session_id =
  (select w.session_id from waitlist_entries w where w.id = r.entry_id)`;
const placeBefore = sql`(select w.position from waitlist_entries w where w.id = r.before_id)`;

/** Moves an entry and all behind it one position back. */
const stepBack = rowStatement(ordering, (db, row) =>
  db
    .update(waitlistEntries)
    .set({ position: sql`waitlist_entries.position + 1` })
    .from(sql`(with ${row} select r.*, ${placeBefore} as place from r) r`)
    .where(
      sql`${ofSession} and waitlist_entries.position >= r.place and waitlist_entries.id <> r.entry_id and ${rowIsRecorded}`,
    ),
);

/** Puts the entry into the place before the other, or behind all. */
const takePlace = rowStatement(ordering, (db, row) =>
  db
    .update(waitlistEntries)
    .set({
      position: sql`coalesce(${placeBefore} - 1, (select 1 + max(l.position) from waitlist_entries l
        where l.session_id = waitlist_entries.session_id and l.ended_at is null and l.id <> waitlist_entries.id),
        waitlist_entries.position)`,
    })
    .from(fromRow(row))
    .where(
      sql`waitlist_entries.id = r.entry_id and waitlist_entries.id is not r.before_id and ${rowIsRecorded}`,
    )
    .returning({ id: waitlistEntries.id }),
);

/** The statements that put an entry before another, where that was recorded. */
export const putBefore = (db: Db, values: { entryId: string; beforeId: string | null; writeId: string }) => ({
  steppedBack: stepBack(db, values),
  moved: takePlace(db, values),
});
