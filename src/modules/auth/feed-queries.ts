import { and, eq, sql } from 'drizzle-orm';
import { type Named, statement } from '../../core/db/statement.ts';
import { isRecorded } from '../../core/tables/accounts.ts';
import { calendarFeeds } from '../../core/tables/keys.ts';

/** Condition on a row of the audit trail: its account has a calendar address. */
export const hasFeeds = sql`exists (select 1 from calendar_feeds f where f.user_id = r.user_id)`;

/** Ends the calendar addresses of an account, if the event of this write was recorded: they need no login. */
export const endFeeds = statement((db, named: Named<'id' | 'writeId'>) =>
  db.delete(calendarFeeds).where(and(eq(calendarFeeds.userId, named('id')), isRecorded(named('writeId')))),
);
