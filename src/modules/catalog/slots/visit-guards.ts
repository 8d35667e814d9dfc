import { type SQL, sql } from 'drizzle-orm';
import { dayMs } from '../../../core/clinic/durations.ts';

/**
 * The patient has come to a visit here, or to one before this service: then their record was imported. The booking that
 * is decided on does not count.
 */
export const isKnown = (patientId: SQL, exceptId: SQL): SQL => sql`(exists (select 1 from bookings o
  where o.patient_id = ${patientId} and (o.checked_in_at is not null or o.completed_at is not null) and o.id <> ${exceptId})
  or exists (select 1 from patient_sources s where s.patient_id = ${patientId}))`;

const yearMs = 365 * dayMs;

/** How many visits the patient has missed here within a year: what another system called missed asks for no approval. */
export const missedInYear = (patientId: SQL, now: SQL): SQL => sql`(select count(*) from bookings o
  where o.patient_id = ${patientId} and o.no_show_at is not null and o.channel <> 'imported'
  and o.starts_at > ${now} - ${sql.raw(String(yearMs))} and o.starts_at <= ${now})`;
