import { asc, type Column, desc, eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Db } from '../../core/db/db.ts';
import { type Named, statement } from '../../core/db/statement.ts';
import { begins, hasTerms } from '../../core/search/queries.ts';
import { bookings } from '../../core/tables/bookings.ts';
import { doctors, schedules, sessions } from '../../core/tables/catalog.ts';
import { patients } from '../../core/tables/patients.ts';
import { buildCalendarQueries } from '../catalog/slots/many-queries.ts';
import type { findClinic } from '../catalog/slots/queries.ts';
import { practiceColumn } from './practice.ts';

export type ClinicRow = ReturnType<typeof findClinic>['_']['result'][number];

/** The records of a JSON list of ids: the id of one that was merged leads to the one that is left. */
const recordsOf = (
  ids: Placeholder,
): SQL => sql`(select coalesce(m.merged_into, m.id) as id from json_each(${ids}) l
  join patients m on m.id = l.value)`;

/** Condition: a JSON list has the value. */
const isIn = (value: SQL, list: Placeholder | SQL): SQL =>
  sql`${value} in (select l.value from json_each(${list}) l)`;

/** The same, or there is no list. */
const isInAny = (value: SQL, list: Placeholder | SQL): SQL => sql`(${list} is null or ${isIn(value, list)})`;

/** Rows by the ids of a JSON list, or all of them: a catalogue is only as large as its clinic, and does not grow with the years. */
const byIds = <B extends BatchItem<'sqlite'>>(build: (db: Db, which: (id: Column) => SQL) => B) => {
  const some = statement((db, named: Named<'ids'>) => build(db, (id) => isIn(sql`${id}`, named('ids'))));
  const all = statement((db, _named: Named<never>) => build(db, (id) => sql`${id} >= ''`));
  return (db: Db, ids: string | null) => (ids === null ? all(db, {}) : some(db, { ids }));
};

const offered = sql<string>`(select json_group_array(distinct s.session_id) from schedules s
  where s.doctor_id = "doctors"."id" and s.retired_at is null)`;

/** Doctors, in service or not. */
export const findDoctors = byIds((db, which) =>
  db
    .select({ ...getTableColumns(doctors), sessionIds: offered.as('session_ids') })
    .from(doctors)
    .where(which(doctors.id))
    .orderBy(asc(doctors.id)),
);
export type DoctorRow = ReturnType<typeof findDoctors>['_']['result'][number];

export const findSessions = byIds((db, which) =>
  db.select().from(sessions).where(which(sessions.id)).orderBy(asc(sessions.id)),
);
export type SessionRow = ReturnType<typeof findSessions>['_']['result'][number];

export const findSchedules = byIds((db, which) =>
  db
    .select({
      ...getTableColumns(schedules),
      sessionName: sql<string>`${sessions.name}`.as('session_name'),
      doctorName: sql<string>`trim(${doctors.title} || ' ' || ${doctors.name})`.as('doctor_name'),
    })
    .from(schedules)
    .innerJoin(sessions, eq(sessions.id, schedules.sessionId))
    .innerJoin(doctors, eq(doctors.id, schedules.doctorId))
    .where(which(schedules.id))
    .orderBy(asc(schedules.id)),
);
export type ScheduleRow = ReturnType<typeof findSchedules>['_']['result'][number];

/** The calendars of doctors in service: of those who are named, of those with one of these schedules, or of all. */
export const slotCalendars = {
  doctors: buildCalendarQueries<'ids'>(
    (named) => sql`(select d.id from json_each(${named('ids')}) l join doctors d on d.id = l.value
      where d.retired_at is null)`,
  ),
  schedules: buildCalendarQueries<'ids'>(
    (named) => sql`(select d.id from json_each(${named('ids')}) l join schedules s on s.id = l.value
      join doctors d on d.id = s.doctor_id where d.retired_at is null)`,
  ),
  all: buildCalendarQueries<never>(
    () => sql`(select d.id from doctors d where d.name >= '' and d.retired_at is null)`,
  ),
} as const;

