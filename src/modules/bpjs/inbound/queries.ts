import { getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { patients } from '../../../core/tables/patients.ts';
import { hoursOf, isClosedAllDay, isItsWeek, openSlotCount } from '../../catalog/slots/schedule-guards.ts';

const codeOf = (family: Placeholder): SQL =>
  sql`case ${family} when 'rs' then n.bpjs_poli_code else n.bpjs_fktp_code end`;

const doctorName = sql<string>`trim(d.title || ' ' || d.name)`;

/** The sessions of a poli, and the doctors who have hours there on whatever day. */
export const findPoli = statement((db, named: Named<'family' | 'poli'>) =>
  db
    .select({
      poliName: sql<string>`n.name`.as('poli_name'),
      doctorCode: sql<number | null>`d.bpjs_doctor_code`.as('doctor_code'),
      doctorName: doctorName.as('doctor_name'),
    })
    .from(
      sql`sessions n left join schedules h on h.session_id = n.id and h.retired_at is null
        left join doctors d on d.id = h.doctor_id and d.retired_at is null`,
    )
    .where(sql`${codeOf(named('family'))} = ${named('poli')} and n.retired_at is null`),
);

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

const antrean = {
  ...getTableColumns(bookings),
  /** As the verbs of a booking read it: a key has no family. */
  isFamily: sql<number>`0`.as('is_family'),
  recordNumber: sql<string | null>`(select p.medical_record_number from patients p
    where p.id = bookings.patient_id)`.as('record_number'),
  poliCode: sql<string | null>`(select ${codeOf(sql.placeholder('family'))} from sessions n
    where n.id = bookings.session_id)`.as('poli_code'),
};

/** A booking by its id or its code, whatever became of it; an offer of the waitlist is none. */
export const findAntrean = statement((db, named: Named<'id' | 'code' | 'family'>) =>
  db
    .select(antrean)
    .from(bookings)
    .where(
      sql`bookings.id = coalesce(${named('id')}, (select b.id from bookings b where b.booking_code = ${named('code')}))
        and bookings.held_until is null`,
    )
    .limit(1),
);

export type Antrean = ReturnType<typeof findAntrean>['_']['result'][number];

/** The booking of a patient with a poli on a date: a live one before one that was canceled, and the last of these. */
export const findAntreanOf = statement(
  (db, named: Named<'patientId' | 'poli' | 'date' | 'family' | 'after' | 'before'>) =>
    db
      .select(antrean)
      .from(bookings)
      .where(
        sql`bookings.patient_id = ${named('patientId')} and bookings.schedule_date = ${named('date')}
          and bookings.starts_at > ${named('after')} and bookings.starts_at < ${named('before')}
          and bookings.held_until is null and exists (select 1 from sessions n where n.id = bookings.session_id
            and ${codeOf(named('family'))} = ${named('poli')})`,
      )
      .orderBy(sql`bookings.status = 'canceled', bookings.created_at desc`)
      .limit(1),
);

/** Patients with one of these numbers, confirmed: a number that somebody merely typed finds nobody. */
export const findConfirmed = statement((db, named: Named<'nationalIds' | 'insuranceNumbers'>) =>
  db
    .select({
      id: patients.id,
      nationalIdHash: patients.nationalIdHash,
      insuranceNumberHash: patients.insuranceNumberHash,
      recordNumber: patients.medicalRecordNumber,
    })
    .from(patients)
    .where(
      sql`patients.id in (select n.id from json_each(${named('nationalIds')}) l
          join patients n on n.national_id_hash = l.value
          union select c.id from json_each(${named('insuranceNumbers')}) l
          join patients c on c.insurance_number_hash = l.value)
        and patients.numbers_confirmed_at is not null and patients.merged_into is null
        and patients.erasure_id is null`,
    ),
);

export type Confirmed = ReturnType<typeof findConfirmed>['_']['result'][number];

/** What Mobile JKN needs of a clinic: keys that may call, polis with a code, and doctors of these with and without one. */
export const findReadiness = statement((db, named: Named<'family' | 'now'>) =>
  db
    .select({
      keys: sql<number>`(select count(*) from api_keys k where k.revoked_at is null
        and (k.expires_at is null or k.expires_at > ${named('now')})
        and exists (select 1 from json_each(k.scopes) c where c.value = 'antrean:write'))`.as('keys'),
      polis: sql<number>`count(distinct n.id)`.as('polis'),
      uncoded: sql<number>`count(distinct case when d.bpjs_doctor_code is null then d.id end)`.as('uncoded'),
    })
    .from(
      sql`sessions n left join schedules h on h.session_id = n.id and h.retired_at is null
        left join doctors d on d.id = h.doctor_id and d.retired_at is null`,
    )
    .where(sql`${codeOf(named('family'))} is not null and n.retired_at is null`),
);
