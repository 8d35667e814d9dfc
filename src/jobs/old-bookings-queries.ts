import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { fromRow } from '../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../core/db/statement.ts';
import { bookings } from '../core/tables/bookings.ts';
import { replays } from '../core/tables/idempotency.ts';
import { patients } from '../core/tables/patients.ts';
import { bookingEvents, webhookDeliveries } from '../core/tables/webhooks.ts';
import { securityEventWhen } from '../modules/auth/audit/queries.ts';

/** The newest event stays, and its booking with it, until another one follows: no number is given to two events. */
export const notNewest = (id: SQL): SQL =>
  sql`${id} is not (select n.booking_id from booking_events n
    where n.sequence = (select max(m.sequence) from booking_events m))`;

/** The date before which the clinic's retention of bookings has ended; empty if it never ends. A bound number is a REAL, and `date` takes none. */
const buildCutoff = (named: (name: 'today' | 'years') => Placeholder): SQL => {
  const years = sql`coalesce(${named('years')}, (select c.retention_years from clinic c where c.id = 1), 0)`;
  return sql`(case when ${years} > 0 then date(${named('today')}, '-' || cast(${years} as integer) || ' years')
    else '' end)`;
};

export const findCutoff = statement((db, named: Named<'today' | 'years'>) =>
  db.select({ cutoff: sql<string>`${buildCutoff(named)}`.as('cutoff') }).from(sql`(select 1)`),
);

/**
 * Bookings older than the clinic's retention, oldest first, by the index of dates: none if it never deletes. `years` is
 * the environment's rule, null if the database has its own.
 */
export const findOld = statement((db, named: Named<'today' | 'years' | 'limit'>) => {
  const cutoff = buildCutoff(named);
  return db
    .select({
      id: bookings.id,
      patientId: bookings.patientId,
      cutoff: sql<string>`${cutoff}`.as('cutoff'),
    })
    .from(bookings)
    .where(sql`bookings.schedule_date < ${cutoff} and ${notNewest(sql`bookings.id`)}`)
    .orderBy(bookings.scheduleDate, bookings.startsAt, bookings.id)
    .limit(named('limit'));
});

/** Of those that were read: one that was moved meanwhile is not old any more. */
const stillOld: SQL = sql`select b.id from r, json_each(r.ids) i join bookings b on b.id = i.value
  and b.schedule_date < r.cutoff`;

const goes: SQL = sql`${stillOld} where ${notNewest(sql`b.id`)}`;

/** After their events were deleted, since those show which booking was the newest. */
const isGoing: SQL = sql`${stillOld} where not exists (select 1 from booking_events e where e.booking_id = b.id)`;

const oldRow = ['ids', 'cutoff'] as const;

export const removeDeliveries = rowStatement(oldRow, (db, row) =>
  db.delete(webhookDeliveries).where(
    sql`${webhookDeliveries.sequence} in (with ${row} select e.sequence from booking_events e
        where e.booking_id in (${goes}))`,
  ),
);

export const removeEvents = rowStatement(oldRow, (db, row) =>
  db.delete(bookingEvents).where(sql`${bookingEvents.bookingId} in (with ${row} ${goes})`),
);

/** Stored responses of the last day that contain one of them. */
export const removeAnswers = rowStatement(oldRow, (db, row) =>
  db
    .delete(replays)
    .where(
      sql`replays.expires_at > 0 and json_extract(replays.body, '$.data.id') in (with ${row} ${isGoing})`,
    ),
);

export const removeBookings = rowStatement(oldRow, (db, row) =>
  db.delete(bookings).where(sql`${bookings.id} in (with ${row} ${isGoing})`).returning({ id: bookings.id }),
);

/** A record whose last booking was removed, unchanged since then, and for which no account acts. */
const isForgotten = sql`patients.id in (select i.value from json_each(r.patients) i) and patients.erasure_id is null
  and patients.merged_into is null and patients.updated_at < r.until
  and not exists (select 1 from bookings b where b.patient_id = patients.id)
  and not exists (select 1 from waitlist_entries w where w.patient_id = patients.id and w.ended_at is null)
  and not exists (select 1 from users u where u.id = patients.id)
  and not exists (select 1 from family_relations f where f.patient_id = patients.id and f.ended_at is null)`;

const forgottenRow = ['patients', 'until'] as const;

/** Recorded if the record is old enough to be deleted: the following statements of the batch run only then. */
export const recordForgotten = securityEventWhen(
  sql`exists (select 1 from patients where ${isForgotten})`,
  forgottenRow,
);

export const markForgotten = rowStatement(['writeId', ...forgottenRow], (db, row) =>
  db.update(patients).set({ erasureId: sql`r.write_id` }).from(fromRow(row)).where(isForgotten),
);

/** Records that were already anonymous and have no booking any more. */
export const removeNobodys = rowStatement(['patients'], (db, row) =>
  db.delete(patients).where(
    sql`patients.id in (with ${row} select p.id from r, json_each(r.patients) i join patients p on p.id = i.value
        where p.erasure_id is not null and not exists (select 1 from bookings b where b.patient_id = p.id))`,
  ),
);
