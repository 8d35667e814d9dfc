import { sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { waitlistEntries } from '../../../core/tables/queues.ts';
import type { OpenTo } from '../../../core/tables/words.ts';
import { isKnown } from '../../catalog/slots/visit-guards.ts';
import { holdsNone, stands } from '../seats/offer-queries.ts';

/** Expired offers, oldest first. */
export const findLapsed = statement((db, named: Named<'now' | 'limit'>) =>
  db
    .select()
    .from(bookings)
    .where(
      sql`bookings.id in (select o.id from bookings o indexed by bookings_held where o.status = 'waiting'
        and o.held_until <= ${named('now')} order by o.held_until, o.id limit ${named('limit')})`,
    )
    .orderBy(sql`bookings.held_until`, sql`bookings.id`),
);

const isWithoutOffer = sql`not exists (select 1 from bookings o where o.waitlist_id = waitlist_entries.id
  and o.status = 'waiting' and o.held_until is not null)`;

/** Whether the last date of an entry has passed. */
export const findOver = statement((db, named: Named<'today'>) =>
  db
    .select({ id: waitlistEntries.id })
    .from(waitlistEntries)
    .where(sql`ended_at is null and to_date < ${named('today')} and ${isWithoutOffer}`)
    .limit(1),
);

/** Ends the entries whose last date has passed, except those with an offer. */
export const endOver = statement((db, named: Named<'now' | 'today'>) =>
  db
    .update(waitlistEntries)
    .set({ endedAt: sql`${named('now')}`, endedAs: 'over' })
    .where(sql`ended_at is null and to_date < ${named('today')} and ${isWithoutOffer}`),
);

/**
 * A page of the entries that may get an offer: entries whose patient holds an offer, or no longer exists, are left out.
 */
export const findWaiters = statement((db, named: Named<'skip' | 'limit'>) =>
  db
    .select()
    .from(waitlistEntries)
    .where(
      sql`id in (select w.id from waitlist_entries w indexed by waitlist_order where w.ended_at is null and ${holdsNone}
        and ${stands} order by w.session_id, w.position, w.id limit ${named('limit')} offset ${named('skip')})`,
    )
    .orderBy(sql`session_id`, sql`position`, sql`id`),
);

/** The doctors of each session for which an entry waits, and the limits of the session for each patient. */
export const findOffering = statement((db, _named: Named<never>) =>
  db
    .selectDistinct({
      sessionId: sql<string>`s.session_id`.as('session_id'),
      doctorId: sql<string>`s.doctor_id`.as('doctor_id'),
      minDaysBetween: sql<number | null>`x.min_days_between`.as('min_days_between'),
      openTo: sql<OpenTo>`x.open_to`.as('open_to'),
    })
    .from(
      sql`(select distinct w.session_id from waitlist_entries w indexed by waitlist_order where w.ended_at is null) n
        cross join schedules s on s.session_id = n.session_id and s.retired_at is null
        cross join sessions x on x.id = n.session_id`,
    ),
);

/** The bookings, present and past, of patients (a JSON list) in a span. */
export const findVisits = statement((db, named: Named<'patients' | 'after' | 'before'>) =>
  db
    .select({
      patientId: bookings.patientId,
      sessionId: bookings.sessionId,
      scheduleDate: bookings.scheduleDate,
      noShowAt: bookings.noShowAt,
      doctorId: bookings.doctorId,
      startsAt: bookings.startsAt,
      endsAt: bookings.endsAt,
      status: bookings.status,
      heldUntil: bookings.heldUntil,
      canceledBy: bookings.canceledBy,
    })
    .from(bookings)
    .where(
      sql`patient_id in (select p.value from json_each(${named('patients')}) p) and starts_at > ${named('after')}
        and starts_at < ${named('before')}`,
    ),
);

/** Which of the patients (a JSON list) have come to a visit. */
export const findKnown = statement((db, named: Named<'patients'>) =>
  db
    .select({ patientId: sql<string>`p.value`.as('patient_id') })
    .from(sql`json_each(${named('patients')}) p`)
    .where(isKnown(sql`p.value`, sql`''`)),
);
