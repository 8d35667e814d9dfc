import { sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { isKnown, missedInYear } from './visit-guards.ts';

/** A patient, after merges, as the limits of sessions see them between two instants, and who may ask for them. */
export const findLimited = statement(
  (db, named: Named<'patientId' | 'accountId' | 'doctorId' | 'now' | 'after' | 'before'>) =>
    db
      .select({
        isOwn: sql<number>`p.id = ${named('accountId')} or exists (select 1 from family_relations f
          where f.account_id = ${named('accountId')} and f.patient_id = p.id and f.ended_at is null)`.as(
          'is_own',
        ),
        isKnownToDoctor: sql<number>`exists (select 1 from bookings b where b.patient_id = p.id
          and b.doctor_id = ${named('doctorId')} and b.held_until is null)`.as('is_known_to_doctor'),
        isKnown: sql<number>`${isKnown(sql`p.id`, sql`''`)}`.as('is_known'),
        missed: sql<number>`${missedInYear(sql`p.id`, sql`${named('now')}`)}`.as('missed'),
        bookings: sql<string>`(select json_group_array(json_object('sessionId', o.session_id,
          'scheduleDate', o.schedule_date)) from bookings o where o.patient_id = p.id and o.status <> 'canceled'
          and o.no_show_at is null and o.held_until is null and o.starts_at > ${named('after')}
          and o.starts_at < ${named('before')})`.as('bookings'),
      })
      .from(sql`patients p`)
      .where(
        sql`p.id = (select coalesce(m.merged_into, m.id) from patients m where m.id = ${named('patientId')})
          and p.erasure_id is null`,
      ),
);
