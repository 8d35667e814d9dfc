import { isoOf } from '../endpoint/instants.ts';
import type { AffectedRow } from './affected-queries.ts';

/** The bookings that a change affects but does not cancel, so that staff can call the patients. */
export const affectedView = (rows: readonly AffectedRow[]) => ({
  affected_bookings: rows.map((row) => ({
    id: row.id,
    patient_id: row.patientId,
    patient_name: row.patientName,
    phone_country_code: row.phoneCountryCode,
    phone_number: row.phoneNumber,
    doctor_id: row.doctorId,
    doctor_name: row.doctorName,
    schedule_date: row.scheduleDate,
    schedule_time: row.scheduleTime,
    starts_at: isoOf(row.startsAt),
    ends_at: isoOf(row.endsAt),
    status: row.status,
  })),
  affected_total: rows[0]?.total ?? 0,
});
