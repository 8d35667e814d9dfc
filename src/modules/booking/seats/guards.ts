import { type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../../core/db/db.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import type { Deps } from '../../../core/deps.ts';
import { bookings, isLong, usualVisitMs } from '../../../core/tables/bookings.ts';
import { waitlistEntries } from '../../../core/tables/queues.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { longestSlotMs } from '../../catalog/slots/rules.ts';
import type { ActingContext } from '../record/context.ts';

// Conditions on the row `r` of input values, used by the guarded write and by the query that explains a refusal.
// They do not count the booking `r.id` itself, so that it can move within its own time.

/** The values that the guards of every write read: the actor, the booking, and the idempotency key. */
export const writer = [
  'id',
  'writeId',
  'actorId',
  'actorRole',
  'actorDoctorId',
  'loginId',
  'key',
  'now',
] as const;

interface WriteIds {
  id: string;
  writeId: string;
  /** Null without an idempotency key. */
  key: string | null;
}

export const toWriter = ({ actor, now }: ActingContext, { id, writeId, key }: WriteIds) => ({
  id,
  writeId,
  actorId: actor.userId,
  actorRole: actor.role,
  actorDoctorId: actor.doctorId,
  loginId: actor.deviceLoginId,
  key,
  now,
});

const keyLives = sql`exists (select 1 from api_keys k where k.id = r.actor_id and k.revoked_at is null
  and (k.expires_at is null or k.expires_at > r.now))`;

/** The link of an offer's notice needs no device login. */
const byLink = sql`(r.actor_role = 'patient' and r.login_id is null)`;

/** The recipient of the link still exists: an account that is not closed, or the record of a patient without one. */
const linkHolds = sql`(exists (select 1 from users u where u.id = r.actor_id and u.deactivated_at is null)
  or (not exists (select 1 from users u where u.id = r.actor_id) and exists (select 1 from patients p
    where p.id = r.actor_id and p.merged_into is null and p.erasure_id is null)))`;

/** The device login of the request is still valid and belongs to the same person; or the key of the clinic is. */
export const loginLives: SQL = sql`(case when r.actor_role = 'api_key' then ${keyLives} when ${byLink} then ${linkHolds} else
  exists (select 1 from device_logins l where l.id = r.login_id and l.user_id = r.actor_id
  and l.revoked_at is null and l.expires_at > r.now) end)`;

/** The actor's role and linked doctor are the same as at the decision. The rights of a key never change. */
export const roleHolds: SQL = sql`(r.actor_role = 'api_key' or ${byLink} or exists (select 1 from users u
  where u.id = r.actor_id and u.role = r.actor_role and u.doctor_id is r.actor_doctor_id))`;

/** The scheduled job needs no device login. */
export const actorHolds: SQL = sql`(r.actor_role = 'system' or (${loginLives} and ${roleHolds}))`;

/** No event of the booking is of this write: sent again after a lost answer, it must change nothing. */
export const notWrittenFor = (bookingId: SQL): SQL => sql`not exists (select 1 from booking_events e
  where e.booking_id = ${bookingId} and e.write_id = r.write_id)`;

/** The same of the booking `r.id`. */
export const notWrittenYet: SQL = notWrittenFor(sql`r.id`);

/** No response is stored under the request's idempotency key. */
export const notReplayed: SQL = sql`not exists (select 1 from replays p where p.user_id = r.actor_id
  and p.key = r.key and p.expires_at > r.now)`;

/** Schedules, leave, holidays and retirement are as they were when the rules decided. */
export const calendarUnchanged: SQL = sql`(exists (select 1 from doctors d where d.id = r.doctor_id
  and d.calendar_version = r.doctor_version) and exists (select 1 from clinic c where c.id = 1
  and c.calendar_version = r.clinic_version))`;

export const othersAtStart = sql`from bookings o where o.doctor_id = r.doctor_id and o.schedule_date = r.schedule_date
  and o.starts_at = r.starts_at and o.status <> 'canceled' and o.id <> r.id`;

/** Holds of the slot that have not ended: each takes a seat. */
const heldAtStart = sql`from holds h where h.doctor_id = r.doctor_id and h.schedule_date = r.schedule_date
  and h.starts_at = r.starts_at and h.expires_at > r.now`;

/** How many seats of the slot are held. */
export const seatsHeld: SQL = sql`(select count(*) ${heldAtStart})`;

/** A hold that does not prevent this write from taking its seat: by its secret (`hold`), or of the account that acts. */
const isOwnHold = sql`(coalesce(h.secret_hash = r.hold, false) or coalesce(h.account_id = r.actor_id, false))`;

const seatsHeldByOthers = sql`(select count(*) ${heldAtStart} and not ${isOwnHold})`;

/**
 * The slot has a free seat; if the clinic overbooks, also one beyond the capacity (`beyond`, else 0). Who holds a seat of
 * it has one, though the clinic overbooked meanwhile.
 */
export const seatFree: SQL = sql`((select count(*) ${othersAtStart}) + ${seatsHeldByOthers} < r.capacity + r.beyond
  or (exists (select 1 ${heldAtStart} and ${isOwnHold})
    and (select count(*) ${othersAtStart} and o.overbooked = 0) < r.capacity))`;

/** Whether the seat is beyond the capacity, at the moment of writing. */
export const isOverbooked: SQL = sql`(r.beyond > 0
  and (select count(*) ${othersAtStart}) + ${seatsHeldByOthers} >= r.capacity)`;

export const lowestFreeSeat: SQL = sql`(select min(s.seat) from (select 1 as seat union all select o.seat + 1 ${othersAtStart}) s
  where not exists (select 1 ${othersAtStart} and o.seat = s.seat))`;

const startsWithin = (spanMs: number): SQL =>
  sql.raw(`o.starts_at > r.starts_at - ${spanMs} and o.starts_at < r.ends_at`);

const goesOn = sql`o.ends_at > r.starts_at and o.status <> 'canceled' and o.id <> r.id`;

const overlaps = sql`${startsWithin(longestSlotMs)} and ${goesOn}`;

// One date after the other, so that of each date only the starts nearby are read.
const nearbyOfDoctor = sql`from (select date(r.schedule_date, '-1 day') as date union all select r.schedule_date
  union all select date(r.schedule_date, '+1 day')) near cross join bookings o on o.doctor_id = r.doctor_id
  and o.schedule_date = near.date and ${startsWithin(usualVisitMs)}`;

const longOfDoctor = sql`from bookings o indexed by bookings_long where o.doctor_id = r.doctor_id and ${isLong}
  and ${startsWithin(longestSlotMs)}`;

const inTheWayOfDoctor = sql`${goesOn} and o.starts_at <> r.starts_at`;

/** No other booking of the doctor overlaps, except those that share the start. */
export const doctorFree: SQL = sql`(not exists (select 1 ${nearbyOfDoctor} and ${inTheWayOfDoctor})
  and not exists (select 1 ${longOfDoctor} and ${inTheWayOfDoctor}))`;

// Holds end within minutes: of three dates there are few.
const heldNearby = sql`from holds h where h.doctor_id = r.doctor_id
  and h.schedule_date between date(r.schedule_date, '-1 day') and date(r.schedule_date, '+1 day')
  and h.starts_at < r.ends_at and h.ends_at > r.starts_at and h.starts_at <> r.starts_at and h.expires_at > r.now`;

/** No hold of the doctor overlaps, except those that share the start. */
export const doctorNotHeld: SQL = sql`not exists (select 1 ${heldNearby})`;

/** The same, except for holds that do not prevent this write from taking their seat. */
export const doctorNotHeldByOthers: SQL = sql`not exists (select 1 ${heldNearby} and not ${isOwnHold})`;

/** The patient's own live booking that overlaps, if there is one. */
export const clashOfPatient: SQL = sql`(select o.id from bookings o where o.patient_id = r.patient_id and ${overlaps}
  and (o.held_until is null or o.held_until > r.now) order by o.starts_at limit 1)`;

/**
 * The patient's record is neither merged into another nor anonymous, and an account that books for its family still
 * acts for them.
 */
export const patientStands: SQL = sql`(exists (select 1 from patients p where p.id = r.patient_id and p.merged_into is null
  and p.erasure_id is null)
  and (r.family_account is null or exists (select 1 from family_relations f where f.account_id = r.family_account
  and f.patient_id = r.patient_id and f.ended_at is null)))`;

/** The next queue number: one above the counter, which only grows. */
export const nextQueueNumber: SQL = sql`(1 + coalesce((select q.last_number from queues q where q.doctor_id = r.doctor_id
  and q.schedule_date = r.schedule_date and q.session_id = r.session_id), 0))`;

/** The next number with the prefix that the queue has now. */
export const nextQueueLabel: SQL = sql`(coalesce((select p.prefix || '-' from queue_prefixes p where p.doctor_id = r.doctor_id
  and p.session_id = r.session_id and p.replaced_at is null), '') || printf('%02d', ${nextQueueNumber}))`;

const staysInQueue = sql`bookings.doctor_id = r.doctor_id and bookings.schedule_date = r.schedule_date
  and bookings.session_id = r.session_id`;

/** A booking that stays in its queue keeps its number and label; one that joins another takes the next ones there. */
export const queueNumberAfterMove: SQL = sql`(case when ${staysInQueue} then bookings.queue_number
  else ${nextQueueNumber} end)`;
export const queueLabelAfterMove: SQL = sql`(case when ${staysInQueue} then bookings.queue_label
  else ${nextQueueLabel} end)`;

/**
 * Offers whose time is over: of the doctor whose seat is taken or offered (null for all), of the patient who takes or
 * leaves it, and of everybody who waits or waited for the session whose seat is offered.
 */
const inTheWay = sql`bookings o indexed by bookings_held where o.status = 'waiting' and o.held_until <= r.now
  and (o.doctor_id = r.doctor_id or o.patient_id = r.patient_id or r.doctor_id is null
  or exists (select 1 from waitlist_entries w where w.patient_id = o.patient_id and w.session_id = r.offered_of))`;

/** The write of each offer that ends: the batch's, with the random end of the offer's own id. */
const deriveWriteId = (id: SQL): SQL => sql`substr(r.write_id, 1, 24) || substr(${id}, 25)`;

const lapsing = ['writeId', 'doctorId', 'patientId', 'offeredOf', 'requestId', 'now'] as const;

/** Comes before `endLapsedOffers`: the event of each offer that it ends, made of the one before. */
const recordLapsedOffers = rowStatement(lapsing, (db, row) =>
  insertFromRow(db, bookingEvents, row, sql`from r cross join ${inTheWay}`, {
    sequence: sql`null`,
    writeId: deriveWriteId(sql`o.id`),
    bookingId: sql`o.id`,
    version: sql`o.version + 1`,
    type: sql`'booking.canceled'`,
    actorRole: sql`'system'`,
    occurredAt: sql`r.now`,
    payload: sql`(select json_set(v.payload, '$.version', o.version + 1, '$.status', 'canceled', '$.canceled_by', 'system',
        '$.reason_code', 'offer_lapsed', '$.actor_role', 'system', '$.previous', null) from booking_events v
        where v.booking_id = o.id and v.version = o.version)`,
  }),
);

/** Ends those offers, so that no seat stays held after its time though no job ran. */
const endLapsedOffers = rowStatement(lapsing, (db, row) =>
  db
    .update(bookings)
    .set({
      status: 'canceled',
      version: sql`bookings.version + 1`,
      writeId: deriveWriteId(sql`bookings.id`),
      updatedAt: sql`r.now`,
      canceledAt: sql`r.now`,
      canceledBy: 'system',
      cancelReasonCode: 'offer_lapsed',
    })
    .from(fromRow(row))
    .where(sql`bookings.id in (select o.id from ${inTheWay})`),
);

/** How many offers of the entry of `o` lapsed since the last that was answered. */
const unanswered = sql`(select count(*) from bookings p where p.patient_id = o.patient_id and p.waitlist_id = o.waitlist_id
  and p.cancel_reason_code = 'offer_lapsed' and not exists (select 1 from bookings a where a.patient_id = o.patient_id
  and a.waitlist_id = o.waitlist_id and a.cancel_reason_code = 'offer_declined' and a.canceled_at >= p.canceled_at))`;

/**
 * An entry ends with its third offer in a row without an answer, so that it holds no more seats. Comes before
 * `endLapsedOffers`, because after it these offers look like older ones.
 */
const endUnansweredEntries = rowStatement(lapsing, (db, row) =>
  db
    .update(waitlistEntries)
    .set({ endedAt: sql`r.now`, endedAs: 'unanswered' })
    .from(fromRow(row))
    .where(
      sql`waitlist_entries.ended_at is null and waitlist_entries.id in (select o.waitlist_id from ${inTheWay}
        and ${unanswered} > 1)`,
    ),
);

/**
 * The first statements of every batch that takes a seat or makes an offer: they end offers whose time is over, so that
 * the guards no longer count these. `offeredOf` is the session whose seat is offered.
 */
export const withoutLapsed = (
  { deps: { db }, now, requestId }: { deps: Pick<Deps, 'db'>; now: number; requestId: string },
  { writeId, doctorId, patientId }: { writeId: string; doctorId: string | null; patientId: string },
  offeredOf: string | null = null,
): readonly Statement[] => {
  const over = { writeId, doctorId, patientId, offeredOf, requestId, now };
  return [recordLapsedOffers(db, over), endUnansweredEntries(db, over), endLapsedOffers(db, over)];
};
