import { asc, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../db/statement.ts';
import { written } from '../db/written.ts';
import { bookings } from '../tables/bookings.ts';
import { listed } from './queries.ts';

// How the archive follows the clinic's database: a merge, an erasure, the years of retention, another time zone.

const isLastEvent = sql`version = (select b.version from bookings b where b.id = booking_id)`;

/** The bookings of a record become those of another one: all, or those that were `of` that before they followed a merge. */
export const moveToRecord = statement((db, named: Named<'from' | 'to' | 'of'>) =>
  written(
    db,
    sql`update bookings set patient_id = ${named('to')}, merged_from = nullif(coalesce(merged_from, patient_id), ${named('to')})
      where patient_id = ${named('from')} and merged_from is coalesce(${named('of')}, merged_from)`,
  ),
);

/** After it: the last event of each shows the booking as it is. */
export const moveEventsToRecord = statement((db, named: Named<'to'>) =>
  written(
    db,
    sql`update booking_events set payload = json_set(payload, '$.patient_id', ${named('to')})
      where booking_id in (select id from bookings where patient_id = ${named('to')}) and ${isLastEvent}
        and payload ->> '$.patient_id' <> ${named('to')}`,
  ),
);

const ofPatients = (ids: SQL): SQL => listed(sql`patient_id`, ids);

/** What a person's erasure takes out of the clinic's database, it takes out of these bookings too. */
export const clearArchived = statement((db, named: Named<'patientIds'>) =>
  written(
    db,
    sql`update bookings set notes = '', staff_notes = '', cancel_reason = null, referral_number = null, answers = null,
      external_id = null, metadata = null where ${ofPatients(sql`${named('patientIds')}`)}
      and (notes, staff_notes, cancel_reason, referral_number, external_id, metadata, answers)
      is not ('', '', null, null, null, null, null)`,
  ),
);

/** And out of their events. */
export const clearArchivedEvents = statement((db, named: Named<'patientIds'>) =>
  written(
    db,
    sql`update booking_events set payload = json_remove(payload, '$.external_id', '$.metadata')
      where booking_id in (select id from bookings where ${ofPatients(sql`${named('patientIds')}`)})
      and (payload like '%"external_id"%' or payload like '%"metadata"%')`,
  ),
);

/** The archived bookings that are older than a clinic keeps them, the oldest first. */
export const findOutdated = statement((db, named: Named<'before' | 'limit'>) =>
  db
    .select({ id: bookings.id })
    .from(bookings)
    .where(sql`${bookings.scheduleDate} < ${named('before')}`)
    .orderBy(asc(bookings.scheduleDate), asc(bookings.startsAt), asc(bookings.id))
    .limit(named('limit')),
);

export const removeArchivedEvents = statement((db, named: Named<'ids'>) =>
  written(db, sql`delete from booking_events where ${listed(sql`booking_id`, sql`${named('ids')}`)}`),
);
export const removeArchived = statement((db, named: Named<'ids'>) =>
  written(db, sql`delete from bookings where ${listed(sql`id`, sql`${named('ids')}`)}`),
);

/** The local times of archived bookings with the instant of each, after a date. */
export const findTimes = statement((db, named: Named<'afterDate' | 'limit'>) =>
  db
    .selectDistinct({
      date: bookings.scheduleDate,
      time: bookings.scheduleTime,
      startsAt: bookings.startsAt,
    })
    .from(bookings)
    .where(sql`${bookings.scheduleDate} > ${named('afterDate')} and ${bookings.scheduleDate} <=
      (select max(d.schedule_date) from (select distinct schedule_date from bookings
        where schedule_date > ${named('afterDate')} order by schedule_date limit ${named('limit')}) d)`)
    .orderBy(asc(bookings.scheduleDate)),
);
const movedInstant = (column: SQL, { from, to }: Record<'from' | 'to', SQL>): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', (b.${column} + ${to} - ${from}) / 1000, 'unixepoch')`;

/** Before it: the last event of each shows the booking as it is. */
export const moveTimeOfEvents = statement((db, named: Named<'date' | 'time' | 'from' | 'to'>) => {
  const span = { from: sql`${named('from')}`, to: sql`${named('to')}` };
  return written(
    db,
    sql`update booking_events set payload = json_set(payload, '$.starts_at', ${movedInstant(sql`starts_at`, span)},
      '$.ends_at', ${movedInstant(sql`ends_at`, span)}) from bookings b where b.id = booking_events.booking_id
      and b.version = booking_events.version and b.schedule_date = ${named('date')}
      and b.schedule_time = ${named('time')} and b.starts_at = ${named('from')}`,
  );
});
/** The bookings of a local time take another instant. */
export const moveTime = statement((db, named: Named<'date' | 'time' | 'from' | 'to'>) =>
  written(
    db,
    sql`update bookings set ends_at = ends_at + ${named('to')} - starts_at, starts_at = ${named('to')}
      where schedule_date = ${named('date')} and schedule_time = ${named('time')} and starts_at = ${named('from')}`,
  ),
);
