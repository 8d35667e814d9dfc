import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { noExternal } from '../../../core/db/external-fields.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { randomUuid } from '../../../core/db/ids.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { systemEvent } from '../../../core/events/queries.ts';
import { spentAnswer } from '../../../core/idempotency/key.ts';
import { adminBeside, rowIsRecorded } from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { replays } from '../../../core/tables/idempotency.ts';
import { patients } from '../../../core/tables/patients.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';
import { insertSteps } from '../../exchange/outbox/queries.ts';

// An account and the record of its person have one id, `r.person_id`; a record without an account has no row of users.
// In a select from one table drizzle leaves its name out, also inside subqueries: hence the raw names there.

const account = sql`from users u where u.id = r.person_id`;

const isLastAdmin = sql`(exists (select 1 ${account} and u.role = 'admin') and not ${adminBeside('person_id')})`;

const worksHere = sql`exists (select 1 ${account} and u.role <> 'patient')`;

const stands = sql`(case when r.by_clinic then exists (select 1 from patients p where p.id = r.person_id
  and p.merged_into is null and p.erasure_id is null) else exists (select 1 ${account}) end)`;

/** A family member of the account is at the clinic. */
const isUnderWay = sql`exists (select 1 from bookings b where b.patient_id in (select r.person_id union all
  select f.patient_id from family_relations f where f.account_id = r.person_id and f.ended_at is null)
  and b.schedule_date = r.today and b.checked_in_at is not null and b.completed_at is null and b.no_show_at is null
  and b.status <> 'canceled')`;

const mayErase: SQL = sql`${stands} and not ${isUnderWay}
  and not (case when r.by_clinic then ${worksHere} else ${isLastAdmin} end)`;

const deciding = ['personId', 'byClinic', 'today'] as const;

/** The first statement in the batch of a deletion: the following ones run only if this was recorded. */
export const recordErasure = securityEventWhen(mayErase, deciding);

/** Whether a person was deleted and, where not, why. */
export const explainErasure = rowStatement([...deciding, 'writeId'], (db, row) =>
  db
    .select({
      recorded: sql<number>`${rowIsRecorded}`.as('recorded'),
      underWay: sql<number>`${isUnderWay}`.as('under_way'),
      lastAdmin: sql<number>`${isLastAdmin}`.as('last_admin'),
      worksHere: sql<number>`${worksHere}`.as('works_here'),
    })
    .from(fromRow(row)),
);

/** The patients for whom the account acts, or acted. */
const family = sql`select f.patient_id from family_relations f where f.account_id = r.person_id`;

/** Another account acts for the patient. */
const othersActFor = (id: SQL): SQL => sql`exists (select 1 from family_relations o where o.patient_id = ${id}
  and o.account_id <> r.person_id and o.ended_at is null)`;

/** A record that only this account uses: no other acts or books for it, and the clinic has not seen the patient. */
const isItsAlone = sql`patients.created_by = r.person_id and not ${othersActFor(sql`patients.id`)}
  and not exists (select 1 from users u where u.id = patients.id)
  and not exists (select 1 from bookings b where b.patient_id = patients.id and (b.checked_in_at is not null
  or b.completed_at is not null or (b.status <> 'canceled' and b.created_by <> r.person_id)))`;

const erased = sql`select p.id from patients p where p.erasure_id = r.write_id`;

/** Marks the records that become anonymous: the person's own, and those of family members without another account. */
export const markRecords = rowStatement(['personId', 'writeId'], (db, row) =>
  db
    .update(patients)
    .set({ erasureId: sql`r.write_id` })
    .from(fromRow(row))
    .where(
      sql`patients.id in (select r.person_id union all ${family}) and patients.erasure_id is null
        and patients.merged_into is null and (patients.id = r.person_id or (${isItsAlone})) and ${rowIsRecorded}`,
    ),
);

