import { type SQL, sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import { users } from './accounts.ts';
import { patients } from './patients.ts';
import { matchDecisions } from './words.ts';

/** Condition: nobody has settled the match; one that was confirmed is settled once the record is merged. */
export const isOpenMatch: SQL = sql.raw('settled_at is null');

/**
 * A record of the clinic that may be an account's: both have the same e-mail or phone number, which the account has
 * proved, and the same date of birth. The desk decides. One that was declined stays, so that the same pair is never offered again.
 */
export const recordMatches = sqliteTable(
  'record_matches',
  {
    id: uuid('id').primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => users.id),
    patientId: uuid('patient_id')
      .notNull()
      .references(() => patients.id),
    createdAt: instant('created_at').notNull(),
    decision: text('decision', { enum: matchDecisions }),
    decidedBy: uuid('decided_by'),
    settledAt: instant('settled_at'),
  },
  (t) => [
    uniqueIndex('record_matches_pair').on(t.accountId, t.patientId),
    index('record_matches_patient').on(t.patientId),
    index('record_matches_open').on(t.createdAt, t.id).where(isOpenMatch),
  ],
);

/**
 * Condition: the account `u` with its own record `o` still matches the record `p` of the clinic, for which nobody acts.
 * Only proved e-mails and numbers are compared; the words of a record contain its number in one form.
 */
export const matches: SQL = sql`u.role = 'patient' and u.deactivated_at is null and o.id = u.id
  and o.merged_into is null and p.birth_date = o.birth_date and p.id <> u.id
  and ((u.email_proved_at is not null and p.email = u.email) or (u.login_phone is not null and p.phone_number <> ''
  and exists (select 1 from json_each(p.words) w where w.value = u.login_phone)))
  and p.merged_into is null and p.erasure_id is null and not exists (select 1 from users a where a.id = p.id)
  and not exists (select 1 from family_relations f where f.patient_id = p.id and f.ended_at is null)`;