/** The account's own record and those of its family. */
const ownPatients = (accountId: Placeholder): SQL => sql`(select ${accountId} as account_id union all
  select f.patient_id from family_relations f where f.account_id = ${accountId} and f.ended_at is null)`;

type Whose = 'accountId' | 'doctorId' | 'isClinic';

const statusWord = sql`case when ${bookings.status} = 'waiting' then 'pending' when ${bookings.status} = 'canceled'
  then 'cancelled' when ${bookings.noShowAt} is not null then 'noshow' when ${bookings.completedAt} is not null
  then 'fulfilled' when ${bookings.checkedInAt} is not null then 'checked-in' else 'booked' end`;

type CommonFilter =
  | 'doctorId'
  | 'isClinic'
  | 'ids'
  | 'codes'
  | 'doctorIds'
  | 'sessionIds'
  | 'serviceTypes'
  | 'statuses'
  | 'slots'
  | 'spans'
  | 'changed'
  | 'from'
  | 'before';
type AppointmentFilter = CommonFilter | 'accountId' | 'patientIds' | 'specialties';
/** Of the archive, which has bookings alone, by what was read of the other tables before. */
type ArchivedFilter = CommonFilter | 'ownIds' | 'recordIds' | 'specialists';

const ofSpans = (value: SQL, spans: Placeholder): SQL =>
  sql`(${spans} is null or exists (select 1 from json_each(${spans}) s
    where ${value} >= s.value ->> 0 and ${value} < s.value ->> 1))`;

/** The values of a condition, whatever further ones its statement has. */
type Naming<K extends string> = (name: K) => Placeholder;

/** What a search asks of other tables than that of bookings. */
interface Beside {
  /** The records of the caller's family. */
  own: SQL;
  /** The records that are sought, and whether any are. */
  records: SQL;
  soughtRecords: SQL;
  practice: SQL;
}

const beside = (named: Naming<AppointmentFilter>): Beside => ({
  own: ownPatients(named('accountId')),
  records: recordsOf(named('patientIds')),
  soughtRecords: sql`${named('patientIds')} is not null`,
  practice: isInAny(sql`lower(${practiceColumn})`, named('specialties')),
});

const listIn = (list: Placeholder): SQL => sql`(select l.value from json_each(${list}) l)`;

const besideArchived = (named: Naming<ArchivedFilter>): Beside => ({
  own: listIn(named('ownIds')),
  records: listIn(named('recordIds')),
  soughtRecords: sql`${named('recordIds')} is not null`,
  practice: isInAny(sql`${bookings.doctorId}`, named('specialists')),
});

const appointmentWhere = (
  named: Naming<CommonFilter>,
  { own, records, soughtRecords, practice }: Beside,
): SQL => sql`${bookings.heldUntil} is null
  and (${named('isClinic')} or ${bookings.doctorId} = ${named('doctorId')}
    or ${bookings.patientId} in ${own})
  and ${isInAny(sql`${bookings.id}`, named('ids'))}
  and ${isInAny(sql`${bookings.bookingCode}`, named('codes'))}
  and (not ${soughtRecords} or ${bookings.patientId} in ${records})
  and ${isInAny(sql`${bookings.doctorId}`, named('doctorIds'))}
  and ${isInAny(sql`${bookings.sessionId}`, named('sessionIds'))}
  and ${isInAny(statusWord, named('statuses'))}
  and (${named('serviceTypes')} is null or ${isIn(sql`${bookings.sessionId}`, named('serviceTypes'))}
    or ${isIn(sql`lower(${bookings.sessionName})`, named('serviceTypes'))})
  and ${practice}
  and ${isInAny(sql`${bookings.doctorId} || ' ' || ${bookings.scheduleDate} || ' ' || substr(${bookings.scheduleTime}, 1, 5)`, named('slots'))}
  and ${ofSpans(sql`${bookings.startsAt}`, named('spans'))}
  and ${ofSpans(sql`${bookings.updatedAt}`, named('changed'))}`;

