import { sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { eventsLookedThrough } from '../../../core/events/feed-queries.ts';
import type { bookingEvents } from '../../../core/tables/webhooks.ts';

type Event = typeof bookingEvents.$inferSelect;

/** The events of patients' records after a number: ids and kinds, without personal data. */
export const findPatientChanges = statement((db, named: Named<'after' | 'limit'>) =>
  db
    .select({
      sequence: sql<Event['sequence']>`w.sequence`.as('sequence'),
      type: sql<Event['type']>`w.type`.as('type'),
      at: sql<Event['occurredAt']>`w.occurred_at`.as('occurred_at'),
      by: sql<Event['actorRole']>`w.actor_role`.as('actor_role'),
      patientId: sql<string>`w.booking_id`.as('subject_id'),
      mergedInto: sql<string | null>`json_extract(w.payload, '$.merged_into')`.as('merged_into'),
    })
    .from(
      sql`(select e.* from booking_events e where e.sequence > ${named('after')} order by e.sequence
        limit ${sql.raw(String(eventsLookedThrough))}) w
        where substr(w.type, 1, 8) = 'patient.' order by w.sequence limit ${named('limit')}`,
    ),
);
