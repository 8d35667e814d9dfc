import { sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { randomUuid } from '../../../core/db/ids.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isRecorded, rowIsRecorded } from '../../../core/tables/accounts.ts';
import { recordMatches } from '../../../core/tables/matches.ts';
import { mailWhen } from '../../auth/mail/queries.ts';

// What a merge does to the matches of its records, which the desk confirms or declines.

/** A match that is being confirmed can no longer be declined. */
export const confirmMatch = rowStatement(['writeId', 'matchId', 'actorId'], (db, row) =>
  db
    .update(recordMatches)
    .set({ decision: 'confirmed', decidedBy: sql`r.actor_id` })
    .from(fromRow(row))
    .where(sql`${recordMatches.id} = r.match_id and ${recordMatches.decision} is null and ${rowIsRecorded}`),
);

/** What is not confirmed about the record is about the one that stays, unless that has an account. */
export const copyMatches = rowStatement(['writeId', 'source', 'target'], (db, row) =>
  insertFromRow(
    db,
    recordMatches,
    row,
    sql`from r join record_matches m on m.patient_id = r.source where m.decision is not 'confirmed'
      and not exists (select 1 from users u where u.id = r.target) and ${rowIsRecorded}`,
    {
      id: randomUuid,
      accountId: sql`m.account_id`,
      patientId: sql`r.target`,
      createdAt: sql`m.created_at`,
      decision: sql`m.decision`,
      decidedBy: sql`m.decided_by`,
      settledAt: sql`m.settled_at`,
    },
  ).onConflictDoNothing(),
);

/** The match by which a record was merged is settled; nothing is left to decide about any other of the same record. */
export const endMatches = statement((db, named: Named<'source' | 'matchId' | 'writeId'>) =>
  db
    .delete(recordMatches)
    .where(
      sql`patient_id = ${named('source')} and id is not ${named('matchId')} and ${isRecorded(named('writeId'))}`,
    ),
);

export const settleMatch = rowStatement(['writeId', 'matchId', 'now'], (db, row) =>
  db
    .update(recordMatches)
    .set({ settledAt: sql`r.now` })
    .from(fromRow(row))
    .where(sql`${recordMatches.id} = r.match_id and ${recordMatches.settledAt} is null and ${rowIsRecorded}`),
);

/** Tells the account's owner by mail that the record was added. */
export const mailAdded = mailWhen(rowIsRecorded, ['writeId']);
