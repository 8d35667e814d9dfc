import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { randomUuid } from '../../../core/db/ids.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import {
  deviceLogins,
  emailCodes,
  isRecorded,
  passwordResets,
  refreshTokens,
  rowIsRecorded,
  users,
} from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { consents } from '../../../core/tables/consents.ts';
import { emailChanges, recoveryCodes, secondFactors } from '../../../core/tables/factors.ts';
import { replays } from '../../../core/tables/idempotency.ts';
import { calendarFeeds } from '../../../core/tables/keys.ts';
import { mailOutbox } from '../../../core/tables/mail.ts';
import { recordMatches } from '../../../core/tables/matches.ts';
import { familyRelations, patients } from '../../../core/tables/patients.ts';
import { holds, waitlistEntries } from '../../../core/tables/queues.ts';
import { searchWords } from '../../../core/tables/search.ts';
import { mailWhen } from '../../auth/mail/queries.ts';
import { liveRelationWins } from './queries.ts';

// An account and the record of its person have one id: the account `source` ends, and `target` takes over.

const family = (account: SQL): SQL =>
  sql`select f.patient_id from family_relations f where f.account_id = ${account}`;

/** The patients for whom the account acts are those of the other one, each once, and nobody is of their own family. */
const takeRelations = rowStatement(['writeId', 'source', 'target'], (db, row) =>
  insertFromRow(
    db,
    familyRelations,
    row,
    sql`from r join family_relations f on f.account_id = r.source
        where f.patient_id <> r.target and ${rowIsRecorded}`,
    {
      accountId: sql`r.target`,
      patientId: sql`f.patient_id`,
      relation: sql`f.relation`,
      createdAt: sql`f.created_at`,
      endedAt: sql`f.ended_at`,
    },
  ).onConflictDoUpdate(liveRelationWins),
);

/** Bookings that the account made for its family are the other one's, for the limits and the notices. */
const takeFamilyBookings = rowStatement(['writeId', 'source', 'target'], (db, row) =>
  db
    .update(bookings)
    .set({ createdBy: sql`r.target` })
    .from(fromRow(row))
    .where(
      sql`bookings.patient_id in (${family(sql`r.source`)}) and bookings.created_by = r.source and ${rowIsRecorded}`,
    ),
);

/** So are the records that it made, and its own: no account has that id any more. */
const takeRecords = rowStatement(['writeId', 'source', 'target'], (db, row) =>
  db
    .update(patients)
    .set({ createdBy: sql`r.target` })
    .from(fromRow(row))
    .where(
      sql`patients.id in (select r.source union all ${family(sql`r.source`)}) and patients.created_by = r.source
        and ${rowIsRecorded}`,
    ),
);

const takeEntries = rowStatement(['writeId', 'source', 'target'], (db, row) =>
  db
    .update(waitlistEntries)
    .set({
      familyAccount: sql`case when waitlist_entries.patient_id = r.target then null
        when waitlist_entries.family_account = r.source then r.target else waitlist_entries.family_account end`,
      createdBy: sql`iif(waitlist_entries.created_by = r.source, r.target, waitlist_entries.created_by)`,
    })
    .from(fromRow(row))
    .where(
      sql`waitlist_entries.patient_id in (select r.source union all select r.target union all ${family(sql`r.source`)})
        and r.source in (waitlist_entries.created_by, waitlist_entries.family_account) and ${rowIsRecorded}`,
    ),
);

const takes = (table: typeof consents | typeof mailOutbox, when: SQL = sql`true`) =>
  rowStatement(['writeId', 'source', 'target'], (db, row) =>
    db
      .update(table)
      .set({ userId: sql`r.target` })
      .from(fromRow(row))
      .where(sql`${table.userId} = r.source and ${when} and ${rowIsRecorded}`),
  );

/** A pair that was declined is never offered again, whichever of the two accounts it was. */
const takeMatches = rowStatement(['writeId', 'source', 'target'], (db, row) =>
  insertFromRow(
    db,
    recordMatches,
    row,
    sql`from r join record_matches m on m.account_id = r.source
      where m.patient_id <> r.target and ${rowIsRecorded}`,
    {
      id: randomUuid,
      accountId: sql`r.target`,
      patientId: sql`m.patient_id`,
      createdAt: sql`m.created_at`,
      decision: sql`m.decision`,
      decidedBy: sql`m.decided_by`,
      settledAt: sql`m.settled_at`,
    },
  ).onConflictDoUpdate({
    target: [recordMatches.accountId, recordMatches.patientId],
    set: {
      decision: sql`excluded.decision`,
      decidedBy: sql`excluded.decided_by`,
      settledAt: sql`excluded.settled_at`,
    },
    setWhere: sql`record_matches.decision is null and excluded.decision = 'declined'`,
  }),
);

