import { sql } from 'drizzle-orm';
import { type Named, statement } from '../../core/db/statement.ts';
import { eventsLookedThrough } from '../../core/events/feed-queries.ts';
import type { bookingEvents } from '../../core/tables/webhooks.ts';

type Event = typeof bookingEvents.$inferSelect;

/** The events after a number, of these types or (null) of all; none without a number. */
export const findEvents = statement((db, named: Named<'after' | 'types' | 'limit'>) =>
  db
    .select({
      sequence: sql<Event['sequence']>`w.sequence`.as('sequence'),
      writeId: sql<Event['writeId']>`w.write_id`.as('write_id'),
      type: sql<Event['type']>`w.type`.as('type'),
      occurredAt: sql<Event['occurredAt']>`w.occurred_at`.as('occurred_at'),
      actorRole: sql<Event['actorRole']>`w.actor_role`.as('actor_role'),
      payload: sql<Event['payload']>`w.payload`.as('payload'),
    })
    .from(
      sql`(select e.* from booking_events e where e.sequence > ${named('after')} order by e.sequence
        limit ${sql.raw(String(eventsLookedThrough))}) w
        where (${named('types')} is null or w.type in (select value from json_each(${named('types')})))
        order by w.sequence limit ${named('limit')}`,
    ),
);