/** What narrows a search most, each with an index: no other booking is read. */
const appointmentWays = {
  ids: (named: Naming<CommonFilter>) => isIn(sql`${bookings.id}`, named('ids')),
  codes: (named: Naming<CommonFilter>) => isIn(sql`${bookings.bookingCode}`, named('codes')),
  patients: (named: Naming<CommonFilter>, { records }: Beside) =>
    sql`${bookings.patientId} in ${records}
      and ${bookings.startsAt} >= ${named('from')} and ${bookings.startsAt} < ${named('before')}`,
  own: (named: Naming<CommonFilter>, { own }: Beside) =>
    sql`${bookings.patientId} in ${own}
      and ${bookings.startsAt} >= ${named('from')} and ${bookings.startsAt} < ${named('before')}`,
  doctors: (named: Naming<CommonFilter>) =>
    sql`${isIn(sql`${bookings.doctorId}`, named('doctorIds'))}
      and ${bookings.scheduleDate} between date(max(${named('from')}, 0) / 1000, 'unixepoch', '-12 hours')
      and date(min(${named('before')}, 250000000000000) / 1000, 'unixepoch', '+14 hours')`,
  dates: (named: Naming<CommonFilter>) =>
    sql`${bookings.scheduleDate} between date(max(${named('from')}, 0) / 1000, 'unixepoch', '-12 hours')
      and date(min(${named('before')}, 250000000000000) / 1000, 'unixepoch', '+14 hours')`,
} as const;
export type AppointmentWay = keyof typeof appointmentWays;

const appointmentColumns = {
  ...getTableColumns(bookings),
  patientName: sql<string>`${patients.name}`.as('patient_name'),
  practice: sql<string>`${practiceColumn}`.as('practice'),
};

const isRising = (order: typeof asc): boolean => order === asc;

/** Condition: the booking comes after a place in this order. */
const isAfter = (named: Naming<'afterStart' | 'afterId'>, order: typeof asc): SQL =>
  sql`(${bookings.startsAt}, ${bookings.id}) ${isRising(order) ? sql`>` : sql`<`} (${named('afterStart')}, ${named('afterId')})`;

const appointmentPage = (way: AppointmentWay, order: typeof asc) =>
  statement((db, named: Named<AppointmentFilter | 'afterStart' | 'afterId' | 'limit'>) =>
    db
      .select(appointmentColumns)
      .from(bookings)
      .innerJoin(patients, eq(patients.id, bookings.patientId))
      .innerJoin(doctors, eq(doctors.id, bookings.doctorId))
      .where(
        sql`${appointmentWays[way](named, beside(named))} and ${appointmentWhere(named, beside(named))}
          and ${isAfter(named, order)}`,
      )
      .orderBy(order(bookings.startsAt), order(bookings.id))
      .limit(named('limit')),
  );

const appointmentsBy = (way: AppointmentWay) => ({
  pages: [appointmentPage(way, asc), appointmentPage(way, desc)] as const,
  total: statement((db, named: Named<AppointmentFilter>) =>
    db
      .select({ total: sql<number>`count(*)`.as('total') })
      .from(bookings)
      .innerJoin(doctors, eq(doctors.id, bookings.doctorId))
      .where(
        sql`${appointmentWays[way](named, beside(named))} and ${appointmentWhere(named, beside(named))}`,
      ),
  ),
});

const archivedWays = {
  ...appointmentWays,
  /** Of one doctor, whose bookings have an index by their start. */
  doctors: (named: Naming<CommonFilter>) => sql`${bookings.doctorId} = ${named('doctorIds')} ->> 0
    and ${bookings.startsAt} >= ${named('from')} and ${bookings.startsAt} < ${named('before')}`,
};

/** The orders in which an index has the rows of these ways: a page reads no row beyond its own that matches. */
const archivedOrders: Partial<Record<AppointmentWay, readonly Column[]>> = {
  dates: [bookings.scheduleDate, bookings.startsAt, bookings.id],
};

