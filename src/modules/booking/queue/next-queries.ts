import { and, type SQL, sql } from 'drizzle-orm';
import { fromRow } from '../../../core/db/from-row.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { stateColumns } from '../changes/queries.ts';
import { actorHolds, loginLives, notReplayed, roleHolds, writer } from '../seats/guards.ts';
import { awaitsCall, computeTurn } from '../seats/turn-queries.ts';

const nextRow = [...writer, 'doctorId', 'date', 'sessionId', 'choices'] as const;

/** The event of this write, of one of those who could be chosen. */
const eventOfWrite = sql`from json_each(r.choices) c cross join booking_events e on e.booking_id = c.key
  and e.write_id = r.write_id`;

const notCalledYet: SQL = sql`not exists (select 1 ${eventOfWrite})`;

/** The booking that is next to be called when the statement runs. */
const firstThere: SQL = sql`(select o.id from bookings o where o.doctor_id = r.doctor_id and o.schedule_date = r.date
  and (r.session_id is null or o.session_id = r.session_id) and ${awaitsCall('o')}
  order by ${computeTurn('o')}, o.id limit 1)`;

const stateOfChoice = Object.fromEntries(
  stateColumns.names.map((name) => [name, sql.raw(`r.choice ->> '$.state.${name}'`)]),
) as Record<(typeof stateColumns.names)[number], SQL>;

/** Calls the first who is there, if `choices` has that booking in its present version; otherwise does nothing. */
export const callFirst = rowStatement(nextRow, (db, row) =>
  db
    .update(bookings)
    .set({
      version: sql`${bookings.version} + 1`,
      writeId: sql`r.write_id`,
      ...stateOfChoice,
      updatedAt: sql`r.now`,
    })
    .from(
      sql`(with ${row}, f as (select r.*, ${firstThere} as first_id from r)
        select f.*, json_extract(f.choices, '$."' || f.first_id || '"') as choice from f) r`,
    )
    .where(
      and(
        sql`${bookings.id} = r.first_id`,
        sql`${bookings.version} = r.choice ->> '$.version'`,
        sql`${bookings.startsAt} = r.choice ->> '$.startsAt'`,
        actorHolds,
        notReplayed,
        notCalledYet,
      ),
    ),
);

const asTruth = (condition: SQL, name: string) => sql<number>`${condition}`.as(name);

/** The booking that the call called and, if none, the one that would be next and the rule that refused it. */
export const explainNext = rowStatement(nextRow, (db, row) =>
  db
    .select({
      bookingId: sql<string | null>`(select e.booking_id ${eventOfWrite})`.as('booking_id'),
      firstId: sql<string | null>`${firstThere}`.as('first_id'),
      loginLives: asTruth(loginLives, 'login_lives'),
      roleHolds: asTruth(roleHolds, 'role_holds'),
      repeated: asTruth(sql`not (${notReplayed})`, 'repeated'),
    })
    .from(fromRow(row)),
);
