import { type SQL, sql } from 'drizzle-orm';
import { rowsStatement } from '../../../core/db/statement.ts';
import { insertIf, mayTakeSeat, newRow, unlessWritten } from './queries.ts';

// Guards of a booking that asks for a shift and not for a slot, beside those of every seat.

/** The hours of the shift, how many of its payer it takes (null for all seats), and its poli as BPJS names it. */
const shiftColumns = ['shiftStart', 'shiftEnd', 'share', 'family', 'poliCode'] as const;

const isOfPoli = sql`exists (select 1 from sessions n where n.id = o.session_id
  and case r.family when 'rs' then n.bpjs_poli_code else n.bpjs_fktp_code end = r.poli_code)`;

const holds = sql`o.status <> 'canceled' and (o.held_until is null or o.held_until > r.now)`;

/** The live booking that the patient has already with the poli on that date. */
const ofSameDay: SQL = sql`(select o.id from bookings o where o.patient_id = r.patient_id
  and o.starts_at > r.starts_at - 172800000 and o.starts_at < r.starts_at + 172800000
  and o.schedule_date = r.schedule_date and ${holds} and o.id <> r.id and ${isOfPoli} limit 1)`;

/** A referral serves one visit; a patient who did not come may use it again. */
const ofSameReferral: SQL = sql`(select o.id from bookings o where o.referral_number = r.referral_number
  and o.referral_number is not null and o.status <> 'canceled' and o.no_show_at is null and o.id <> r.id limit 1)`;

const shareLeft: SQL = sql`(r.share is null or (select count(*) from bookings o where o.doctor_id = r.doctor_id
  and o.schedule_date = r.schedule_date and o.session_id = r.session_id and ${holds} and o.id <> r.id
  and o.schedule_time >= r.shift_start and o.schedule_time < r.shift_end
  and (o.payer is 'jkn') = (r.payer is 'jkn')) < r.share)`;

const mayTakeInShift = sql`${mayTakeSeat} and ${shareLeft} and ${ofSameDay} is null and ${ofSameReferral} is null`;

/**
 * Takes the first of these slots that is free when this runs: rows of one booking, one for each slot. Does nothing if
 * there is none, or if the patient or the referral has a booking.
 */
export const insertIntoShift = rowsStatement([...newRow, ...shiftColumns], (db, row) =>
  insertIf(db, row, sql`${mayTakeInShift} order by r.starts_at, r.doctor_id limit 1`),
);

const asked = [
  'id',
  'writeId',
  'patientId',
  'doctorId',
  'sessionId',
  'scheduleDate',
  'startsAt',
  'payer',
  'referralNumber',
  'now',
  ...shiftColumns,
] as const;

/** Why a shift took no booking, beside the guards of its slots: what the patient and the referral have, and the shares. */
export const explainShift = rowsStatement(asked, (db, row) =>
  db
    .select({
      sameDay: sql<string | null>`${unlessWritten(ofSameDay)}`.as('same_day'),
      sameReferral: sql<string | null>`${unlessWritten(ofSameReferral)}`.as('same_referral'),
      shareLeft: sql<number>`${unlessWritten(shareLeft)}`.as('share_left'),
    })
    .from(
      sql`(with ${row} select * from r) r left join booking_events e on e.booking_id = r.id and e.write_id = r.write_id`,
    ),
);
