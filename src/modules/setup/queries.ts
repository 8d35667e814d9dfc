import { sql } from 'drizzle-orm';
import type { Db } from '../../core/db/db.ts';
import { insertFromRow } from '../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../core/db/statement.ts';
import { addWords, wordList } from '../../core/search/queries.ts';
import { personWords } from '../../core/search/rules.ts';
import {
  anyAdmin,
  isRecorded,
  rowIsRecorded,
  setupLinks,
  users,
  worksHere,
} from '../../core/tables/accounts.ts';
import { patients } from '../../core/tables/patients.ts';
import { securityEventWhen } from '../auth/audit/queries.ts';
import type { NewUser } from '../auth/queries.ts';

/** Whether the clinic has an admin, and whether a set-up link with this hash is good. */
export const findSetup = statement((db, named: Named<'hash' | 'now'>) =>
  db
    .select({
      hasAdmin: sql<number>`${anyAdmin}`.as('has_admin'),
      isGood:
        sql<number>`exists (select 1 from setup_links s where s.hash = w.hash and s.expires_at > w.now)`.as(
          'is_good',
        ),
    })
    .from(sql`(select ${named('hash')} as hash, ${named('now')} as now) w`),
);

/** The statements that put a new link in the place of the one before. */
export const replaceLink = (db: Db, link: typeof setupLinks.$inferInsert) =>
  [db.delete(setupLinks), db.insert(setupLinks).values(link)] as const;

/** Comes first in the batch: of two at once only one is recorded, and the other statements follow from it. */
export const recordFirstAdmin = securityEventWhen(
  sql`not ${anyAdmin} and not exists (select 1 from users u where u.email = r.email)
    and exists (select 1 from setup_links s where s.hash = r.hash and s.expires_at > r.now)`,
  ['hash', 'email'],
);

const columns = ['id', 'name', 'email', 'passwordHash', 'now', 'words', 'writeId'] as const;

const insertAdmin = rowStatement(columns, (db, row) =>
  insertFromRow(db, users, row, sql`from r where ${rowIsRecorded}`, {
    phoneNumber: sql`''`,
    phoneCountryCode: sql`''`,
    deviceId: sql`''`,
    role: sql`'admin'`,
    invitedAt: sql`r.now`,
    createdAt: sql`r.now`,
    updatedAt: sql`r.now`,
  }).onConflictDoNothing(),
);

const insertRecord = rowStatement(columns, (db, row) =>
  insertFromRow(db, patients, row, sql`from r where ${rowIsRecorded}`, {
    phoneNumber: sql`''`,
    phoneCountryCode: sql`''`,
    email: sql`null`,
    staffNotes: sql`''`,
    version: sql`1`,
    createdBy: sql`r.id`,
    createdAt: sql`r.now`,
    updatedAt: sql`r.now`,
  }).onConflictDoNothing(),
);

/** The account, its record and the end of the link, if the event `writeId` was recorded. */
export const insertFirstAdmin = (db: Db, admin: NewUser, writeId: string) => {
  const { id, name, email, passwordHash, createdAt: now } = admin;
  const words = personWords(admin);
  const values = { id, name, email, passwordHash, now, words: wordList(words), writeId };
  return [
    insertAdmin(db, values),
    insertRecord(db, values),
    addWords(db, 'person', id, words, isRecorded(writeId)),
    db.delete(setupLinks).where(isRecorded(writeId)),
  ] as const;
};

/**
 * The data that the clinic has, for the list of missing data. Each is looked up in an index, and found with its first
 * entry.
 */
export const findLacks = statement((db, named: Named<'today' | 'since'>) =>
  db
    .select({
      isDemo: sql<number>`c.demo_since is not null`.as('is_demo'),
      clinicName: sql<number>`c.name <> ''`.as('has_name'),
      session: sql<number>`exists (select 1 from sessions e where e.retired_at is null)`.as('has_session'),
      doctor: sql<number>`exists (select 1 from doctors d where d.name > '' and d.retired_at is null)`.as(
        'has_doctor',
      ),
      schedule: sql<number>`exists (select 1 from schedules s
        join doctors d on d.id = s.doctor_id and d.retired_at is null
        join sessions e on e.id = s.session_id and e.retired_at is null
        where s.weekday between 1 and 7 and s.retired_at is null and (s.valid_until is null or s.valid_until >= ${named('today')}))`.as(
        'has_schedule',
      ),
      secondFactor:
        sql<number>`exists (select 1 from users u where u.role in ('admin', 'doctor', 'staff') and ${worksHere}
        and u.second_factor_at is not null and u.deactivated_at is null)`.as('has_second_factor'),
      lastMailLeft: sql<number>`coalesce((select m.sent_at is not null from mail_outbox m
        where m.expires_at > ${named('since')} and m.kind not like 'phone%'
        and (m.sent_at is not null or (m.last_error is not null and m.last_error <> 'Obsolete'))
        order by m.expires_at desc limit 1), 1)`.as('last_mail_left'),
    })
    .from(sql`clinic c`)
    .where(sql`c.id = 1`),
);

export type LacksRow = ReturnType<typeof findLacks>['_']['result'][number];
