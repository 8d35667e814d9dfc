import { type SQL, sql } from 'drizzle-orm';
import { fromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { matches, recordMatches } from '../../../core/tables/matches.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';

// In a select from one table drizzle leaves its name out, also inside subqueries: hence the raw names there.

const maxCounted = 100;

const stillMatches = sql`exists (select 1 from users u join patients o on o.id = u.id
  join patients p on p.id = record_matches.patient_id where u.id = record_matches.account_id and ${matches})`;

const isOpen = sql`record_matches.settled_at is null and ${stillMatches}`;

const iso = (instant: string): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.raw(instant)} / 1000.0, 'unixepoch')`;

const visitsOf = sql`from bookings b where b.patient_id = s.id and b.status <> 'canceled' and b.held_until is null`;

/** One side of a match, as the desk compares them, as JSON. */
const side = (id: string): SQL<string> => sql<string>`(select json_object('id', s.id, 'name', s.name,
  'phone_number', s.phone_number, 'phone_country_code', s.phone_country_code,
  'email', coalesce(s.email, (select a.email from users a where a.id = s.id)), 'birth_date', s.birth_date,
  'sex', s.sex, 'address', s.address, 'medical_record_number', s.medical_record_number,
  'visits', (select count(*) ${visitsOf}), 'last_visit', (select ${iso('max(b.starts_at)')} ${visitsOf}),
  'created_at', ${iso('s.created_at')}) from patients s where s.id = ${sql.raw(id)})`;

/** A page of the matches that wait, those that wait longest first. */
export const findOpenMatches = statement((db, named: Named<'afterAt' | 'afterId' | 'limit'>) =>
  db
    .select({
      id: recordMatches.id,
      createdAt: recordMatches.createdAt,
      account: side('record_matches.account_id').as('account'),
      record: side('record_matches.patient_id').as('record'),
    })
    .from(recordMatches)
    .where(
      sql`(record_matches.created_at, record_matches.id) > (${named('afterAt')}, ${named('afterId')}) and ${isOpen}`,
    )
    .orderBy(sql`record_matches.created_at`, sql`record_matches.id`)
    .limit(named('limit')),
);

export const countOpenMatches = statement((db, _named: Named<never>) =>
  db
    .select({ open: sql<number>`count(*)`.as('open') })
    .from(sql`(select 1 from record_matches where ${isOpen} limit ${sql.raw(String(maxCounted))})`),
);

/** A match, whatever became of it. */
export const findMatch = statement((db, named: Named<'id'>) =>
  db
    .select({
      id: recordMatches.id,
      accountId: recordMatches.accountId,
      patientId: recordMatches.patientId,
      decision: recordMatches.decision,
      settledAt: recordMatches.settledAt,
      holds: sql<number>`${stillMatches}`.as('holds'),
      language: sql<'id' | 'en'>`coalesce((select n.language from notice_choices n
        where n.person_id = record_matches.account_id), 'id')`.as('language'),
    })
    .from(recordMatches)
    .where(sql`record_matches.id = ${named('id')}`),
);

export type Match = ReturnType<typeof findMatch>['_']['result'][number];

/** Recorded if nobody has decided about the match, and the request is not a repeat. */
export const recordDecline = securityEventWhen(
  sql`${isFirstRequest} and exists (select 1 from record_matches m where m.id = r.match_id and m.decision is null
    and m.settled_at is null)`,
  ['key', 'matchId'],
);

export const declineMatch = rowStatement(['writeId', 'matchId', 'actorId', 'now'], (db, row) =>
  db
    .update(recordMatches)
    .set({ decision: 'declined', decidedBy: sql`r.actor_id`, settledAt: sql`r.now` })
    .from(fromRow(row))
    .where(sql`${recordMatches.id} = r.match_id and ${recordMatches.decision} is null and ${rowIsRecorded}`),
);
