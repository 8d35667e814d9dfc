import type { Deps } from '../../deps.ts';
import type { BookingRow } from '../record/queries.ts';
import { detailView } from '../record/views.ts';

interface WithPatient extends BookingRow {
  patientName: string;
  phoneCountryCode: string;
  phoneNumber: string;
}

/** A booking as the clinic sees it in its lists: everything about it, and its patient. */
export const clinicBookingView = (deps: Deps, now: number, row: WithPatient) => ({
  ...detailView(deps, now, row, 'clinic'),
  patient: {
    id: row.patientId,
    name: row.patientName,
    phone_country_code: row.phoneCountryCode,
    phone_number: row.phoneNumber,
  },
});
