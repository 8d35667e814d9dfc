import { calendarNote, calendarTitle, type Language } from '../../endpoint/messages.ts';
import type { BookingRow } from '../record/queries.ts';

// RFC 5545 for one event. The library for it, ical-generator, would add 10 KiB to the Worker's 115: it judges this
// file in a test instead.

const statuses = { waiting: 'TENTATIVE', approved: 'CONFIRMED', canceled: 'CANCELLED' };
const maxOctets = 75;

const utcOf = (instant: number): string => new Date(instant).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (character) => `\\${character}`).replaceAll(/\r?\n/g, '\\n');

/** Breaks a line before it has more than 75 octets, never within a character (RFC 5545, 3.1). */
const folded = (line: string): string => {
  if (line.length * 3 <= maxOctets) return line;
  let octets = 0;
  let text = '';
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    const breaks = octets + size > maxOctets;
    text += breaks ? `\r\n ${character}` : character;
    octets = breaks ? size + 1 : octets + size;
  }
  return text;
};

/** What a calendar shows of a booking: times in UTC, a UID that stays, a SEQUENCE that grows with every change. */
const eventOf = (booking: BookingRow, language: Language, details: boolean): string[] => [
  'BEGIN:VEVENT',
  `UID:${booking.id}@janji`,
  `SEQUENCE:${booking.version - 1}`,
  `DTSTAMP:${utcOf(booking.updatedAt)}`,
  `DTSTART:${utcOf(booking.startsAt)}`,
  `DTEND:${utcOf(booking.endsAt)}`,
  ...(details
    ? [
        `SUMMARY:${escaped(`${booking.sessionName}: ${booking.doctorName}`)}`,
        `DESCRIPTION:${escaped(calendarNote(booking.bookingCode, booking.queueLabel)[language])}`,
      ]
    : [`SUMMARY:${calendarTitle(booking.bookingCode)[language]}`]),
  `STATUS:${statuses[booking.status]}`,
  `CREATED:${utcOf(booking.createdAt)}`,
  `LAST-MODIFIED:${utcOf(booking.updatedAt)}`,
  'END:VEVENT',
];

/** Bookings as a calendar file; without `details` it tells ids and states alone. */
const calendarFile = (bookings: readonly BookingRow[], language: Language, details: boolean): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Janji//Booking//ID',
    'METHOD:PUBLISH',
    ...bookings.flatMap((booking) => eventOf(booking, language, details)),
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n');

/** The file as an answer. */
export const calendarAnswer = (
  bookings: readonly BookingRow[],
  language: Language,
  details: boolean,
  name: string,
) => {
  const raw = calendarFile(bookings, language, details);
  return {
    status: 200 as const,
    raw,
    // What its ETag is made of.
    data: raw,
    headers: {
      'Content-Language': language,
      'Content-Type': 'text/calendar; charset=utf-8; method=PUBLISH',
      'Content-Disposition': `attachment; filename="${name}.ics"`,
    },
  };
};
