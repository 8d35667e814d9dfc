import { sql } from 'drizzle-orm';
import { fromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { waitlistEntries } from '../../../core/tables/queues.ts';

// The waitlist entries of two records of one patient. The update's `from` holds a subquery because it is read before a
// row changes.

/** The seats held for either of two records, and those whose offer is over. */
export const findOffers = statement((db, named: Named<'source' | 'target'>) =>
  db
    .select()
    .from(bookings)
    .where(
      sql`bookings.patient_id in (${named('source')}, ${named('target')}) and bookings.status = 'waiting'
        and bookings.held_until is not null`,
    ),
);

/** The offers of both records are exactly those that were read. */
export const offersAreCurrent = sql`(select count(*) from bookings o where o.patient_id in (r.source, r.target)
  and o.status = 'waiting' and o.held_until is not null) = json_array_length(r.offers)
  and not exists (select 1 from json_each(r.offers) j left join bookings o on o.id = j.value ->> 'id'
  and o.version = j.value ->> 'version' where o.id is null)`;

/** Ends offers, with the values they have after those of the source were moved; each end is a new version. */
export const endOffers = rowStatement(['writeId', 'moves', 'now', 'actorRole'], (db, row) =>
  db
    .update(bookings)
    .set({
      status: 'canceled',
      version: sql`${bookings.version} + 1`,
      writeId: sql`r.change ->> 'write_id'`,
      updatedAt: sql`r.now`,
      canceledAt: sql`r.now`,
      canceledBy: sql`r.actor_role`,
      cancelReasonCode: 'offer_declined',
    })
    .from(sql`(with ${row} select r.*, m.value as change from r, json_each(r.moves) m) r`)
    .where(
      sql`${bookings.id} = r.change ->> 'id' and ${bookings.version} = r.change ->> 'version' and ${rowIsRecorded}`,
    ),
);

/**
 * Where both records wait for the same session and doctor, ends all entries but one. That one takes the best position;
 * it is the entry with a held seat, else the target record's.
 */
export const endTwins = rowStatement(['writeId', 'source', 'target', 'now'], (db, row) =>
  db
    .update(waitlistEntries)
    .set({
      position: sql`t.place`,
      endedAt: sql`case when t.nth > 1 then t.now end`,
      endedAs: sql`case when t.nth > 1 then 'withdrawn' end`,
    })
    .from(
      sql`(with ${row} select w.id, r.now, count(*) over same as entries, min(w.position) over same as place,
        row_number() over (same order by exists (select 1 from bookings o where o.waitlist_id = w.id
        and o.status = 'waiting' and o.held_until is not null) desc, w.patient_id = r.target desc, w.position, w.id) as nth
        from r join waitlist_entries w on w.patient_id in (r.source, r.target) and w.ended_at is null
        where ${rowIsRecorded} window same as (partition by w.session_id, w.doctor_id)) t`,
    )
    .where(sql`waitlist_entries.id = t.id and t.entries > 1`),
);

/** Moves the source record's remaining entries to the target, with their positions unchanged. */
export const moveEntries = rowStatement(['writeId', 'source', 'target'], (db, row) =>
  db
    .update(waitlistEntries)
    .set({ patientId: sql`r.target`, familyAccount: sql`nullif(waitlist_entries.family_account, r.target)` })
    .from(fromRow(row))
    .where(sql`waitlist_entries.patient_id = r.source and ${rowIsRecorded}`),
);
