import { type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { holds } from '../../../core/tables/queues.ts';
import { calendarUnchanged, doctorFree, doctorNotHeldByOthers, seatFree } from '../seats/guards.ts';

/**
 * The values that decide whether a slot is held. `hold` is the hash of the secret of the hold whose place it takes, if
 * there is one; `actorId` the account, whose last hold it takes the place of.
 */
const asked = [
  'id',
  'secretHash',
  'hold',
  'actorId',
  'network',
  'maxHeld',
  'maxHeldByGuests',
  'maxHeldOfDay',
  'doctorId',
  'sessionId',
  'scheduleDate',
  'scheduleTime',
  'startsAt',
  'endsAt',
  'capacity',
  'beyond',
  'doctorVersion',
  'clinicVersion',
  'now',
  'expiresAt',
] as const;

/** Another hold of the same account or secret. */
const isLast = sql`(coalesce(h.secret_hash = r.hold, false) or coalesce(h.account_id = r.actor_id, false)) and h.id <> r.id`;

const heldOfNetwork = sql`from holds h where h.expires_at > r.now and h.network = r.network and not (${isLast})`;

// Holds of accounts and of the clinic's keys have no network.
const heldByGuests = sql`from holds h where h.expires_at > r.now and h.network is not null and not (${isLast})`;

const heldOfDay = sql`${heldByGuests} and h.doctor_id = r.doctor_id and h.schedule_date = r.schedule_date`;

/** The bounds of holds without a login, each with the holds that it counts; 0 for none. */
const bounds: readonly (readonly [SQL, SQL])[] = [
  [sql`r.max_held`, heldOfNetwork],
  [sql`r.max_held_by_guests`, heldByGuests],
  [sql`r.max_held_of_day`, heldOfDay],
];

const isWithin = (most: SQL, counted: SQL): SQL =>
  sql`(${most} = 0 or (select count(*) ${counted}) < ${most})`;

const hasRoom: SQL = sql.join(
  bounds.map(([most, counted]) => isWithin(most, counted)),
  sql` and `,
);

/** When the first hold of a bound ends that has no room left. */
const firstExpiry: SQL = sql`case ${sql.join(
  bounds.map(
    ([most, counted]) => sql`when not ${isWithin(most, counted)} then (select min(h.expires_at) ${counted})`,
  ),
  sql` `,
)} end`;

const isFree: SQL = sql`${seatFree} and ${doctorFree} and ${doctorNotHeldByOthers}`;

const isNew = sql`not exists (select 1 from holds x where x.id = r.id)`;

/** Holds the slot, or does nothing if any guard fails. */
export const insertHold = rowStatement(asked, (db, row) =>
  insertFromRow(
    db,
    holds,
    row,
    sql`from r where ${isNew} and ${calendarUnchanged} and ${hasRoom} and ${isFree}`,
    {
      accountId: sql`r.actor_id`,
      createdAt: sql`r.now`,
    },
  ),
);

/** Ends the last hold of the account or the secret, if the new one was written. */
export const endLast = rowStatement(['id', 'hold', 'actorId'], (db, row) =>
  db.delete(holds).where(
    sql`id in (with ${row} select h.id from r cross join holds h where ${isLast}
        and exists (select 1 from holds x where x.id = r.id))`,
  ),
);

const unlessHeld = (value: SQL): SQL => sql`case when x.id is null then ${value} end`;

/** Whether the slot is held now and, if not, which rule refused it. */
export const explainHold = rowStatement(asked, (db, row) =>
  db
    .select({
      written: sql<number>`x.id is not null`.as('written'),
      current: sql<number>`${unlessHeld(calendarUnchanged)}`.as('current'),
      free: sql<number>`${unlessHeld(isFree)}`.as('free'),
      firstExpiry: sql<number | null>`${unlessHeld(firstExpiry)}`.as('first_expiry'),
    })
    .from(sql`${fromRow(row)} left join holds x on x.id = r.id`)
    .limit(1),
);

/** `anybodys` is 1 for the clinic, which may see and end every hold. */
type Whose = Named<'id' | 'secretHash' | 'accountId' | 'anybodys' | 'now'>;

const isTheirs = (named: Whose): SQL =>
  sql`${holds.id} = ${named('id')} and ${holds.expiresAt} > ${named('now')}
    and (${holds.secretHash} = ${named('secretHash')} or ${holds.accountId} = ${named('accountId')} or ${named('anybodys')} = 1)`;

/** A hold that has not ended, by its secret, by the account that made it, or for the clinic. */
export const findHold = statement((db, named: Whose) => db.select().from(holds).where(isTheirs(named)));

export const releaseHold = statement((db, named: Whose) =>
  db.delete(holds).where(isTheirs(named)).returning({ id: holds.id }),
);
