import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { waitlistEntries } from '../../../core/tables/queues.ts';
import type { OpenTo } from '../../../core/tables/words.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';
import { missedInYear } from '../../catalog/slots/visit-guards.ts';
import { actsFor } from '../../patients/record/queries.ts';

// In a select from one table drizzle leaves its name out, also inside subqueries: hence the raw names there.

/** The seat that is held for an entry `w` now, as JSON. */
const heldFor = (now: SQL): SQL => sql`(select json_object('booking_id', o.id, 'doctor_id', o.doctor_id,
  'doctor_name', o.doctor_name, 'schedule_date', o.schedule_date, 'schedule_time', o.schedule_time,
  'ends_at', o.ends_at, 'held_until', o.held_until) from bookings o indexed by bookings_offer
  where o.waitlist_id = waitlist_entries.id and o.status = 'waiting' and o.held_until > ${now})`;

const patientShown = sql`json_object('id', p.id, 'name', p.name, 'phone_country_code', p.phone_country_code,
  'phone_number', p.phone_number)`;

const shown = (now: SQL) => ({
  ...getTableColumns(waitlistEntries),
  sessionName: sql<string>`(select n.name from sessions n where n.id = waitlist_entries.session_id)`.as(
    'session_name',
  ),
  doctorName: sql<
    string | null
  >`(select trim(d.title || ' ' || d.name) from doctors d where d.id = waitlist_entries.doctor_id)`.as(
    'doctor_name',
  ),
  patient: sql<string>`(select ${patientShown} from patients p where p.id = waitlist_entries.patient_id)`.as(
    'patient',
  ),
  offer: sql<string | null>`${heldFor(now)}`.as('offer'),
});

/** The entry waits, or ended as unanswered, which its owner sees until they remove it. */
const isShown = sql`(ended_at is null or ended_as = 'unanswered')`;

/** A page of the waitlist entries of an account and its family, the earliest first. */
export const findOwn = statement((db, named: Named<'accountId' | 'now' | 'afterAt' | 'afterId' | 'limit'>) =>
  db
    .select(shown(sql`${named('now')}`))
    .from(waitlistEntries)
    .where(
      sql`waitlist_entries.patient_id in (select ${named('accountId')} union all select f.patient_id
        from family_relations f where f.account_id = ${named('accountId')} and f.ended_at is null)
        and ${isShown}
        and (waitlist_entries.created_at, waitlist_entries.id) > (${named('afterAt')}, ${named('afterId')})`,
    )
    .orderBy(sql`waitlist_entries.created_at`, sql`waitlist_entries.id`)
    .limit(named('limit')),
);

/** The fields of the patient, the session and the doctor that an entry shows. */
export const findNames = statement((db, named: Named<'patientId' | 'sessionId' | 'doctorId'>) =>
  db
    .select({
      sessionName:
        sql<string>`coalesce((select n.name from sessions n where n.id = ${named('sessionId')}), '')`.as(
          'session_name',
        ),
      doctorName: sql<string | null>`(select trim(d.title || ' ' || d.name) from doctors d
        where d.id = ${named('doctorId')})`.as('doctor_name'),
      patient:
        sql<string>`(select ${patientShown} from patients p where p.id = (select coalesce(m.merged_into, m.id)
        from patients m where m.id = ${named('patientId')}))`.as('patient'),
    })
    .from(sql`(select 1)`)
    .limit(1),
);

export type Names = ReturnType<typeof findNames>['_']['result'][number];

export type ShownEntry = ReturnType<typeof findOwn>['_']['result'][number];

/** A page of all entries, by session and in the order in which seats are offered. */
export const findWaiting = statement(
  (db, named: Named<'sessionId' | 'now' | 'afterSession' | 'afterPosition' | 'afterId' | 'limit'>) =>
    db
      .select(shown(sql`${named('now')}`))
      .from(waitlistEntries)
      .where(
        sql`waitlist_entries.ended_at is null
          and (waitlist_entries.session_id, waitlist_entries.position, waitlist_entries.id)
            > (${named('afterSession')}, ${named('afterPosition')}, ${named('afterId')})
          and (${named('sessionId')} is null or waitlist_entries.session_id = ${named('sessionId')})`,
      )
      .orderBy(sql`waitlist_entries.session_id`, sql`waitlist_entries.position`, sql`waitlist_entries.id`)
      .limit(named('limit')),
);

/** An entry that still waits, with whether its patient is one of the account's family, and the booking of its offer. */
export const findEntry = statement((db, named: Named<'id' | 'accountId' | 'now'>) =>
  db
    .select({
      ...shown(sql`${named('now')}`),
      isFamily:
        sql<number>`${actsFor(sql`${named('accountId')}`, sql.raw('waitlist_entries.patient_id'))}`.as(
          'is_family',
        ),
      isOfferedWithDoctor:
        sql<number>`exists (select 1 from users u join bookings o indexed by bookings_history on o.doctor_id = u.doctor_id
        where u.id = ${named('accountId')} and o.patient_id = waitlist_entries.patient_id
        and o.waitlist_id = waitlist_entries.id)`.as('is_offered_with_doctor'),
    })
    .from(waitlistEntries)
    .where(sql`waitlist_entries.id = ${named('id')}`),
);

export type Entry = ReturnType<typeof findEntry>['_']['result'][number];

