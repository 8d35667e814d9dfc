import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { busyColumns } from '../seats/alternative-queries.ts';

/** Bookings by a JSON list of their ids, the earliest first. */
export const findBookings = statement((db, named: Named<'ids'>) =>
  db
    .select(getTableColumns(bookings))
    .from(bookings)
    .where(sql`${bookings.id} in (select i.value from json_each(${named('ids')}) i)`)
    .orderBy(asc(bookings.startsAt), asc(bookings.id)),
);

/** The times of other upcoming bookings of these bookings' patients. */
export const findBusy = statement((db, named: Named<'ids' | 'now'>) =>
  db
    .select({ id: bookings.id, patientId: bookings.patientId, ...busyColumns })
    .from(bookings)
    .where(
      and(
        sql`${bookings.patientId} in (select b.patient_id from json_each(${named('ids')}) i
          join bookings b on b.id = i.value)`,
        sql`${bookings.startsAt} > ${named('now')} - 86400000 and ${bookings.endsAt} > ${named('now')}`,
        sql`${bookings.status} <> 'canceled'`,
      ),
    ),
);

/** Whether there is such a doctor, in service. */
export const findInService = statement((db, named: Named<'doctorId'>) =>
  db
    .select({ one: sql<number>`1`.as('one') })
    .from(sql`doctors d`)
    .where(and(eq(sql`d.id`, named('doctorId')), sql`d.retired_at is null`)),
);
