import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { resolveRule } from '../../../core/clinic/rules.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import { systemEvent } from '../../../core/events/queries.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { longestSlotMs } from '../../catalog/slots/rules.ts';
import { hoursOf, isItsWeek, isOnGrid, minuteIn } from '../../catalog/slots/schedule-guards.ts';
import {
  doctorFree,
  doctorNotHeld,
  lowestFreeSeat,
  notWrittenYet,
  othersAtStart,
  seatsHeld,
} from './guards.ts';
import { withinLimits } from './session-guards.ts';

// Conditions on a slot `r` and on an entry `w` of the waitlist.

const longest = sql.raw(String(longestSlotMs));

/** The slot is one that the entry waits for. */
const isWanted = sql`(w.doctor_id is null or w.doctor_id = r.doctor_id)
  and r.schedule_date between w.from_date and w.to_date
  and (w.earliest_time is null or r.schedule_time >= w.earliest_time)
  and (w.latest_time is null or r.schedule_time <= w.latest_time)`;

/**
 * The patient exists, and the account that waits for a family member still acts for them; a closed account waits no
 * more.
 */
export const stands = sql`exists (select 1 from patients p where p.id = w.patient_id and p.merged_into is null
  and p.erasure_id is null) and (w.family_account is null or exists (select 1 from family_relations f
  where f.account_id = w.family_account and f.patient_id = w.patient_id and f.ended_at is null))
  and not exists (select 1 from users u where u.id = coalesce(w.family_account, w.patient_id) and u.id = w.created_by
  and u.deactivated_at is not null)`;

/** No patient has two offers. */
export const holdsNone = sql`not exists (select 1 from bookings o where o.patient_id = w.patient_id and o.status = 'waiting'
  and o.held_until is not null)`;

/** Neither at another visit then, nor with an offer that is still open. */
const isFree = sql`not exists (select 1 from bookings o where o.patient_id = w.patient_id
  and o.starts_at > r.starts_at - ${longest} and o.starts_at < r.ends_at and o.ends_at > r.starts_at
  and o.status <> 'canceled') and ${holdsNone}`;

/**
 * No patient is offered a slot again that they declined, let lapse, or canceled themselves; an offer that a closure
 * ended counts as neither.
 */
const isNew = sql`not exists (select 1 from bookings o where o.patient_id = w.patient_id
  and o.starts_at = r.starts_at and o.doctor_id = r.doctor_id
  and ((o.held_until is not null and o.cancel_reason_code is not 'closure') or o.canceled_by = 'patient'))`;

const isAllowed = sql`exists (select 1 from sessions n where n.id = r.session_id and ${withinLimits({
  patientId: sql`w.patient_id`,
  maxPerDay: sql`n.max_per_day`,
  minDaysBetween: sql`n.min_days_between`,
  openTo: sql`n.open_to`,
})})`;

/** The entry waits for the session, and the slot suits it. */
export const isSuited = sql`w.session_id = r.session_id and w.ended_at is null and ${isWanted} and ${stands}
  and ${isFree} and ${isNew}`;

/** The first who waits for the session and whom the slot suits. */
const firstWhomItSuits = sql`(select w.id from waitlist_entries w indexed by waitlist_order
  where ${isSuited} and w.patient_id is not r.freed_patient_id and ${isAllowed} order by w.position, w.id limit 1)`;

const minute = minuteIn(sql`r.schedule_time`);
const minutesLong = sql`((r.ends_at - r.starts_at) / 60000)`;
const number = (value: number): SQL => sql.raw(String(value));

// The same conditions as `closedBecause` of src/modules/catalog/slots/rules.ts, checked when the seat is offered.

/** The schedule has such a slot, and a seat of it is free. */
const isOffered = sql`exists (select 1 from schedules s where s.doctor_id = r.doctor_id and s.session_id = r.session_id
  and s.retired_at is null and s.weekday = (strftime('%w', r.schedule_date) + 6) % 7 + 1
  and coalesce(s.valid_from <= r.schedule_date, true) and coalesce(s.valid_until >= r.schedule_date, true)
  and ${isItsWeek(sql`s.every_weeks`, sql`s.valid_from`, sql`r.schedule_date`)}
  and s.slot_minutes = ${minutesLong} and ${isOnGrid(minute, hoursOf('s'))}
  and (select count(*) ${othersAtStart}) + ${seatsHeld} < s.capacity)`;

const isOpen = sql`not exists (select 1 from closures x where (x.doctor_id = r.doctor_id or x.doctor_id is null)
  and x.start_date <= r.schedule_date and x.end_date >= r.schedule_date
  and (x.start_time is null or (${minute} < ${minuteIn(sql`x.end_time`)}
  and ${minute} + ${minutesLong} > ${minuteIn(sql`x.start_time`)})))`;

