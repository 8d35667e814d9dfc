import { eq, getTableColumns, sql } from 'drizzle-orm';
import { fromRow } from '../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../core/db/statement.ts';
import { noticeChoices, notices } from '../../core/tables/mail.ts';

export const findChoices = statement((db, named: Named<'personId'>) =>
  db
    .select()
    .from(noticeChoices)
    .where(eq(noticeChoices.personId, named('personId'))),
);

type Chosen = 'email' | 'message' | 'stoppedKinds' | 'language' | 'desk';

/**
 * Changes the given fields and leaves the rest; for a merged record, those of the remaining record; nothing for a
 * deleted person. Returns the new choices.
 */
export const choose = statement((db, named: Named<'personId' | Chosen | 'now'>) => {
  const otherwise = (name: Chosen, value: string) => sql`coalesce(${named(name)}, ${sql.raw(value)})`;
  const givenOrStored = (name: Chosen) => sql`coalesce(${named(name)}, ${noticeChoices[name]})`;
  return db
    .insert(noticeChoices)
    .select(
      sql`select p.stays, ${otherwise('email', '1')}, ${otherwise('message', '1')}, ${otherwise('stoppedKinds', "'[]'")},
          ${otherwise('language', "'id'")}, ${otherwise('desk', '0')}, ${named('now')} from (select id, id as stays from users union
          select id, coalesce(merged_into, id) from patients where erasure_id is null) p where p.id = ${named('personId')}`,
    )
    .onConflictDoUpdate({
      target: noticeChoices.personId,
      set: {
        email: givenOrStored('email'),
        message: givenOrStored('message'),
        stoppedKinds: givenOrStored('stoppedKinds'),
        language: givenOrStored('language'),
        desk: givenOrStored('desk'),
        updatedAt: sql`excluded.updated_at`,
      },
    })
    .returning();
});

type PageValue = 'bookingId' | 'state' | 'kind' | 'channel' | 'beforeAt' | 'beforeId' | 'limit';

/** One page of the log, the newest first: by the index of a booking, or by age. */
const pageBy = (isOfBooking: boolean) =>
  statement((db, named: Named<PageValue>) => {
    const is = (column: 'state' | 'kind' | 'channel') =>
      sql`(${named(column)} is null or ${notices[column]} = ${named(column)})`;
    const ofBooking = isOfBooking
      ? sql`${notices.bookingId} = ${named('bookingId')}`
      : sql`${named('bookingId')} is null`;
    return db
      .select(getTableColumns(notices))
      .from(notices)
      .where(
        sql`${ofBooking} and ${notices.createdAt} <= ${named('beforeAt')}
          and (${notices.createdAt}, ${notices.id}) < (${named('beforeAt')}, ${named('beforeId')})
          and ${is('state')} and ${is('kind')} and ${is('channel')}`,
      )
      .orderBy(sql`${notices.createdAt} desc, ${notices.id} desc`)
      .limit(named('limit'));
  });

export const pages = { booking: pageBy(true), age: pageBy(false) };

/** Stores the gateway's report about a message, unless the message already has a later state. */
export const report = rowStatement(['id', 'state', 'reason', 'now'], (db, row) =>
  db
    .update(notices)
    .set({
      state: sql`r.state`,
      reason: sql`r.reason`,
      settledAt: sql`coalesce(${notices.settledAt}, r.now)`,
    })
    .from(fromRow(row))
    .where(
      sql`notices.id = r.id and notices.channel = 'message' and (case r.state
        when 'sent' then notices.state = 'pending'
        when 'delivered' then notices.state in ('pending', 'sent', 'failed')
        when 'read' then notices.state in ('pending', 'sent', 'delivered', 'failed')
        else notices.state in ('pending', 'sent') end)`,
    ),
);
