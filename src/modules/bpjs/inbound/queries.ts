import { getTableColumns, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { patients } from '../../../core/tables/patients.ts';
import { codeOf, doctorName } from '../shifts/queries.ts';

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
export const findAntreanByCode = statement(
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
