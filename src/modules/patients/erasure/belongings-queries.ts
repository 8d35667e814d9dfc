import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db, Statement } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import {
  deviceLogins,
  emailCodes,
  isRecorded,
  passwordResets,
  refreshTokens,
  users,
} from '../../../core/tables/accounts.ts';
import { consents } from '../../../core/tables/consents.ts';
import { emailChanges, recoveryCodes, secondFactors } from '../../../core/tables/factors.ts';
import { replays } from '../../../core/tables/idempotency.ts';
import { patientImportRows, patientSources } from '../../../core/tables/imports.ts';
import { calendarFeeds } from '../../../core/tables/keys.ts';
import { mailOutbox, noticeChoices } from '../../../core/tables/mail.ts';
import { recordMatches } from '../../../core/tables/matches.ts';
import { claimCodes, familyRelations } from '../../../core/tables/patients.ts';
import { holds, waitlistEntries } from '../../../core/tables/queues.ts';
import { searchWords } from '../../../core/tables/search.ts';

/** Whose id a column holds: the account's, one of its logins', or the record's that is made anonymous. */
type Owner = 'account' | 'login' | 'record';

/** The rows of a person who is deleted. */
const ownedBy: Readonly<Record<Owner, (column: SQLiteColumn, person: SQL, write: SQL) => SQL>> = {
  account: (column, person) => sql`${column} = ${person}`,
  login: (column, person) => sql`${column} in (select l.id from device_logins l where l.user_id = ${person})`,
  record: (column, _person, write) =>
    sql`${column} in (select p.id from patients p where p.erasure_id = ${write})`,
};

const goes = (column: SQLiteColumn, owner: Owner) => ({
  column,
  remove: statement((db, named: Named<'personId' | 'writeId'>) => {
    const write = sql`${named('writeId')}`;
    return db
      .delete(column.table)
      .where(sql`${ownedBy[owner](column, sql`${named('personId')}`, write)} and ${isRecorded(write)}`);
  }),
});

/** By the list of each record, before it is emptied. */
const removeWords = statement((db, named: Named<'personId' | 'writeId'>) =>
  db.delete(searchWords).where(
    sql`(kind, word, owner_id) in (select 'person', j.value, p.id from patients p, json_each(p.words) j
        where p.erasure_id = ${named('writeId')}) and ${isRecorded(named('writeId'))}`,
  ),
);

/**
 * The rows that are deleted with a person, children before parents: a new table takes one line here. Columns that stay
 * under an anonymous id are named by test/security/erased-tables.test.ts, which finds a column that neither list names.
 */
export const belongings = [
  goes(replays.userId, 'account'),
  goes(holds.accountId, 'account'),
  goes(mailOutbox.userId, 'account'),
  goes(consents.userId, 'account'),
  goes(passwordResets.userId, 'account'),
  goes(emailCodes.userId, 'account'),
  goes(emailChanges.userId, 'account'),
  goes(secondFactors.userId, 'account'),
  goes(recoveryCodes.userId, 'account'),
  goes(refreshTokens.deviceLoginId, 'login'),
  goes(deviceLogins.userId, 'account'),
  goes(waitlistEntries.familyAccount, 'account'),
  goes(waitlistEntries.patientId, 'record'),
  goes(familyRelations.accountId, 'account'),
  goes(familyRelations.patientId, 'record'),
  goes(claimCodes.patientId, 'record'),
  goes(recordMatches.accountId, 'account'),
  goes(recordMatches.patientId, 'record'),
  goes(patientSources.patientId, 'record'),
  goes(patientImportRows.patientId, 'record'),
  goes(noticeChoices.personId, 'record'),
  goes(noticeChoices.personId, 'account'),
  { column: searchWords.ownerId, remove: removeWords },
  goes(calendarFeeds.userId, 'account'),
  goes(users.id, 'account'),
];

/** The statements that remove a person's data, if the deletion was recorded. */
export const removeBelongings = (db: Db, values: { personId: string; writeId: string }): Statement[] =>
  belongings.map(({ remove }) => remove(db, values));
