import { sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { isRecorded } from '../../../core/tables/accounts.ts';
import { noticeChoices } from '../../../core/tables/mail.ts';

/** A kind of notice that either of two records opted out of is not sent to the remaining one. */
export const copyChoices = statement((db, named: Named<'source' | 'target' | 'writeId'>) =>
  db
    .insert(noticeChoices)
    .select(
      sql`select ${named('target')}, h.email, h.message, h.stopped_kinds, h.language, h.desk, h.updated_at from notice_choices h
        where h.person_id = ${named('source')} and ${isRecorded(named('writeId'))}`,
    )
    .onConflictDoUpdate({
      target: noticeChoices.personId,
      set: {
        email: sql`min(${noticeChoices.email}, excluded.email)`,
        message: sql`min(${noticeChoices.message}, excluded.message)`,
      },
    }),
);

/** Choices of a record that is merged, after they were copied. */
export const removeChoices = statement((db, named: Named<'source' | 'writeId'>) =>
  db
    .delete(noticeChoices)
    .where(sql`${noticeChoices.personId} = ${named('source')} and ${isRecorded(named('writeId'))}`),
);
