import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { hoursOf, isClosedAllDay, isItsWeek, openSlotCount } from '../../catalog/slots/schedule-guards.ts';

export const codeOf = (family: Placeholder): SQL =>
  sql`case ${family} when 'rs' then n.bpjs_poli_code else n.bpjs_fktp_code end`;

export const doctorName = sql<string>`trim(d.title || ' ' || d.name)`;

const ofShift = (columns: string, more: string): string =>
  `select ${columns} from bookings o where o.doctor_id = h.doctor_id and o.schedule_date = s.date
    and o.session_id = h.session_id and o.status <> 'canceled'
    and o.schedule_time >= h.start_time and o.schedule_time < h.end_time${more}`;

/** Of the bookings of a shift; an offer of the waitlist is none. */
const inShift = (columns: string, more = ''): SQL =>
  sql.raw(`(${ofShift(columns, ` and o.held_until is null${more}`)})`);

/** How many have a part of a payer's share, live offers included, as a booking counts them. */
const sharing = (payer: string, now: Placeholder): SQL<number> =>
  sql`(${sql.raw(ofShift('count(*)', ` and o.payer ${payer} 'jkn'`))} and (o.held_until is null or o.held_until > ${now}))`;

const isLeft = ` and o.completed_at is null and o.no_show_at is null`;

/** Those who are not yet called, and one in the doctor's room: not every clinic says when a visit ends. */
const leftInShift = sql`${inShift('count(*)', `${isLeft} and o.called_at is null`)}
  + ${inShift('count(*) > 0', `${isLeft} and o.called_at is not null`)}`;

/** The shifts of a poli on a date, in their order, with how far their queues came. */
export const findShifts = statement((db, named: Named<'family' | 'poli' | 'date' | 'now'>) =>
  db
    .select({
      doctorId: sql<string>`d.id`.as('doctor_id'),
      doctorCode: sql<number | null>`d.bpjs_doctor_code`.as('doctor_code'),
      doctorName: doctorName.as('doctor_name'),
      sessionId: sql<string>`n.id`.as('session_id'),
      poliName: sql<string>`n.name`.as('poli_name'),
      startTime: sql<string>`h.start_time`.as('start_time'),
      endTime: sql<string>`h.end_time`.as('end_time'),
      slotMinutes: sql<number>`h.slot_minutes`.as('slot_minutes'),
      capacity: sql<number>`h.capacity`.as('capacity'),
      places: sql<number>`h.capacity * (${openSlotCount(hoursOf('h'), sql`s.date`)})`.as('places'),
      jknQuota: sql<number | null>`h.jkn_quota`.as('jkn_quota'),
      taken: sql<number>`${inShift('count(*)')}`.as('taken'),
      takenJkn: sharing('is', named('now')).as('taken_jkn'),
      takenOther: sharing('is not', named('now')).as('taken_other'),
      left: sql<number>`${leftInShift}`.as('left_over'),
      called: sql<
        string | null
      >`${inShift('o.queue_label', ' and o.called_at is not null order by o.called_at desc limit 1')}`.as(
        'called_label',
      ),
      calledAt: sql<number | null>`${inShift('max(o.called_at)')}`.as('last_called_at'),
    })
    .from(
      sql`(select ${named('date')} as date) s cross join sessions n cross join schedules h on h.session_id = n.id
        cross join doctors d on d.id = h.doctor_id`,
    )
    .where(
      sql`${codeOf(named('family'))} = ${named('poli')} and n.retired_at is null and d.retired_at is null
        and h.retired_at is null and h.weekday = (strftime('%w', s.date) + 6) % 7 + 1
        and (h.valid_from is null or h.valid_from <= s.date) and (h.valid_until is null or s.date <= h.valid_until)
        and ${isItsWeek(sql`h.every_weeks`, sql`h.valid_from`, sql`s.date`)}
        and not ${isClosedAllDay(sql`s.date`)}`,
    )
    .orderBy(sql`h.start_time, d.id`),
);

export type ShiftRow = ReturnType<typeof findShifts>['_']['result'][number];
