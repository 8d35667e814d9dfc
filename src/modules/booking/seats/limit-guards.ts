import { type SQL, sql } from 'drizzle-orm';
import { hourMs } from '../../../core/clinic/durations.ts';

// How much an account and a patient may book: conditions on the row `r` of input values, as in guards.ts.

/**
 * How many upcoming bookings an account made for itself and its family, also for those for whom it no longer acts. Those
 * before it in the same step (`r.ahead`) count, here and below.
 */
const comingOfAccount: SQL = sql`(select r.ahead + count(*) from bookings o where o.patient_id in (select r.actor_id union all
  select f.patient_id from family_relations f where f.account_id = r.actor_id) and o.created_by = r.actor_id
  and o.starts_at > r.now and o.status <> 'canceled' and o.held_until is null and o.id <> r.id)`;

/** How many upcoming bookings the patient has. */
const comingBookings: SQL = sql`(select r.ahead + count(*) from bookings o where o.patient_id = r.patient_id
  and o.starts_at > r.now and o.status <> 'canceled' and o.held_until is null and o.id <> r.id)`;

/** An account without a family made none of the upcoming bookings but its own, which `comingBookings` counts. */
const booksForNobodyElse = sql`r.patient_id = r.actor_id
  and not exists (select 1 from family_relations f where f.account_id = r.actor_id)`;

/** An account may have three times as many upcoming bookings as a patient. */
export const roomForPatient: SQL = sql`(r.max_coming = 0 or (${comingBookings} < r.max_coming
  and (${booksForNobodyElse} or ${comingOfAccount} < 3 * r.max_coming)))`;

/** The bookings and moves of an account are counted over the last hour. */
export const countedSpanMs = hourMs;

const hourAgo = sql`r.now - ${sql.raw(String(countedSpanMs))}`;

// Of the upcoming bookings of the people for whom the account acts: a booking that is made or moved is always in the
// future.
const madeInLastHour = sql`from (select r.actor_id as patient_id union select f.patient_id from family_relations f
  where f.account_id = r.actor_id) h cross join bookings o on o.patient_id = h.patient_id and o.starts_at > ${hourAgo}
  and o.updated_at > ${hourAgo} cross join booking_events m on m.booking_id = o.id
  where m.actor_id = r.actor_id and m.actor_role = 'patient' and m.occurred_at > ${hourAgo}
  and m.type in ('booking.created', 'booking.rescheduled')`;

/** The account has booked and moved less often in the last hour than the limit. */
export const roomInHour: SQL = sql`(r.max_an_hour = 0 or (select r.ahead + count(*) ${madeInLastHour}) < r.max_an_hour)`;

/** When the oldest of these was made: another is allowed once it is an hour old. */
export const oldestInHour: SQL = sql`(select min(m.occurred_at) ${madeInLastHour})`;

// Of every booking of these people: notes and answers may be changed until the visit is over, and may be long past that.
const writtenInLastHour = sql`from (select r.actor_id as patient_id union select f.patient_id from family_relations f
  where f.account_id = r.actor_id) h cross join bookings o on o.patient_id = h.patient_id
  and o.updated_at > ${hourAgo} cross join booking_events m on m.booking_id = o.id
  where m.actor_id = r.actor_id and m.actor_role = 'patient' and m.occurred_at > ${hourAgo}
  and m.type in ('booking.updated', 'booking.answered')`;

/** The account has changed notes and answers less often in the last hour than the limit. */
export const roomToWrite: SQL = sql`(r.max_an_hour = 0 or (select count(*) ${writtenInLastHour}) < r.max_an_hour)`;

/** When the oldest of these changes was made. */
export const oldestWritten: SQL = sql`(select min(m.occurred_at) ${writtenInLastHour})`;

/** The account has proved its e-mail or a phone, or has fewer upcoming bookings than the limit of an unproved account. */
export const proofOrFew: SQL = sql`(r.max_unproved = 0
  or exists (select 1 from users u where u.id = r.actor_id and (u.email_proved_at is not null or u.login_phone is not null))
  or ${comingOfAccount} < r.max_unproved)`;
