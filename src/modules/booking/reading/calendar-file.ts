import {
  calendarCanceled,
  calendarNote,
  calendarTitle,
  type Language,
} from '../../../core/endpoint/messages.ts';
import type { BookingRow } from '../record/queries.ts';

// RFC 5545 for one event. The library for it, ical-generator, would add 10 KiB to the Worker's 115: it judges this
// file in a test instead.

const statuses = { waiting: 'TENTATIVE', approved: 'CONFIRMED', canceled: 'CANCELLED' };
const maxOctets = 75;

const formatUtc = (instant: number): string =>
  new Date(instant).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

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

/** The clinic's address, for a calendar. */
interface Clinic {
  name: string;
  address: string;
}

interface Shown {
  language: Language;
  /** Without it the calendar shows only a booking's code and state. */
  details: boolean;
  clinic: Clinic | undefined;
  /** The person whose bookings they are, in a file to subscribe to. */
  person?: string;
  /** The reader's family, who are named: one account books for all of them. */
  family?: readonly { id: string; name: string }[];
}

const formatTitle = (booking: BookingRow, { language, details, family }: Shown): string => {
  const patient = family?.find(({ id }) => id === booking.patientId);
  const title = details
    ? `${patient === undefined ? '' : `${patient.name} · `}${booking.sessionName}: ${booking.doctorName}`
    : calendarTitle(booking.bookingCode)[language];
  return booking.status === 'canceled' ? calendarCanceled(title)[language] : title;
};

const placeLines = ({ clinic }: Shown): string[] => {
  const place = [clinic?.name, clinic?.address].filter(Boolean).join(', ');
  return place === '' ? [] : [`LOCATION:${escaped(place)}`];
};

/** A booking in a calendar: times in UTC, a UID that never changes, a SEQUENCE that grows with every change. */
const formatEvent = (booking: BookingRow, shown: Shown): string[] => [
  'BEGIN:VEVENT',
  `UID:${booking.id}@janji`,
  `SEQUENCE:${booking.version - 1}`,
  `DTSTAMP:${formatUtc(booking.updatedAt)}`,
  `DTSTART:${formatUtc(booking.startsAt)}`,
  `DTEND:${formatUtc(booking.endsAt)}`,
  `SUMMARY:${escaped(formatTitle(booking, shown))}`,
  ...(shown.details
    ? [`DESCRIPTION:${escaped(calendarNote(booking.bookingCode, booking.queueLabel)[shown.language])}`]
    : []),
  ...placeLines(shown),
  `STATUS:${statuses[booking.status]}`,
  `CREATED:${formatUtc(booking.createdAt)}`,
  `LAST-MODIFIED:${formatUtc(booking.updatedAt)}`,
  'END:VEVENT',
];

/** The name that a program shows for the calendar: RFC 7986, 5.1, and the older property that most programs read. */
const nameLines = ({ clinic, person }: Shown): string[] => {
  if (person === undefined) return [];
  const name = escaped([clinic?.name || 'Janji', person].filter(Boolean).join(' – '));
  return [`NAME:${name}`, `X-WR-CALNAME:${name}`];
};

const calendarFile = (bookings: readonly BookingRow[], shown: Shown): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Janji//Booking//ID',
    'METHOD:PUBLISH',
    ...nameLines(shown),
    ...bookings.flatMap((booking) => formatEvent(booking, shown)),
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n');

/** Bookings as a calendar file (RFC 5545), and the name under which it is stored, without its ending. */
export const calendarAnswer = (bookings: readonly BookingRow[], file: string, shown: Shown) => {
  const raw = calendarFile(bookings, shown);
  return {
    status: 200 as const,
    raw,
    // The parts that its ETag is made of.
    data: raw,
    headers: {
      'Content-Language': shown.language,
      'Content-Type': 'text/calendar; charset=utf-8; method=PUBLISH',
      'Content-Disposition': `attachment; filename="${file}.ics"`,
    },
  };
};