/** Patients may book it now; a setting wins over the clinic's own rule. */
const isInWindow = sql`c.time_zone = r.zone and c.rezoning_to is null and r.starts_at > r.now
  and r.starts_at >= r.now + 60000 * coalesce(r.min_notice, c.min_notice_minutes, ${number(resolveRule('minNoticeMinutes', {}, {}))})
  and r.schedule_date <= date(r.today, '+' || coalesce(r.max_advance, c.max_advance_days,
  ${number(resolveRule('maxAdvanceDays', {}, {}))}) || ' days')`;

/** The first of the list whom the slot `r` suits as `w`, with its doctor, its session, and the clinic. */
const firstAndSlot = sql`cross join waitlist_entries w on w.id = ${firstWhomItSuits}
  cross join doctors d on d.id = r.doctor_id and d.retired_at is null
  cross join sessions n on n.id = r.session_id and n.retired_at is null cross join clinic c on c.id = 1`;

const mayBeOffered = sql`${isInWindow} and ${isOffered} and ${isOpen} and ${doctorFree} and ${doctorNotHeld}`;

/** By which rules a slot may be offered. */
export const ruleNames = ['now', 'zone', 'today', 'minNotice', 'maxAdvance'] as const;

type Rules = Readonly<Record<(typeof ruleNames)[number], SQL | Placeholder>>;

/** Those of the bookings `b`, as `r`, whose seats would be offered to somebody if they came free. */
export const wouldBeOffered = (which: SQL, { now, zone, today, minNotice, maxAdvance }: Rules): SQL =>
  sql`(select b.*, b.patient_id as freed_patient_id, ${now} as now, ${zone} as zone, ${today} as today,
    ${minNotice} as min_notice, ${maxAdvance} as max_advance from bookings b where ${which}) r
    ${firstAndSlot} where ${mayBeOffered}`;

/** The booking that freed the seat earlier in this batch; null if the seat is free for another reason. */
const wasFreed = sql`(r.freed_id is null or (exists (select 1 from bookings b where b.id = r.freed_id
  and b.write_id = r.freed_write_id) and not exists (select 1 from booking_events e where e.booking_id = r.freed_id and e.write_id = r.freed_write_id)))`;

const slot = ['doctorId', 'sessionId', 'scheduleDate', 'scheduleTime', 'startsAt', 'endsAt'] as const;

/**
 * Offers a seat to the first entry that it suits, as a booking that is held, or does nothing. If nobody waits for the
 * session only an empty index is read: the expensive conditions come after the entry.
 */
export const offerSeat = rowStatement(
  [
    'id',
    'writeId',
    ...slot,
    'bookingCode',
    'heldUntil',
    'freedId',
    'freedWriteId',
    'freedPatientId',
    ...ruleNames,
  ],
  (db, row) =>
    insertFromRow(
      db,
      bookings,
      row,
      sql`from r ${firstAndSlot}
        where case when w.id is null then false else ${wasFreed} and ${notWrittenYet} and ${mayBeOffered}
        and not exists (select 1 from bookings k where k.booking_code = r.booking_code) end`,
      {
        version: sql`1`,
        patientId: sql`w.patient_id`,
        doctorName: sql`trim(d.title || ' ' || d.name)`,
        sessionName: sql`n.name`,
        seat: lowestFreeSeat,
        queueNumber: sql`0`,
        queueLabel: sql`''`,
        notes: sql`''`,
        staffNotes: sql`''`,
        overbooked: sql`0`,
        status: sql`'waiting'`,
        createdBy: sql`w.created_by`,
        createdAt: sql`r.now`,
        updatedAt: sql`r.now`,
        callCount: sql`0`,
        waitlistId: sql`w.id`,
        room: sql`''`,
        channel: sql`case when w.created_by = coalesce(w.family_account, w.patient_id) then 'app' else 'desk' end`,
        answers: sql`case when n.questions is not null then '[]' end`,
      },
    ),
);

/** The event of an offer that was made in this batch. */
export const recordOffer = rowStatement(['id', 'writeId', 'requestId', 'payload', 'now'], (db, row) =>
  insertFromRow(
    db,
    bookingEvents,
    row,
    sql`from r join bookings b on b.id = r.id and b.write_id = r.write_id where ${notWrittenYet}`,
    {
      ...systemEvent('booking.offered', sql`r.write_id`),
      payload: sql`json_set(r.payload, '$.patient_id', b.patient_id, '$.channel', b.channel)`,
    },
  ),
);
