import { calendarNote, type Language } from '../../endpoint/messages.ts';
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

/** A booking as a calendar file: times in UTC, a UID that stays, a SEQUENCE that grows with every change. */
export const calendarFile = (booking: BookingRow, language: Language): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Janji//Booking//ID',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${booking.id}@janji`,
    `SEQUENCE:${booking.version - 1}`,
    `DTSTAMP:${utcOf(booking.updatedAt)}`,
    `DTSTART:${utcOf(booking.startsAt)}`,
    `DTEND:${utcOf(booking.endsAt)}`,
    `SUMMARY:${escaped(`${booking.sessionName}: ${booking.doctorName}`)}`,
    `DESCRIPTION:${escaped(calendarNote(booking.bookingCode, booking.queueLabel)[language])}`,
    `STATUS:${statuses[booking.status]}`,
    `CREATED:${utcOf(booking.createdAt)}`,
    `LAST-MODIFIED:${utcOf(booking.updatedAt)}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n');
