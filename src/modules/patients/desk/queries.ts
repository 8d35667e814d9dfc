import { asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { fromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, rowsStatement, statement } from '../../../core/db/statement.ts';
import { byWord, found, foundWord, type Sought } from '../../../core/search/queries.ts';
import { rowIsRecorded, users } from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { patients } from '../../../core/tables/patients.ts';

const withAccount = {
  ...getTableColumns(patients),
  accountEmail: sql<string | null>`(select u.email from users u where u.id = patients.id)`.as(
    'account_email',
  ),
  accountRole: sql<string | null>`(select u.role from users u where u.id = patients.id)`.as('account_role'),
};

/** The doctor to whose bookings the caller is limited; null if the caller manages those of all doctors. */
const selectDoctor = (callerId: SQL): SQL =>
  sql`(select case when u.role = 'doctor' then coalesce(u.doctor_id, '') end from users u where u.id = ${callerId})`;

/** Whether a booking, under its name in the statement, is one that the caller may see. */
const isOfCaller = (booking: 'b' | 'n' | 'bookings', callerId: SQL): SQL =>
  sql`(${selectDoctor(callerId)} is null or ${sql.raw(`${booking}.doctor_id`)} = ${selectDoctor(callerId)})`;

/**
 * A patient's record, also by the id of one that was merged into it, with whether the caller may see it: a doctor sees
 * patients who have or had a booking with them; nobody sees a colleague whom the clinic never treated.
 */
export const findPatientRecord = statement((db, named: Named<'id' | 'callerId'>) =>
  db
    .select({
      ...withAccount,
      isVisible: sql<number>`(exists (select 1 from bookings b where b.patient_id = patients.id
        and b.held_until is null and ${isOfCaller('b', sql`${named('callerId')}`)}) or (${selectDoctor(sql`${named('callerId')}`)} is null
        and not exists (select 1 from users u where u.id = patients.id and u.role <> 'patient')))`.as(
        'is_visible',
      ),
    })
    .from(patients)
    .where(
      sql`patients.id = (select coalesce(p.merged_into, p.id) from patients p where p.id = ${named('id')})
        and patients.erasure_id is null`,
    ),
);

export type PatientRow = ReturnType<typeof findPatientRecord>['_']['result'][number];

/** The patient of an id, also of a record that was merged into theirs. */
const selectPatient = (id: SQL): SQL =>
  sql`(select coalesce(p.merged_into, p.id) from patients p where p.id = ${id})`;

/** The booking nearest to an instant on one side of it, if the caller may see it. */
const nearestBooking = (named: Named<'id' | 'now' | 'callerId'>, side: 'last' | 'next'): SQL => {
  const isOnSide = sql.raw(side === 'last' ? '<=' : '>');
  return sql`(select case when ${isOfCaller('n', sql`${named('callerId')}`)} then n.id end from bookings n
    where n.patient_id = ${selectPatient(sql`${named('id')}`)} and n.status <> 'canceled'
    and n.held_until is null and n.starts_at ${isOnSide} ${named('now')} order by n.starts_at ${sql.raw(side === 'last' ? 'desc' : 'asc')} limit 1)`;
};

/** How often a patient came, did not come and canceled, and when they were and will be here. */
export const findVisits = statement((db, named: Named<'id' | 'now' | 'callerId'>) =>
  db
    .select({
      completed: sql<number>`count(b.completed_at)`.as('completed'),
      noShows: sql<number>`count(b.no_show_at)`.as('no_shows'),
      cancellations: sql<number>`count(case when b.status = 'canceled' then 1 end)`.as('cancellations'),
      last: sql<number | null>`max(case when b.status <> 'canceled' and b.starts_at <= ${named('now')}
        then b.starts_at end)`.as('last'),
      next: sql<number | null>`min(case when b.status <> 'canceled' and b.starts_at > ${named('now')}
        then b.starts_at end)`.as('next'),
      lastId: sql<string | null>`${nearestBooking(named, 'last')}`.as('last_id'),
      nextId: sql<string | null>`${nearestBooking(named, 'next')}`.as('next_id'),
    })
    .from(
      sql`bookings b where b.held_until is null and b.patient_id = ${selectPatient(sql`${named('id')}`)}`,
    ),
);

/** Staff are not patients, unless the clinic has treated them. */
const isPatient: SQL = sql`patients.merged_into is null and patients.erasure_id is null
  and not exists (select 1 from users u where u.id = patients.id
  and u.role <> 'patient' and not exists (select 1 from bookings b where b.patient_id = patients.id
  and b.held_until is null))`;

/** One page of patients by name: those without an account, and those with one by its name, which is theirs. */
export const findPatients = statement((db, named: Named<'afterName' | 'afterId' | 'limit'>) => {
  const position = sql`(${named('afterName')}, ${named('afterId')})`;
  return db
    .select(withAccount)
    .from(patients)
    .where(
      sql`(patients.name, patients.id) > ${position} and ${isPatient} and patients.created_by is not patients.id
        and not exists (select 1 from users w where w.id = patients.id)`,
    )
    .unionAll(
      db
        .select({ ...withAccount, id: users.id, name: users.name })
        .from(users)
        .innerJoin(patients, eq(patients.id, users.id))
        .where(sql`(users.name, users.id) > ${position} and ${isPatient}`),
    )
    .orderBy(sql`name, id`)
    .limit(named('limit'));
});

/** Patients by when they were last changed, from a time on. */
export const findChangedPatients = statement((db, named: Named<'since' | 'afterId' | 'limit'>) =>
  db
    .select(withAccount)
    .from(patients)
    .where(
      sql`(patients.updated_at, patients.id) > (${named('since')}, ${named('afterId')}) and ${isPatient}`,
    )
    .orderBy(asc(patients.updatedAt), asc(patients.id))
    .limit(named('limit')),
);

/** Patients with one word that begins with the first term and others with the other terms, by the first word found. */
export const searchPatients = statement((db, named: Named<Sought>) =>
  db
    .select({ word: foundWord, ...withAccount })
    .from(found(named, isPatient))
    .innerJoin(patients, sql`patients.id = f.id`)
    .orderBy(byWord),
);

/** Patients with one of these hashes of a number, or this medical record number, also of a record merged into theirs. */
export const findByNumber = statement(
  (db, named: Named<'nationalIds' | 'insuranceNumbers' | 'recordNumber' | 'limit'>) =>
    db
      .select(withAccount)
      .from(patients)
      .where(
        sql`patients.id in (select coalesce(n.merged_into, n.id) from patients n
        where n.national_id_hash in (select value from json_each(${named('nationalIds')}))
        or n.insurance_number_hash in (select value from json_each(${named('insuranceNumbers')}))
        or n.medical_record_number = ${named('recordNumber')}) and ${isPatient}`,
      )
      .orderBy(asc(patients.name), asc(patients.id))
      .limit(named('limit')),
);

const sourcesOf = sql`(with recursive s(source) as (select min(p.source) from patient_sources p union all
  select (select min(p.source) from patient_sources p where p.source > s.source) from s where s.source is not null)
  select s.source from s where s.source is not null)`;

/**
 * Patients with an id of another system: the one to whom it was given, also by a record merged into theirs, and those who
 * were imported under it. The few sources are read one by one, so that no index by the id alone is needed.
 */
export const findByExternalId = statement((db, named: Named<'externalId' | 'limit'>) =>
  db
    .select(withAccount)
    .from(patients)
    .where(
      sql`patients.id in (select coalesce(n.merged_into, n.id) from patients n where n.external_id = ${named('externalId')}
        union select i.patient_id from ${sourcesOf} o join patient_sources i on i.source = o.source
        and i.external_id = ${named('externalId')}) and ${isPatient}`,
    )
    .orderBy(asc(patients.name), asc(patients.id))
    .limit(named('limit')),
);

const candidate = {
  id: patients.id,
  name: patients.name,
  birthDate: patients.birthDate,
  phoneNumber: patients.phoneNumber,
  phoneCountryCode: patients.phoneCountryCode,
  medicalRecordNumber: patients.medicalRecordNumber,
};

/** Patients who have the same confirmed number as a record that is to be added or changed. */
export const findSameNumber = statement((db, named: Named<'id' | 'nationalIds' | 'insuranceNumbers'>) =>
  db
    .select(candidate)
    .from(patients)
    .where(
      sql`(patients.national_id_hash in (select value from json_each(${named('nationalIds')}))
        or patients.insurance_number_hash in (select value from json_each(${named('insuranceNumbers')})))
        and patients.numbers_confirmed_at is not null and patients.merged_into is null and patients.id <> ${named('id')}`,
    )
    .limit(5),
);

/** Patients with the same date of birth or phone number: possible duplicates of a new record. */
export const findLookalikes = statement((db, named: Named<'birthDate' | 'phones'>) =>
  db
    .select(candidate)
    .from(patients)
    .where(
      sql`patients.merged_into is null and patients.erasure_id is null and patients.id in (
        select b.id from patients b where b.birth_date = ${named('birthDate')}
        union select w.owner_id from search_words w where w.kind = 'person' and w.word in (
          select value from json_each(${named('phones')})))`,
    )
    .limit(500),
);

/** Moves the clinic's counter past the record's number, if the record was added. */
export const raiseRecordNumber = rowStatement(['id', 'writeId'], (db, row) =>
  db
    .update(clinic)
    .set({ lastRecordNumber: sql`${clinic.lastRecordNumber} + 1` })
    .from(fromRow(row))
    .where(
      sql`${clinic.id} = 1 and exists (select 1 from patients p where p.id = r.id
        and p.medical_record_number = printf('RM-%06d', ${clinic.lastRecordNumber} + 1))`,
    ),
);

/** Moves the clinic's counter past a number that was given by hand. */
export const skipRecordNumber = statement((db, _named: Named<never>) =>
  db
    .update(clinic)
    .set({ lastRecordNumber: sql`${clinic.lastRecordNumber} + 1` })
    .where(
      sql`${clinic.id} = 1 and exists (select 1 from patients p
        where p.medical_record_number = printf('RM-%06d', ${clinic.lastRecordNumber} + 1))`,
    ),
);

const accountFields = ['id', 'writeId', 'now'] as const;

const copyToAccounts = (db: Db, row: SQL) =>
  db
    .update(users)
    .set({
      name: sql`p.name`,
      phoneNumber: sql`p.phone_number`,
      phoneCountryCode: sql`p.phone_country_code`,
      updatedAt: sql`r.now`,
    })
    .from(sql`${fromRow(row)} join patients p on p.id = r.id`)
    .where(
      sql`${users.id} = r.id and ${rowIsRecorded}
        and (${users.name}, ${users.phoneNumber}, ${users.phoneCountryCode}) is not (p.name, p.phone_number, p.phone_country_code)`,
    );

/** The account of a patient takes name and phone number of the record. */
export const copyRecordToAccount = rowStatement(accountFields, copyToAccounts);

/** The same of several. */
export const copyRecordsToAccounts = rowsStatement(accountFields, copyToAccounts);

/** One page of a patient's bookings as the caller may see them, the newest schedule first. */
export const findPatientBookings = statement(
  (db, named: Named<'id' | 'callerId' | 'beforeStart' | 'beforeId' | 'limit'>) =>
    db
      .select()
      .from(bookings)
      .where(
        sql`bookings.patient_id = (select coalesce(p.merged_into, p.id) from patients p where p.id = ${named('id')})
          and bookings.held_until is null and (bookings.starts_at, bookings.id) < (${named('beforeStart')}, ${named('beforeId')})
          and ${isOfCaller('bookings', sql`${named('callerId')}`)}`,
      )
      .orderBy(desc(bookings.startsAt), desc(bookings.id))
      .limit(named('limit')),
);
