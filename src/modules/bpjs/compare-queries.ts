import { sql } from 'drizzle-orm';
import { type Named, statement } from '../../core/db/statement.ts';
import { doctors } from '../../core/tables/catalog.ts';
import { hoursOf, isClosedAllDay, isItsWeek, slotCount } from '../catalog/slots/schedule-guards.ts';

/** The hours of these dates (JSON) of all doctors and sessions that have a code at BPJS, without closures of a part of a day. */
export const findOurShifts = statement((db, named: Named<'dates' | 'family'>) =>
  db
    .select({
      date: sql<string>`t.value`.as('date'),
      poli: sql<string>`case ${named('family')} when 'fktp' then n.bpjs_fktp_code else n.bpjs_poli_code end`.as(
        'poli',
      ),
      doctor: sql<number>`d.bpjs_doctor_code`.as('doctor'),
      name: sql<string>`trim(d.title || ' ' || d.name)`.as('name'),
      hours: sql<string>`substr(h.start_time, 1, 5) || '-' || substr(h.end_time, 1, 5)`.as('hours'),
      places: sql<number>`h.capacity * ${slotCount(hoursOf('h'))}`.as('places'),
    })
    .from(
      sql`json_each(${named('dates')}) t join schedules h on h.retired_at is null
        and h.weekday = (strftime('%w', t.value) + 6) % 7 + 1
        and coalesce(h.valid_from <= t.value, true) and coalesce(h.valid_until >= t.value, true)
        and ${isItsWeek(sql`h.every_weeks`, sql`h.valid_from`, sql`t.value`)}
        join doctors d on d.id = h.doctor_id and d.retired_at is null and d.bpjs_doctor_code is not null
        join sessions n on n.id = h.session_id and n.retired_at is null
          and case ${named('family')} when 'fktp' then n.bpjs_fktp_code else n.bpjs_poli_code end is not null`,
    )
    .where(sql`not ${isClosedAllDay(sql`t.value`)}`),
);

/** The codes of all doctors who work here, with hours or without, by the index of their names. */
export const findOurDoctors = statement((db) =>
  db
    .select({ code: doctors.bpjsDoctorCode })
    .from(doctors)
    .where(
      sql`${doctors.name} >= '' and ${doctors.retiredAt} is null and ${doctors.bpjsDoctorCode} is not null`,
    ),
);
