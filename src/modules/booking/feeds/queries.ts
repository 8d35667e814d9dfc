import { and, asc, desc, eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { rowIsRecorded, users } from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { calendarFeeds } from '../../../core/tables/keys.ts';
import { patients } from '../../../core/tables/patients.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';

/** How many addresses an account may have. */
export const maxFeeds = 10;

/** Recorded if the account may have another address, unless the same request was answered before. */
export const recordFeedMade = securityEventWhen(
  sql`${isFirstRequest} and (select count(*) from calendar_feeds f where f.user_id = r.user_id) < ${sql.raw(String(maxFeeds))}`,
  ['key'],
);

/** Adds an address, in the batch that has recorded it. */
export const insertFeed = rowStatement(
  ['id', 'hash', 'userId', 'role', 'doctorId', 'details', 'createdAt', 'writeId'],
  (db, row) =>
    insertFromRow(db, calendarFeeds, row, sql`from r where ${rowIsRecorded}`, {}).returning({
      id: calendarFeeds.id,
    }),
);

/** A page of the addresses of an account, the newest first. */
export const findFeeds = statement((db, named: Named<'userId' | 'beforeAt' | 'beforeId' | 'limit'>) =>
  db
    .select()
    .from(calendarFeeds)
    .where(
      and(
        eq(calendarFeeds.userId, named('userId')),
        sql`(created_at, id) < (${named('beforeAt')}, ${named('beforeId')})`,
      ),
    )
    .orderBy(desc(calendarFeeds.createdAt), desc(calendarFeeds.id))
    .limit(named('limit')),
);

export const findFeed = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(calendarFeeds)
    .where(eq(calendarFeeds.id, named('id'))),
);

export const deleteFeed = statement((db, named: Named<'id'>) =>
  db.delete(calendarFeeds).where(eq(calendarFeeds.id, named('id'))),
);

/**
 * The address with this hash and its owner's name, while the account is active in the role in which the address was
 * made.
 */
export const findOpenFeed = statement((db, named: Named<'hash'>) =>
  db
    .select({ ...getTableColumns(calendarFeeds), personName: users.name })
    .from(calendarFeeds)
    .innerJoin(users, eq(users.id, calendarFeeds.userId))
    .where(
      and(
        eq(calendarFeeds.hash, named('hash')),
        sql`exists (select 1 from users u where u.id = calendar_feeds.user_id and u.role = calendar_feeds.role
          and u.doctor_id is calendar_feeds.doctor_id and u.deactivated_at is null)`,
      ),
    ),
);

/** Those whom an account acts for, beside its own record. */
export const findFamilyNames = statement((db, named: Named<'accountId'>) =>
  db
    .select({ id: patients.id, name: patients.name })
    .from(patients)
    .where(
      sql`${patients.id} in (select f.patient_id from family_relations f
        where f.account_id = ${named('accountId')} and f.ended_at is null)`,
    ),
);

type Direction = typeof asc | typeof desc;

/** The bookings of a calendar between two dates, the first or the last of them; an offer of the waitlist is none. */
const shown = (
  db: Db,
  named: (name: 'fromDate' | 'toDate' | 'limit') => Placeholder,
  isOf: SQL,
  direction: Direction,
) =>
  db
    .select()
    .from(bookings)
    .where(
      and(
        isOf,
        sql`${bookings.scheduleDate} >= ${named('fromDate')} and ${bookings.scheduleDate} <= ${named('toDate')}
          and ${bookings.heldUntil} is null`,
      ),
    )
    .orderBy(direction(bookings.startsAt), direction(bookings.id))
    .limit(named('limit'));

/** Of an account and its family, of a doctor, and of the clinic. */
const found = (direction: Direction) => ({
  account: statement((db, named: Named<'owner' | 'fromDate' | 'toDate' | 'limit'>) =>
    shown(
      db,
      named,
      sql`${bookings.patientId} in (select ${named('owner')} union all select f.patient_id
        from family_relations f where f.account_id = ${named('owner')} and f.ended_at is null)`,
      direction,
    ),
  ),
  doctor: statement((db, named: Named<'owner' | 'fromDate' | 'toDate' | 'limit'>) =>
    shown(db, named, eq(bookings.doctorId, named('owner')), direction),
  ),
  clinic: statement((db, named: Named<'fromDate' | 'toDate' | 'limit'>) =>
    shown(db, named, sql`true`, direction),
  ),
});

/** The soonest future bookings, and the latest past ones. */
export const findFeedBookings = { ahead: found(asc), behind: found(desc) };
