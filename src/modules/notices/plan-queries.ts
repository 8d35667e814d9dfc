import { eq, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../core/db/from-row.ts';
import { randomUuid } from '../../core/db/ids.ts';
import { rowStatement, statement } from '../../core/db/statement.ts';
import { clinic } from '../../core/tables/catalog.ts';
import { notices } from '../../core/tables/mail.ts';

const maxEventsAtOnce = 500;

/** How far notices and reminders are planned, and up to which event they could be. */
export const findPlanned = statement((db) =>
  db
    .select({
      noticedSequence: clinic.noticedSequence,
      remindedAt: clinic.remindedAt,
      lastSequence: sql<number>`(select coalesce(max(v.sequence), 0) from booking_events v)`.as(
        'last_sequence',
      ),
    })
    .from(clinic)
    .where(eq(clinic.id, 1)),
);

const farBack = sql`(select coalesce(max(m.sequence), 0) - 5000 from booking_events m)`;

/** Where planning starts in a database that never planned: at the changes of just now. */
export const beginPlanning = rowStatement(['since', 'now'], (db, row) =>
  db
    .update(clinic)
    .set({
      noticedSequence: sql`max(0, coalesce((select v.sequence from booking_events v where v.sequence > ${farBack}
        and v.occurred_at < r.since order by v.sequence desc limit 1), ${farBack}))`,
      remindedAt: sql`r.now`,
    })
    .from(fromRow(row))
    .where(sql`clinic.id = 1 and clinic.noticed_sequence is null`),
);

const stretchEnd = sql`(select max(s.sequence) from (select n.sequence from booking_events n
  where n.sequence > c.noticed_sequence order by n.sequence limit ${sql.raw(String(maxEventsAtOnce))}) s)`;

const stretch = sql`clinic c join booking_events v on v.sequence > c.noticed_sequence and v.sequence <= ${stretchEnd}
  and v.occurred_at > r.since`;

/** Follows the planning in the same batch. */
export const stepPlanning = statement((db) =>
  db
    .update(clinic)
    .set({ noticedSequence: sql`(select ${stretchEnd} from clinic c)` })
    .where(sql`id = 1 and noticed_sequence < (select coalesce(max(v.sequence), 0) from booking_events v)`),
);

/** An account of the family that acts for the patient of the booking `b`, and is not deactivated. */
const manages = (account: SQL): SQL => sql`exists (select 1 from users m where m.id = ${account}
  and m.deactivated_at is null)`;

/**
 * Who gets the notices of the booking `b`: the account that made it for its own family, else the patient, else the
 * account that acts for the patient.
 */
const recipientOfBooking = sql`case
  when ${manages(sql`b.created_by`)} and (b.created_by = b.patient_id or exists (select 1 from family_relations f
    where f.account_id = b.created_by and f.patient_id = b.patient_id and f.ended_at is null)) then b.created_by
  when exists (select 1 from users o where o.id = b.patient_id) then b.patient_id
  else coalesce((select f.account_id from family_relations f where f.patient_id = b.patient_id and f.ended_at is null
    and ${manages(sql`f.account_id`)} order by f.created_at, f.account_id limit 1), b.patient_id) end`;

/** Every account that acts for the patient of the booking `b`; the record itself if there is none. */
const familyAccounts = sql`coalesce((select nullif(json_group_array(m.id), '[]') from users m where m.deactivated_at is null
  and m.id in (select b.patient_id union all select f.account_id from family_relations f
    where f.patient_id = b.patient_id and f.ended_at is null)), json_array(b.patient_id))`;

/**
 * The recipient of the notice `n`: computed now, since a record may have been merged. For a notice to a whole family:
 * the account it was planned for; if that one no longer acts for the patient, the present recipient, unless they
 * already have a notice of it or made the change. Null for nobody.
 */
export const recipientOfNotice = sql`case when n.kind in ('patient_canceled', 'patient_moved', 'patient_answered') then n.person_id
  when n.kind not in ('canceled', 'moved') then coalesce(${recipientOfBooking}, n.person_id)
  when exists (select 1 from json_each(${familyAccounts}) a where a.value = n.person_id) then n.person_id
  when not exists (select 1 from notices s where s.booking_id = n.booking_id and s.kind = n.kind
    and s.channel = n.channel and s.version = n.version and s.person_id = ${recipientOfBooking})
  and not exists (select 1 from booking_events e where e.booking_id = n.booking_id and e.version = n.version
    and e.actor_role = 'patient' and e.actor_id = ${recipientOfBooking}) then ${recipientOfBooking} end`;

/**
 * For each of the bookings `x` and each channel its possible recipient: an account by its proved e-mail, a record
 * without an account by the contact that the desk noted; nobody who opted out.
 */
const recipients = sql`left join users u on u.id = x.person_id left join patients q on q.id = x.person_id
  left join notice_choices h on h.person_id = x.person_id join json_each(r.channels) ch
  where (case ch.value
    when 'email' then (case when u.id is null then q.email is not null else u.email_proved_at is not null end)
      and coalesce(h.email, 1)
    else coalesce(u.phone_number, q.phone_number, '') <> '' and coalesce(h.message, 1) end)
  and u.deactivated_at is null
  and not exists (select 1 from json_each(coalesce(h.stopped_kinds, '[]')) k where k.value = x.kind)`;

const planned = {
  id: randomUuid,
  bookingId: sql`x.id`,
  version: sql`x.version`,
  kind: sql`x.kind`,
  channel: sql`ch.value`,
  personId: sql`x.person_id`,
  startsAt: sql`x.starts_at`,
  urgentUntil: sql`x.urgent`,
  state: sql`'pending'`,
  attempts: sql`0`,
  dueAt: sql`r.now`,
  createdAt: sql`r.now`,
};

/** Changes that the whole family is notified of: all accounts but the one that made it. */
const toFamily = sql`v.type in ('booking.canceled', 'booking.rescheduled') and b.held_until is null
  and ifnull(v.payload ->> '$.reason_code', '') not in ('expired', 'rejected')`;

/** The kind of notice for the event `v` to the patient's side; null for none, as for an offer that ended. */
const kindForEvent = sql`case when v.type = 'booking.offered' and b.status = 'waiting' and b.held_until > r.now then 'waitlist_offer'
  when v.type = 'booking.canceled' and v.payload ->> '$.reason_code' = 'expired' then 'expired'
  when b.held_until is not null or (v.actor_role = 'system' and v.type <> 'booking.canceled')
    or (v.actor_role = 'patient' and v.type not in ('booking.canceled', 'booking.rescheduled')) then null
  when v.type = 'booking.approved' then 'approved'
  when v.type in ('booking.created', 'booking.accepted') and b.status = 'approved' then 'approved'
  when v.type = 'booking.rescheduled' then 'moved'
  when v.type = 'booking.canceled' and v.payload ->> '$.reason_code' = 'rejected' then 'rejected'
  when v.type = 'booking.canceled' then 'canceled' end`;

const eventRow = ['since', 'now', 'lastUrgent', 'channels'] as const;

const readInstant = (at: string): SQL => sql`unixepoch(v.payload ->> ${sql.raw(`'$.${at}'`)}) * 1000`;

/**
 * By how much the clinic has moved visits to another time zone since the event `v`: the difference between the
 * booking's start now and then, if it still has the event's date and time.
 */
const movedBy = sql`case when b.schedule_date = v.payload ->> '$.schedule_date'
  and b.schedule_time = v.payload ->> '$.schedule_time' then b.starts_at - ${readInstant('starts_at')} else 0 end`;

/** The start of the visit that the event `v` is about, or the start before the move. */
const readStart = (at: 'starts_at' | 'previous.starts_at'): SQL => sql`${readInstant(at)} + ${movedBy}`;

/**
 * Until when the change of a visit is urgent: its start, if no notice could be sent later. Once past, it is not urgent
 * any more.
 */
const urgentUntil = (start: SQL): SQL => sql`case when ${start} <= r.last_urgent then ${start} else 0 end`;

/** Plans the notices of the next changes of bookings. */
export const planChanges = rowStatement(eventRow, (db, row) =>
  insertFromRow(
    db,
    notices,
    row,
    sql`from r join (select b.id, v.version, ${kindForEvent} as kind, a.value as person_id,
        ${readStart('starts_at')} as starts_at, case when v.type in ('booking.canceled', 'booking.rescheduled')
          then max(${urgentUntil(readStart('starts_at'))}, ${urgentUntil(readStart('previous.starts_at'))}) else 0 end as urgent
        from r join ${stretch} join bookings b on b.id = v.booking_id
          and (b.starts_at > r.now or v.payload ->> '$.reason_code' = 'expired')
        join json_each(case when ${toFamily} then ${familyAccounts} else json_array(${recipientOfBooking}) end) a
          on v.actor_role <> 'patient' or a.value <> v.actor_id) x
      ${recipients} and x.kind is not null`,
    planned,
  ).onConflictDoNothing(),
);

/** The visit of the event `v` is, or was before it, on one of the dates (a JSON list). */
const isOnDates = sql`exists (select 1 from json_each(r.dates) t
  where t.value in (v.payload ->> '$.schedule_date', v.payload ->> '$.previous.schedule_date'))`;

/** The staff who want notices: for a doctor's visits that doctor, besides the desk. */
const wantsToKnow = sql`users u join notice_choices h on h.person_id = u.id and h.desk = 1
  and u.deactivated_at is null and (u.role in ('staff', 'admin') or (u.role = 'doctor' and (u.doctor_id = b.doctor_id
  or u.doctor_id = v.payload ->> '$.previous.doctor_id')))`;

/** Plans the desk's notices of the next changes by patients to visits of today or tomorrow. */
export const planForDesk = rowStatement([...eventRow, 'dates'], (db, row) =>
  insertFromRow(
    db,
    notices,
    row,
    sql`from r join (select b.id, v.version, case v.type when 'booking.canceled' then 'patient_canceled'
          when 'booking.answered' then 'patient_answered' else 'patient_moved' end as kind, u.id as person_id, ${readStart('starts_at')} as starts_at,
        u.email_proved_at, u.phone_number, h.email as by_email, h.message as by_message,
        max(${urgentUntil(readStart('starts_at'))}, ${urgentUntil(readStart('previous.starts_at'))}) as urgent
        from r join ${stretch} and v.type in ('booking.canceled', 'booking.rescheduled', 'booking.answered') and v.actor_role = 'patient'
        join bookings b on b.id = v.booking_id and b.held_until is null and b.starts_at > r.now and ${isOnDates}
        join ${wantsToKnow}) x join json_each(r.channels) ch
      where case ch.value when 'email' then x.email_proved_at is not null and x.by_email
        else x.phone_number <> '' and x.by_message end`,
    planned,
  ).onConflictDoNothing(),
);

/** Plans the notices of the next delays, for everybody who still waits for the doctor that day. */
export const planDelays = rowStatement(eventRow, (db, row) =>
  insertFromRow(
    db,
    notices,
    row,
    sql`from r join (select b.id, v.sequence as version, 'delayed' as kind, ${recipientOfBooking} as person_id, b.starts_at,
        case when b.starts_at <= r.last_urgent then b.starts_at + 60000 * (v.payload ->> '$.delay_minutes') else 0 end as urgent
        from r join ${stretch} and v.type = 'queue.notice_set'
        join bookings b on b.doctor_id = v.payload ->> '$.doctor_id' and b.schedule_date = v.payload ->> '$.schedule_date'
        and b.status = 'approved' and b.called_at is null and b.completed_at is null and b.no_show_at is null
        and b.starts_at + 60000 * (v.payload ->> '$.delay_minutes') > r.now
        where v.payload ->> '$.delay_minutes' > 0) x ${recipients}`,
    planned,
  ).onConflictDoNothing(),
);

/**
 * The booking was made, approved or moved when its reminder was already due: no reminder is sent for something new. A
 * move by the system, with the whole clinic to another time zone, does not count as new: no notice was sent for it.
 */
const isNews = sql`exists (select 1 from booking_events e where e.booking_id = b.id
  and e.type in ('booking.created', 'booking.accepted', 'booking.approved', 'booking.rescheduled')
  and e.actor_role <> 'system' and e.occurred_at > b.starts_at - (r.until - r.now))`;

/** Plans reminders of visits that start in a window, up to a given number; one row for each. */
export const planReminders = rowStatement(
  ['kind', 'dates', 'from', 'until', 'now', 'channels', 'max'],
  (db, row) =>
    insertFromRow(
      db,
      notices,
      row,
      sql`from r join (select b.id, b.version, r.kind as kind, ${recipientOfBooking} as person_id, b.starts_at, 0 as urgent
        from r join json_each(r.dates) d join bookings b on b.schedule_date = d.value and b.starts_at > r."from"
        and b.starts_at <= r.until and b.status in ('waiting', 'approved') and b.held_until is null and b.checked_in_at is null and not ${isNews}) x ${recipients}
        and not exists (select 1 from notices n where n.booking_id = x.id and n.kind = x.kind and n.channel = ch.value
          and n.starts_at = x.starts_at) limit (select max from r)`,
      planned,
    )
      .onConflictDoNothing()
      .returning({ planned: sql<number>`1`.as('planned') }),
);

/**
 * Reminders are planned until this instant, by a process that uses the clinic's zone. A process that still uses another
 * zone has other dates, and leaves the reminders to the next one.
 */
export const stepReminders = rowStatement(['now', 'zone'], (db, row) =>
  db
    .update(clinic)
    .set({ remindedAt: sql`r.now` })
    .from(fromRow(row))
    .where(
      sql`clinic.id = 1 and clinic.reminded_at < r.now and clinic.time_zone = r.zone and clinic.rezoning_to is null`,
    ),
);