const ends = (column: SQLiteColumn) =>
  statement((db, named: Named<'source' | 'writeId'>) =>
    db.delete(column.table).where(sql`${column} = ${named('source')} and ${isRecorded(named('writeId'))}`),
  );

const endTokens = statement((db, named: Named<'source' | 'writeId'>) =>
  db.delete(refreshTokens).where(
    sql`${refreshTokens.deviceLoginId} in (select l.id from device_logins l where l.user_id = ${named('source')})
        and ${isRecorded(named('writeId'))}`,
  ),
);

/** What moves with the account that ends, in the batch of its end; its relations come last, since the others ask for them. */
export const moving = [
  takeFamilyBookings,
  takeRecords,
  takeEntries,
  takes(consents),
  takeMatches,
  // The mails that left, for the person's own copy of the data, and those to an address that was given up: what else waits ends
  // with the account.
  takes(mailOutbox, sql`coalesce(sent_at, failed_at, address) is not null`),
  takeRelations,
] as const;

/** What ends with it, children before parents. */
export const ending = [
  ends(replays.userId),
  ends(holds.accountId),
  ends(mailOutbox.userId),
  ends(passwordResets.userId),
  ends(emailCodes.userId),
  ends(emailChanges.userId),
  ends(secondFactors.userId),
  ends(recoveryCodes.userId),
  endTokens,
  ends(deviceLogins.userId),
  ends(calendarFeeds.userId),
  ends(familyRelations.accountId),
  ends(recordMatches.accountId),
] as const;

/** The last of all: what was taken over is taken again by no repetition of the batch, whose account is gone. */
export const endAccount = ends(users.id);

const accountIsLeft = sql`exists (select 1 from users s where s.id = r.source)`;

/** Both are unique, so the account that ends gives them up before the other takes them. */
export const giveWays = statement((db, named: Named<'source' | 'writeId'>) =>
  db
    .update(users)
    .set({ email: null, loginPhone: null })
    .where(sql`${users.id} = ${named('source')} and ${isRecorded(named('writeId'))}`),
);

/** The account that stays gets what it takes over of the other one. */
export const takeWays = rowStatement(
  [
    'writeId',
    'source',
    'target',
    'email',
    'emailProvedAt',
    'loginPhone',
    'phoneProvedAt',
    'phoneNumber',
    'phoneCountryCode',
    'now',
  ],
  (db, row) =>
    db
      .update(users)
      .set({
        email: sql`r.email`,
        emailProvedAt: sql`r.email_proved_at`,
        loginPhone: sql`r.login_phone`,
        phoneProvedAt: sql`r.phone_proved_at`,
        phoneNumber: sql`r.phone_number`,
        phoneCountryCode: sql`r.phone_country_code`,
        updatedAt: sql`r.now`,
      })
      .from(fromRow(row))
      .where(sql`users.id = r.target and ${accountIsLeft} and ${rowIsRecorded}`),
);

/** The record has the number of its account, until the last step writes all of it. */
export const takeNumber = rowStatement(
  ['writeId', 'source', 'target', 'phoneNumber', 'phoneCountryCode', 'now'],
  (db, row) =>
    db
      .update(patients)
      .set({
        phoneNumber: sql`r.phone_number`,
        phoneCountryCode: sql`r.phone_country_code`,
        version: sql`${patients.version} + 1`,
        updatedAt: sql`r.now`,
      })
      .from(fromRow(row))
      .where(
        sql`patients.id = r.target and (patients.phone_number, patients.phone_country_code)
          is not (r.phone_number, r.phone_country_code) and ${accountIsLeft} and ${rowIsRecorded}`,
      ),
);

/** The e-mail of an account that ended finds its record no longer. */
export const dropWord = rowStatement(['writeId', 'source', 'word'], (db, row) =>
  db
    .update(patients)
    .set({
      words: sql`(select json_group_array(value) from json_each(patients.words) where value <> r.word)`,
      version: sql`${patients.version} + 1`,
    })
    .from(fromRow(row))
    .where(sql`patients.id = r.source and ${rowIsRecorded}`),
);

export const dropFound = statement((db, named: Named<'source' | 'word' | 'writeId'>) =>
  db.delete(searchWords).where(
    sql`kind = 'person' and owner_id = ${named('source')} and word = ${named('word')}
        and ${isRecorded(named('writeId'))}`,
  ),
);

/** Tells the owner by the proved e-mail of the account that stays. */
export const mailJoined = mailWhen(
  sql`${rowIsRecorded} and exists (select 1 from users u where u.id = r.user_id and u.email_proved_at is not null)`,
  ['writeId'],
);
