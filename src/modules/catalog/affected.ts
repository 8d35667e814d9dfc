import { toIso } from '../../core/endpoint/instants.ts';
import type { AffectedRow } from './affected-queries.ts';
import type { Booker } from './slots/rules.ts';

/**
 * The bookings that a change affects but does not cancel, so that staff can call the patients. A machine that keeps the
 * catalog gets how many, and no patient.
 */
export const affectedView = (rows: readonly AffectedRow[], { role }: Pick<Booker, 'role'>) => ({
  affected_bookings: (role === 'api_key' ? [] : rows).map((row) => ({
    id: row.id,
    patient_id: row.patientId,
    patient_name: row.patientName,
    phone_country_code: row.phoneCountryCode,
    phone_number: row.phoneNumber,
    doctor_id: row.doctorId,
    doctor_name: row.doctorName,
    schedule_date: row.scheduleDate,
    schedule_time: row.scheduleTime,
    starts_at: toIso(row.startsAt),
    ends_at: toIso(row.endsAt),
    status: row.status,
  })),
  affected_total: rows[0]?.total ?? 0,
});
