import { splitLines } from '../../../core/db/row-columns.ts';
import type { JudgingContext } from '../record/context.ts';
import type { BookingRow } from '../record/queries.ts';
import { computeFacts, detailView, type JudgedRow, judgedView } from '../record/views.ts';

interface WithPatient extends BookingRow {
  patientName: string;
  phoneCountryCode: string;
  phoneNumber: string;
  toAnswer: number | null;
}

/** A booking in the clinic's lists: all its fields, and its patient. */
export const clinicBookingView = (context: JudgingContext, row: WithPatient) => ({
  ...detailView(context, row, 'clinic'),
  patient: {
    id: row.patientId,
    name: row.patientName,
    phone_country_code: row.phoneCountryCode,
    phone_number: row.phoneNumber,
  },
  to_answer: row.toAnswer,
});

/** The members of a JSON object, without its braces. */
const withoutBraces = (object: string): string => object.slice(1, -1);

/** Bookings of `bookingText` as JSON, each with the columns that decide its allowed actions. */
export const textViews = (context: JudgingContext, text: string | null) => {
  const lines = splitLines(text);
  const facts = computeFacts(context);
  const views: { judged: JudgedRow; text: string }[] = [];
  for (let at = 0; at < lines.length; at += 3) {
    const [head = '', state = '', tail = ''] = lines.slice(at, at + 3);
    const judged: JudgedRow = JSON.parse(state);
    const own = JSON.stringify(judgedView(context.deps, facts, judged, 'clinic'));
    views.push({ judged, text: `{${withoutBraces(head)},${withoutBraces(own)},${withoutBraces(tail)}}` });
  }
  return views;
};
