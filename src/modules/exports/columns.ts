import { snake } from '../../core/db/record-fields.ts';
import { doctorFields } from '../catalog/fields/doctors.ts';
import type { ExportKind } from './sources.ts';

const recorded = ['version', 'created_at', 'updated_at'] as const;

const external = ['external_id', 'metadata'] as const;
const own = doctorFields.names.map(snake).filter((name) => !external.some((one) => one === name));

/** The columns of each table, in order. */
export const columnsOf: Readonly<Record<ExportKind, readonly string[]>> = {
  patients: [
    'id',
    'name',
    'phone_country_code',
    'phone_number',
    'email',
    'birth_date',
    'sex',
    'address',
    'medical_record_number',
    'national_id',
    'insurance_number',
    'numbers_confirmed',
    'has_account',
    'staff_notes',
    ...recorded,
    ...external,
  ],
  bookings: [
    'id',
    'booking_code',
    'patient_id',
    'patient_name',
    'doctor_id',
    'doctor_name',
    'session_id',
    'session_name',
    'schedule_date',
    'schedule_time',
    'starts_at',
    'ends_at',
    'status',
    'queue_label',
    'notes',
    'staff_notes',
    'overbooked',
    'canceled_by',
    'cancel_reason_code',
    'cancel_reason',
    'canceled_at',
    'approved_at',
    'checked_in_at',
    'first_called_at',
    'completed_at',
    'no_show_at',
    'series_id',
    ...recorded,
    ...external,
  ],
  doctors: ['id', ...own, 'active', ...recorded, ...external],
  sessions: ['id', 'name', 'approval', 'active', ...recorded, ...external],
  schedules: [
    'id',
    'doctor_id',
    'session_id',
    'weekday',
    'start_time',
    'end_time',
    'slot_minutes',
    'capacity',
    'room',
    'valid_from',
    'valid_until',
    'active',
    ...recorded,
  ],
  closures: ['id', 'doctor_id', 'name', 'start_date', 'end_date', 'start_time', 'end_time', ...recorded],
};