/** The records that an erasure made anonymous, and that are left. */
export const findErased = statement((db, named: Named<'writeId'>) =>
  db
    .select({ id: patients.id })
    .from(patients)
    .where(sql`patients.erasure_id = ${named('writeId')}`),
);

/** And those that were merged into one of these before. */
export const markMerged = rowStatement(['writeId'], (db, row) =>
  db
    .update(patients)
    .set({ erasureId: sql`r.write_id` })
    .from(fromRow(row))
    .where(
      sql`patients.merged_into is not null and patients.merged_into in (${erased}) and patients.erasure_id is null`,
    ),
);

/** Upcoming bookings: of these records, and those that the account made for patients for whom no other account acts. */
const isComing = sql`bookings.patient_id in (${erased} union all ${family}) and bookings.status <> 'canceled'
  and bookings.ends_at > r.now and bookings.checked_in_at is null and bookings.completed_at is null
  and bookings.no_show_at is null and (bookings.patient_id in (${erased})
  or (bookings.created_by = r.person_id and (bookings.held_until is not null
  or not ${othersActFor(sql`bookings.patient_id`)})))`;

/** Cancels the upcoming bookings whatever the lead time, each with a new version. */
export const cancelComing = rowStatement(['personId', 'writeId', 'now'], (db, row) =>
  db
    .update(bookings)
    .set({
      status: 'canceled',
      version: sql`${bookings.version} + 1`,
      writeId: randomUuid,
      updatedAt: sql`r.now`,
      canceledAt: sql`r.now`,
      canceledBy: 'system',
      cancelReasonCode: 'account_deleted',
      cancelReason: null,
    })
    .from(fromRow(row))
    .where(sql`${isComing} and ${rowIsRecorded}`),
);

/** The bookings that the deletion has just canceled, as `b`. */
const justCanceled = sql`from r join bookings b on b.patient_id in (${erased} union all ${family})
  and b.cancel_reason_code = 'account_deleted' and b.canceled_at = r.now`;

/** BPJS is told of those that it knows, or is about to know. `family` is that of its calls. */
export const planCancellations = rowStatement(['personId', 'writeId', 'now', 'family'], (db, row) =>
  insertSteps(
    db,
    row,
    justCanceled,
    sql`where ${rowIsRecorded} and (b.exchange_code is not null or exists (select 1 from exchanges x
      where x.booking_id = b.id and x.target = 'bpjs')) and not exists (select 1 from exchanges x
      where x.booking_id = b.id and x.target = 'bpjs' and x.step = 'cancel' and x.occurred_at = r.now)`,
    sql`json_array(json_object('target', 'bpjs', 'family', r.family, 'step', 'cancel', 'at', r.now, 'slot',
      json_object('doctorId', b.doctor_id, 'sessionId', b.session_id, 'date', b.schedule_date, 'time', b.schedule_time,
        'startsAt', b.starts_at)))`,
  ),
);

/** The event of each canceled booking: its previous event with the changes. */
export const recordCancellations = rowStatement(['personId', 'writeId', 'now', 'requestId'], (db, row) =>
  insertFromRow(
    db,
    bookingEvents,
    row,
    sql`${justCanceled} join booking_events v on v.booking_id = b.id and v.version = b.version - 1
      where not exists (select 1 from booking_events e where e.booking_id = b.id and e.write_id = b.write_id) and ${rowIsRecorded}`,
    {
      ...systemEvent('booking.canceled'),
      payload: sql`json_set(v.payload, '$.version', b.version, '$.status', 'canceled', '$.canceled_by', 'system',
        '$.reason_code', 'account_deleted', '$.actor_role', 'system', '$.previous', json('null'))`,
    },
  ),
);

