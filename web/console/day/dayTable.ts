import { formatCsv } from '../../../src/core/http/csv.ts';
import { clockTime } from '../../shared/time.ts';
import { type Booking, formatPhone, toState } from '../data/bookings.ts';
import { saveFile } from '../data/file.ts';
import { words } from '../words.ts';

/** The bookings as a table for a spreadsheet, in the words of the screen. */
const dayTable = (bookings: readonly Booking[]): string => {
  const { columns } = words.value.day;
  const { code, phone, doctor, notes } = words.value.detail;
  const session = words.value.nav.layanan;
  const names = [
    columns.time,
    columns.label,
    code,
    columns.patient,
    phone,
    doctor,
    session,
    columns.state,
    notes,
  ];
  const rows = bookings.map((one) => ({
    [columns.time]: clockTime(one.schedule_time),
    [columns.label]: one.queue_label,
    [code]: one.booking_code,
    [columns.patient]: one.patient.name,
    [phone]: formatPhone(one.patient),
    [doctor]: one.doctor_name,
    [session]: one.session_name,
    [columns.state]: words.value.short[toState(one)],
    [notes]: one.notes,
  }));
  return formatCsv(names, rows);
};

/** Gives the bookings of a day as a file. */
export const saveDay = (bookings: readonly Booking[]): void =>
  saveFile(`janji-${bookings[0]?.schedule_date ?? ''}.csv`, dayTable(bookings));
