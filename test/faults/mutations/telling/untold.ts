import { sql } from 'drizzle-orm';
import type { Db } from '../../../../src/core/db/db.ts';
import { bookings } from '../../../../src/core/tables/bookings.ts';
import { bookingEvents } from '../../../../src/core/tables/webhooks.ts';

const hourMs = 3_600_000;

/** More events than one planning step reads, all of them long past: new events come after them. */
export const fillEvents = (db: Db, occurredAt: number) =>
  db.insert(bookingEvents).select(
    sql`with recursive n(i) as (values (1) union all select i + 1 from n where i < 520)
      select i, 'w' || i, 'of-nobody', i, 'booking.updated', null, 'staff', 'r', ${sql.raw(String(occurredAt))}, '{}' from n`,
  );

/**
 * The clinic's changes after an instant for which no notice was ever planned, and visits in the 3.2 hours after it that
 * have no reminder although it was due. Patients who change their choices are left out.
 */
export const countUntold = async (db: Db, since: number, choosers: readonly string[]) => {
  const wishes = sql`b.patient_id in (select value from json_each(${JSON.stringify(choosers)}))`;
  const [changes] = await db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(sql`${bookingEvents} v join ${bookings} b on b.id = v.booking_id`)
    .where(
      sql`v.occurred_at >= ${since} and v.actor_role = 'staff' and not ${wishes}
        and (v.type in ('booking.canceled', 'booking.rescheduled') or (v.type = 'booking.created' and b.status = 'approved'))
        and not exists (select 1 from notices n where n.booking_id = v.booking_id and n.version = v.version
          and n.kind in ('canceled', 'moved', 'approved'))`,
    );
  const [reminders] = await db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(sql`${bookings} b`)
    .where(
      sql`b.status = 'approved' and b.starts_at > ${since + 24 * hourMs} and b.starts_at <= ${since + 27.2 * hourMs}
        and not ${wishes} and not exists (select 1 from ${bookingEvents} v where v.booking_id = b.id
          and v.occurred_at >= ${since} and v.type <> 'booking.updated')
        and not exists (select 1 from notices n where n.booking_id = b.id and n.kind = 'reminder_early')`,
    );
  return { changes: changes?.n ?? 0, reminders: reminders?.n ?? 0 };
};
