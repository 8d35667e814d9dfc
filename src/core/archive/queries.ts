import { asc, desc, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../db/statement.ts';
import { bookings } from '../tables/bookings.ts';
import { bookingEvents } from '../tables/webhooks.ts';

// The archive has the bookings and events of the clinic's database in tables of the same names, and nothing else:
// a reader of it asks the clinic's database for names.

/** An archived booking, and whether it is known to have left the clinic's own database. */
export type ArchivedRow = typeof bookings.$inferSelect & { settled: number };

const shown = { ...getTableColumns(bookings), settled: sql<number>`settled`.as('settled') };

/** Ids as `listed` takes them. */
export const idList = (rows: readonly { id: string }[]): string => JSON.stringify(rows.map(({ id }) => id));

export const listed = (value: SQL, list: SQL): SQL => sql`${value} in (select value from json_each(${list}))`;

/** Of the clinic's own database: which of these it still has. */
export const findStanding = statement((db, named: Named<'ids'>) =>
  db
    .select({ id: bookings.id })
    .from(bookings)
    .where(listed(sql`${bookings.id}`, sql`${named('ids')}`)),
);

export const findArchivedById = statement((db, named: Named<'ids'>) =>
  db
    .select(shown)
    .from(bookings)
    .where(listed(sql`${bookings.id}`, sql`${named('ids')}`)),
);

export const findArchivedByCode = statement((db, named: Named<'code'>) =>
  db
    .select(shown)
    .from(bookings)
    .where(sql`${bookings.bookingCode} = ${named('code')}`),
);

type OfPatients =
  | 'patientIds'
  | 'fromStart'
  | 'beforeStart'
  | 'endsBy'
  | 'cursorStart'
  | 'cursorId'
  | 'status'
  | 'doctorId'
  | 'limit';

/** One page of the bookings of some patients, the newest first. */
export const findArchivedOfPatients = statement((db, named: Named<OfPatients>) =>
  db
    .select(shown)
    .from(bookings)
    .where(
      sql`${listed(sql`${bookings.patientId}`, sql`${named('patientIds')}`)}
        and ${bookings.startsAt} >= ${named('fromStart')} and ${bookings.startsAt} < ${named('beforeStart')}
        and ${bookings.endsAt} <= ${named('endsBy')}
        and (${bookings.startsAt}, ${bookings.id}) < (${named('cursorStart')}, ${named('cursorId')})
        and (${named('status')} is null or ${bookings.status} = ${named('status')})
        and (${named('doctorId')} is null or ${bookings.doctorId} = ${named('doctorId')})`,
    )
    .orderBy(desc(bookings.startsAt), desc(bookings.id))
    .limit(named('limit')),
);

/** How often a patient came, did not come and canceled, of those that have left the clinic's own database. */
export const countArchivedVisits = statement((db, named: Named<'patientId'>) =>
  db
    .select({
      completed: sql<number>`count(${bookings.completedAt})`.as('completed'),
      noShows: sql<number>`count(${bookings.noShowAt})`.as('no_shows'),
      cancellations: sql<number>`count(case when ${bookings.status} = 'canceled' then 1 end)`.as(
        'cancellations',
      ),
    })
    .from(bookings)
    .where(sql`${bookings.patientId} = ${named('patientId')} and settled = 1`),
);

/** One page of all bookings in the order of their ids, of those that were changed since an instant. */
export const findArchivedFrom = statement((db, named: Named<'since' | 'afterId' | 'limit'>) =>
  db
    .select(shown)
    .from(bookings)
    .where(sql`${bookings.id} > ${named('afterId')} and ${bookings.updatedAt} >= ${named('since')}`)
    .orderBy(asc(bookings.id))
    .limit(named('limit')),
);

/** The events of some bookings, each booking's in order, after a version. */
export const findArchivedEvents = statement((db, named: Named<'ids' | 'afterVersion' | 'limit'>) =>
  db
    .select()
    .from(bookingEvents)
    .where(
      sql`${listed(sql`${bookingEvents.bookingId}`, sql`${named('ids')}`)} and ${bookingEvents.version} > ${named('afterVersion')}`,
    )
    .orderBy(asc(bookingEvents.bookingId), asc(bookingEvents.version))
    .limit(named('limit')),
);

/** All events after a number, in order. */
export const findEventsAfter = statement((db, named: Named<'afterSequence' | 'limit'>) =>
  db
    .select()
    .from(bookingEvents)
    .where(sql`${bookingEvents.sequence} > ${named('afterSequence')}`)
    .orderBy(asc(bookingEvents.sequence))
    .limit(named('limit')),
);

/** Of the clinic's own database: which of these codes its bookings have. */
export const findCodesTaken = statement((db, named: Named<'codes'>) =>
  db
    .select({ code: bookings.bookingCode })
    .from(bookings)
    .where(listed(sql`${bookings.bookingCode}`, sql`${named('codes')}`)),
);

/** Which of these bookings have the code of another archived one, whose id is lower. */
export const findTwiceGiven = statement((db, named: Named<'ids'>) =>
  db
    .select({ id: bookings.id })
    .from(bookings)
    .where(
      sql`${listed(sql`${bookings.id}`, sql`${named('ids')}`)} and exists
        (select 1 from bookings o where o.booking_code = ${bookings.bookingCode} and o.id < ${bookings.id})`,
    ),
);

/** Whose bookings are archived, in the order of the ids. */
export const findArchivedPatients = statement((db, named: Named<'afterId' | 'limit'>) =>
  db
    .selectDistinct({ id: bookings.patientId })
    .from(bookings)
    .where(sql`${bookings.patientId} > ${named('afterId')}`)
    .orderBy(asc(bookings.patientId))
    .limit(named('limit')),
);
