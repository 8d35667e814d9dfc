import { eq, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { clinic, doctors, sessions } from '../../../core/tables/catalog.ts';
import { patients } from '../../../core/tables/patients.ts';

/** The doctors whom a file may mean, retired ones too: by ids, by ids of another system, or by a word of their names. */
export const findDoctorNames = statement((db, named: Named<'names' | 'words'>) =>
  db
    .select({
      id: doctors.id,
      name: doctors.name,
      title: doctors.title,
      externalId: doctors.externalId,
    })
    .from(doctors)
    .where(
      sql`doctors.id in (select value from json_each(${named('names')})
        union select e.id from doctors e where e.external_id is not null
          and e.external_id in (select value from json_each(${named('names')}))
        union select w.owner_id from search_words w where w.kind = 'doctor'
          and w.word in (select value from json_each(${named('words')})))`,
    ),
);

/** All sessions by what a file may call them, retired ones too. */
export const findSessionNames = statement((db) =>
  db
    .select({
      id: sessions.id,
      name: sessions.name,
      externalId: sessions.externalId,
    })
    .from(sessions),
);

/** For how many years the clinic keeps bookings, where the environment does not say; null or 0 for ever. */
export const findRetention = statement((db) =>
  db.select({ years: clinic.retentionYears }).from(clinic).where(eq(clinic.id, 1)),
);

/** The patients of medical record numbers, by the record that they were merged into. */
export const findByRecordNumber = statement((db, named: Named<'numbers'>) =>
  db
    .select({
      number: sql<string>`${patients.medicalRecordNumber}`.as('number'),
      patientId: sql<string>`coalesce(${patients.mergedInto}, ${patients.id})`.as('known_patient_id'),
    })
    .from(patients)
    .where(
      sql`patients.medical_record_number is not null
        and patients.medical_record_number in (select value from json_each(${named('numbers')}))`,
    ),
);

/** Which of these patients stand, with the version that a step is decided on. */
export const findStanding = statement((db, named: Named<'ids'>) =>
  db
    .select({ id: patients.id, version: patients.version })
    .from(patients)
    .where(
      sql`patients.id in (select value from json_each(${named('ids')}))
        and patients.merged_into is null and patients.erasure_id is null`,
    ),
);

/** The visits that rows may be: by their ids, or by patient and start (a list of both, each pair). */
export const findKnownVisits = statement((db, named: Named<'ids' | 'starts'>) =>
  db
    .select({
      id: bookings.id,
      patientId: bookings.patientId,
      doctorId: bookings.doctorId,
      sessionId: bookings.sessionId,
      startsAt: bookings.startsAt,
      status: bookings.status,
      completedAt: bookings.completedAt,
      noShowAt: bookings.noShowAt,
    })
    .from(bookings)
    .where(
      sql`bookings.held_until is null and bookings.id in (select value from json_each(${named('ids')})
        union select b.id from json_each(${named('starts')}) j cross join bookings b
          on b.patient_id = j.value ->> 0 and b.starts_at = j.value ->> 1)`,
    ),
);