/** The same of the archive, whose doctors are asked for one at a time; what has not left the clinic's own database is counted there. */
const archivedBy = (way: AppointmentWay) => {
  const matches = (named: Naming<ArchivedFilter>): SQL => {
    const others = besideArchived(named);
    return sql`${archivedWays[way](named, others)} and ${appointmentWhere(named, others)}`;
  };
  const columns = archivedOrders[way] ?? [bookings.startsAt, bookings.id];
  const pageIn = (order: typeof asc) =>
    statement((db, named: Named<ArchivedFilter | 'afterStart' | 'afterId' | 'limit'>) =>
      db
        .select({ ...getTableColumns(bookings), settled: sql<number>`settled`.as('settled') })
        .from(bookings)
        .where(sql`${matches(named)} and ${isAfter(named, order)}`)
        .orderBy(...columns.map((column) => order(column)))
        .limit(named('limit')),
    );
  return {
    pages: [pageIn(asc), pageIn(desc)] as const,
    total: statement((db, named: Named<ArchivedFilter>) =>
      db
        .select({ total: sql<number>`count(*)`.as('total') })
        .from(bookings)
        .where(sql`${matches(named)} and settled = 1`),
    ),
  };
};

const byWay = <K extends string, T>(ways: Record<K, unknown>, make: (way: K) => T): Record<K, T> =>
  Object.fromEntries((Object.keys(ways) as K[]).map((way) => [way, make(way)])) as Record<K, T>;

/** A page of Appointments by their start, and how many there are, by what narrows them most. */
export const appointments = byWay(appointmentWays, appointmentsBy);
export const archivedAppointments = byWay(appointmentWays, archivedBy);

/** What a search of the archive takes from the other tables. */
export const findBeside = statement((db, named: Named<'accountId' | 'patientIds' | 'specialties'>) =>
  db
    .select({
      ownIds:
        sql<string>`(select json_group_array(o.account_id) from ${ownPatients(named('accountId'))} o)`.as(
          'own_ids',
        ),
      recordIds: sql<string | null>`case when ${named('patientIds')} is not null
        then (select json_group_array(r.id) from ${recordsOf(named('patientIds'))} r) end`.as('record_ids'),
      specialists: sql<string | null>`case when ${named('specialties')} is not null
        then (select json_group_array(${doctors.id}) from ${doctors} where ${doctors.name} >= '' and ${isIn(sql`lower(${practiceColumn})`, named('specialties'))}) end`.as(
        'specialists',
      ),
    })
    .from(sql`(select 1)`),
);

export type AppointmentRow = ReturnType<ReturnType<typeof appointmentPage>>['_']['result'][number];

/** One Appointment, for those who were found to see it. */
export const findAppointment = statement((db, named: Named<'id'>) =>
  db
    .select(appointmentColumns)
    .from(bookings)
    .innerJoin(patients, eq(patients.id, bookings.patientId))
    .innerJoin(doctors, eq(doctors.id, bookings.doctorId))
    .where(eq(bookings.id, named('id')))
    .limit(1),
);

type PatientFilter =
  | Whose
  | 'ids'
  | 'nationalIds'
  | 'insuranceNumbers'
  | 'recordNumbers'
  | 'ihsIds'
  | 'starts'
  | 'terms'
  | 'genders'
  | 'born'
  | 'bornFrom'
  | 'bornBefore'
  | 'changed'
  | 'changedFrom'
  | 'changedBefore'
  | 'having';

/** Nobody sees a colleague whom the clinic never treated; a doctor sees patients with a booking of theirs. */
const isKnown = (
  named: Naming<PatientFilter>,
): SQL => sql`patients.merged_into is null and patients.erasure_id is null
  and (patients.id in ${ownPatients(named('accountId'))}
  or exists (select 1 from bookings b where b.patient_id = patients.id and b.held_until is null
    and (${named('isClinic')} or b.doctor_id = ${named('doctorId')}))
  or (${named('isClinic')} and not exists (select 1 from users u where u.id = patients.id and u.role <> 'patient')))`;

