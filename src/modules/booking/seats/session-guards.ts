import { type SQL, sql } from 'drizzle-orm';
import { isKnown, missedInYear } from '../../catalog/slots/visit-guards.ts';

// The limits of a session for each patient, as src/modules/catalog/slots/limit-rules.ts has them: conditions on a slot
// `r`, on the patient who wants it, and on the limits of its session, which are columns of a row. Without limits nothing
// is read.

/** What counts of a patient: neither canceled, nor missed, nor only offered, nor the booking that moves. */
const fromOthers = (patientId: SQL): SQL => sql`from bookings o where o.patient_id = ${patientId}
  and o.session_id = r.session_id and o.status <> 'canceled' and o.no_show_at is null and o.held_until is null
  and o.id <> r.id`;

const startsWithinDays = (days: SQL): SQL => sql`o.starts_at > r.starts_at - 86400000 * (${days} + 1)
  and o.starts_at < r.starts_at + 86400000 * (${days} + 1)`;

const daysApart = sql`abs(julianday(o.schedule_date) - julianday(r.schedule_date))`;

interface Limited {
  patientId: SQL;
  maxPerDay: SQL;
  minDaysBetween: SQL;
  openTo: SQL;
}

/** Fewer bookings on the date than the session allows. */
const roomOnDay = ({ patientId, maxPerDay }: Limited): SQL => sql`(${maxPerDay} is null
  or (select count(*) ${fromOthers(patientId)} and ${startsWithinDays(sql`1`)}
  and o.schedule_date = r.schedule_date) < ${maxPerDay})`;

/** No booking on a nearer date than the session allows. */
const farEnough = ({ patientId, minDaysBetween }: Limited): SQL => sql`(${minDaysBetween} is null
  or not exists (select 1 ${fromOthers(patientId)} and ${startsWithinDays(minDaysBetween)}
  and ${daysApart} < ${minDaysBetween}))`;

const isForPatient = ({ patientId, openTo }: Limited): SQL =>
  sql`(${openTo} = 'all' or ${isKnown(patientId, sql`r.id`)} = (${openTo} = 'known'))`;

/** The limits of the session allow it. */
export const withinLimits = (limited: Limited): SQL =>
  sql`(${isForPatient(limited)} and ${roomOnDay(limited)} and ${farEnough(limited)})`;

const ofRow: Limited = {
  patientId: sql`r.patient_id`,
  maxPerDay: sql`r.max_per_day`,
  minDaysBetween: sql`r.min_days_between`,
  openTo: sql`r.open_to`,
};

/** The same with the limits as values of the row `r`. */
export const withinLimitsOfRow: SQL = withinLimits(ofRow);

/** Which of the limits refuses, in the order of `limitedBecause`; null if none does. */
export const limitReason: SQL = sql`case when not ${isForPatient(ofRow)}
  then case r.open_to when 'new' then 'new_patients_only' else 'known_patients_only' end
  when not ${roomOnDay(ofRow)} then 'day_limit' when not ${farEnough(ofRow)} then 'days_between' end`;

/** Whether the patient's bookings wait for approval is as it was when the booking was decided on. */
export const approvalUnchanged: SQL = sql`(r.approval_after = 0
  or (${missedInYear(sql`r.patient_id`, sql`r.now`)} >= r.approval_after) = r.waits)`;