/** The free texts about a visit are deleted; patient, doctor, time and state stay under an anonymous id. */
export const clearBookings = rowStatement(['writeId'], (db, row) =>
  db
    .update(bookings)
    .set({
      notes: '',
      staffNotes: '',
      cancelReason: null,
      referralNumber: null,
      answers: null,
      ...noExternal,
    })
    .from(fromRow(row))
    .where(
      sql`bookings.patient_id in (${erased})
        and (bookings.notes, bookings.staff_notes, bookings.cancel_reason, bookings.referral_number, bookings.external_id,
        bookings.metadata, bookings.answers) is not ('', '', null, null, null, null, null)`,
    ),
);

/** What other systems keep with these records and their visits, in the events that are stored. */
export const clearExternalEvents = rowStatement(['writeId'], (db, row) =>
  db
    .update(bookingEvents)
    .set({ payload: sql`json_remove(${bookingEvents.payload}, '$.external_id', '$.metadata')` })
    .from(fromRow(row))
    .where(
      sql`booking_events.booking_id in (select p.id from patients p where p.erasure_id = r.write_id union all
        select b.id from bookings b where b.patient_id in (${erased}))
        and (booking_events.payload like '%"external_id"%' or booking_events.payload like '%"metadata"%')`,
    ),
);

/**
 * Stored answers to other people's requests about these records: a repeated request is answered that its key is used
 * up. All answers of a day are searched.
 */
export const clearReplays = rowStatement(['writeId', 'since'], (db, row) =>
  db
    .update(replays)
    .set({ status: spentAnswer.status, body: JSON.stringify(spentAnswer.body), fingerprint: '' })
    .from(fromRow(row))
    .where(
      sql`replays.expires_at > r.since and exists (${erased}) and (json_extract(replays.body, '$.data.id') in
        (select b.id from bookings b where b.patient_id in (${erased}))
        or exists (select 1 from patients p where p.erasure_id = r.write_id and instr(replays.body, p.id) > 0))`,
    ),
);

const ofRecord = sql`(select max(v.version) from booking_events v where v.booking_id = p.id)`;

/** Notifies webhook receivers of the anonymous records, once for each. */
export const recordPatientsGone = rowStatement(
  ['writeId', 'now', 'actorId', 'actorRole', 'requestId'],
  (db, row) =>
    insertFromRow(
      db,
      bookingEvents,
      row,
      sql`from r join patients p on p.erasure_id = r.write_id and p.merged_into is null where not exists (
        select 1 from booking_events d where d.booking_id = p.id and d.type = 'patient.deleted')`,
      {
        sequence: sql`null`,
        writeId: randomUuid,
        bookingId: sql`p.id`,
        version: sql`1 + coalesce(${ofRecord}, 0)`,
        type: sql`'patient.deleted'`,
        occurredAt: sql`r.now`,
        payload: sql`json_object('patient_id', p.id, 'merged_into', null, 'version', 1 + coalesce(${ofRecord}, 0))`,
      },
    ),
);

/** The columns that an anonymous record keeps; every other column is emptied, also one that is added later. */
const stays = new Set(['id', 'version', 'erasureId', 'createdAt', 'updatedAt']);

const nothing = Object.fromEntries(
  Object.entries(getTableColumns(patients))
    .filter(([name]) => !stays.has(name))
    .map(([name, { notNull }]) => [name, notNull ? '' : null]),
);

/** Takes everything out of these records that says whose they were. */
export const clearRecords = rowStatement(['writeId', 'now'], (db, row) =>
  db
    .update(patients)
    .set({ ...nothing, version: sql`${patients.version} + 1`, updatedAt: sql`r.now` })
    .from(fromRow(row))
    .where(sql`patients.erasure_id = r.write_id`),
);

/** A record to which no booking belongs leaves not even its id. */
export const removeEmptyRecords = rowStatement(['writeId'], (db, row) =>
  db.delete(patients).where(
    sql`patients.id in (with ${row} select p.id from r join patients p on p.erasure_id = r.write_id
        where not exists (select 1 from bookings b where b.patient_id = p.id))`,
  ),
);