const patientWays = {
  /** An id of a record that was merged leads to the one that is left. */
  ids: (named: Naming<PatientFilter>) => sql`patients.id in ${recordsOf(named('ids'))}`,
  numbers: (
    named: Naming<PatientFilter>,
  ) => sql`patients.id in (select coalesce(n.merged_into, n.id) from patients n
    where ${isIn(sql`n.national_id_hash`, named('nationalIds'))}
    or ${isIn(sql`n.insurance_number_hash`, named('insuranceNumbers'))}
    or ${isIn(sql`n.ihs_id`, named('ihsIds'))}
    or ${isIn(sql`n.medical_record_number`, named('recordNumbers'))})`,
  words: (
    named: Naming<PatientFilter>,
  ) => sql`patients.id in (select w.owner_id from json_each(${named('starts')}) l
    join search_words w on w.kind = 'person' and ${begins(sql.raw('w.word'), sql.raw('l.value'))})`,
  own: (named: Naming<PatientFilter>) => sql`(patients.id in ${ownPatients(named('accountId'))}
    or patients.id in (select o.patient_id from bookings o where o.doctor_id = ${named('doctorId')}))`,
  born: (named: Naming<PatientFilter>) =>
    sql`patients.birth_date >= ${named('bornFrom')} and patients.birth_date < ${named('bornBefore')}`,
  changed: (named: Naming<PatientFilter>) =>
    sql`patients.updated_at >= ${named('changedFrom')} and patients.updated_at < ${named('changedBefore')}`,
  all: () => sql`true`,
} as const;
export type PatientWay = keyof typeof patientWays;

/** Condition: the record has a number of any kind of each of these lists. */
const hasNumbers = (lists: Placeholder): SQL => sql`not exists (select 1 from json_each(${lists}) j
  where not exists (select 1 from json_each(j.value) k where case k.value
    when 'nationalId' then patients.national_id_hash when 'insuranceNumber' then patients.insurance_number_hash
    when 'ihsId' then patients.ihs_id when 'recordNumber' then patients.medical_record_number end is not null))`;

const patientWhere = (named: Naming<PatientFilter>, way: PatientWay): SQL => sql`${patientWays[way](named)}
  and ${isKnown(named)} and (${named('ids')} is null or patients.id in ${recordsOf(named('ids'))})
  and (${named('terms')} is null or exists (select 1 from json_each(${named('terms')}) t
    where ${hasTerms(sql.raw('patients.words'), sql.raw('t.value'))}))
  and ${isInAny(sql.raw('patients.sex'), named('genders'))}
  and ${hasNumbers(named('having'))} and ${ofSpans(sql.raw('patients.updated_at'), named('changed'))}
  and (${named('born')} is null or exists (select 1 from json_each(${named('born')}) s
    where patients.birth_date >= s.value ->> 0 and patients.birth_date < s.value ->> 1))`;

/** By their id, or by when they changed last: each has an index. */
const patientPage = (way: PatientWay, order: typeof asc, isByChange = false) =>
  statement((db, named: Named<PatientFilter | 'afterAt' | 'afterId' | 'limit'>) => {
    const [place, after] = isByChange
      ? [sql`(patients.updated_at, patients.id)`, sql`(${named('afterAt')}, ${named('afterId')})`]
      : [sql`patients.id`, named('afterId')];
    return db
      .select({
        ...getTableColumns(patients),
        accountEmail: sql<string | null>`(select u.email from users u where u.id = patients.id)`.as(
          'account_email',
        ),
      })
      .from(patients)
      .where(sql`${patientWhere(named, way)} and ${place} ${isRising(order) ? sql`>` : sql`<`} ${after}`)
      .orderBy(...(isByChange ? [order(patients.updatedAt)] : []), order(patients.id))
      .limit(named('limit'));
  });

const patientsBy = (way: PatientWay) => ({
  _id: patientPage(way, asc),
  '-_id': patientPage(way, desc),
  _lastUpdated: patientPage(way, asc, true),
  '-_lastUpdated': patientPage(way, desc, true),
  total: statement((db, named: Named<PatientFilter>) =>
    db
      .select({ total: sql<number>`count(*)`.as('total') })
      .from(patients)
      .where(patientWhere(named, way)),
  ),
});

/** Pages of Patients, and how many there are, by what narrows them most. */
export const patientsFound = byWay(patientWays, patientsBy);

export type PatientRow = ReturnType<ReturnType<typeof patientPage>>['_']['result'][number];