/** The open offer of an entry, lapsed or not, with how its session approves now. */
export const findOffer = statement((db, named: Named<'id' | 'accountId'>) =>
  db
    .select({
      ...getTableColumns(bookings),
      isFamily: sql<number>`${actsFor(sql`${named('accountId')}`, sql.raw('bookings.patient_id'))}`.as(
        'is_family',
      ),
    })
    .from(bookings)
    .where(
      sql`bookings.waitlist_id = ${named('id')} and bookings.status = 'waiting' and bookings.held_until is not null`,
    ),
);

/** What decides of the session about an offer, and how many visits the patient missed within a year. */
export const findWaitedSession = statement((db, named: Named<'id' | 'now'>) =>
  db
    .select({
      approval: sql<'manual' | 'automatic'>`n.approval`.as('approval'),
      maxPerDay: sql<number | null>`n.max_per_day`.as('max_per_day'),
      minDaysBetween: sql<number | null>`n.min_days_between`.as('min_days_between'),
      openTo: sql<OpenTo>`n.open_to`.as('open_to'),
      missed: sql<number>`${missedInYear(sql`w.patient_id`, sql`${named('now')}`)}`.as('missed'),
    })
    .from(sql`waitlist_entries w join sessions n on n.id = w.session_id`)
    .where(sql`w.id = ${named('id')}`),
);

const entryRow = [
  'id',
  'patientId',
  'sessionId',
  'doctorId',
  'fromDate',
  'toDate',
  'earliestTime',
  'latestTime',
  'familyAccount',
  'maxEntries',
  'key',
] as const;

/** The session is offered, by the named doctor if there is one. */
const isOffered = sql`exists (select 1 from schedules s join sessions n on n.id = s.session_id and n.retired_at is null
  join doctors d on d.id = s.doctor_id and d.retired_at is null where s.session_id = r.session_id
  and s.retired_at is null and (r.doctor_id is null or s.doctor_id = r.doctor_id))`;

const isNew = sql`not exists (select 1 from waitlist_entries w where w.patient_id = r.patient_id and w.ended_at is null
  and w.session_id = r.session_id and w.doctor_id is r.doctor_id)`;

/** The number of the account's entries; 0 for no limit. */
const hasRoom = sql`(r.max_entries = 0 or (select count(*) from waitlist_entries w where w.ended_at is null
  and w.created_by = r.actor_id and w.patient_id in (select r.actor_id union all select f.patient_id
  from family_relations f where f.account_id = r.actor_id)) < r.max_entries)`;

const stands = sql`(exists (select 1 from patients p where p.id = r.patient_id and p.merged_into is null
  and p.erasure_id is null) and (r.family_account is null or exists (select 1 from family_relations f
  where f.account_id = r.family_account and f.patient_id = r.patient_id and f.ended_at is null)))`;

/** Recorded if the patient may wait for this: the following statements run only then. */
export const recordJoining = securityEventWhen(
  sql`${isFirstRequest} and ${stands} and ${isOffered} and ${isNew} and ${hasRoom}`,
  entryRow,
);

export const insertEntry = rowStatement([...entryRow, 'writeId', 'actorId', 'now'], (db, row) =>
  insertFromRow(db, waitlistEntries, row, sql`from r where ${rowIsRecorded}`, {
    position: sql`(select 1 + coalesce(max(w.position), 0) from waitlist_entries w
        where w.session_id = r.session_id and w.ended_at is null)`,
    createdBy: sql`r.actor_id`,
    createdAt: sql`r.now`,
  }),
);

/** Why an entry was not added: read if it was not found after the write. */
export const explainJoining = rowStatement([...entryRow, 'writeId', 'actorId', 'now'], (db, row) =>
  db
    .select({
      repeated: sql<number>`not ${isFirstRequest}`.as('repeated'),
      stands: sql<number>`${stands}`.as('stands'),
      offered: sql<number>`${isOffered}`.as('offered'),
      isNew: sql<number>`${isNew}`.as('is_new'),
    })
    .from(fromRow(row)),
);

const waits = sql`exists (select 1 from waitlist_entries where id = r.entry_id and ${isShown})`;
const nothingHeld = sql`not exists (select 1 from bookings o where o.waitlist_id = r.entry_id
  and o.status = 'waiting' and o.held_until is not null)`;

/** Recorded where an entry waits, or is still shown, for which no seat is held. */
export const recordLeaving = securityEventWhen(sql`${waits} and ${nothingHeld}`, ['entryId']);

export const endEntry = rowStatement(['entryId', 'writeId', 'now'], (db, row) =>
  db
    .update(waitlistEntries)
    .set({ endedAt: sql`r.now`, endedAs: 'withdrawn' })
    .from(fromRow(row))
    .where(sql`${waitlistEntries.id} = r.entry_id and ${isShown} and ${rowIsRecorded}`)
    .returning({ id: waitlistEntries.id }),
);

/** Ends an entry with the write of its offer, in the batch of that. */
export const endWithOffer = (endedAs: 'accepted' | 'withdrawn') =>
  rowStatement(['bookingId', 'writeId', 'now'], (db, row) =>
    db
      .update(waitlistEntries)
      .set({ endedAt: sql`r.now`, endedAs })
      .from(fromRow(row))
      .where(
        sql`${waitlistEntries.endedAt} is null and ${waitlistEntries.id} = (select b.waitlist_id from bookings b
          where b.id = r.booking_id and b.write_id = r.write_id)`,
      ),
  );
