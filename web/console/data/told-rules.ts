import type { Schemas } from '../../../client/index.ts';

type Change = Schemas['BookingChange'];

/** Where a visit is or was. */
interface Slot {
  date: string;
  time: string;
  /** Empty if the caller sees the booking no longer. */
  doctor: string;
}

const kinds = {
  'booking.canceled': 'canceled',
  'booking.rescheduled': 'moved',
  'booking.answered': 'answered',
} as const;

/** What a patient did to a visit of today or tomorrow. */
export interface Told {
  sequence: number;
  at: string;
  kind: (typeof kinds)[keyof typeof kinds];
  bookingId: string;
  /** Null if nobody here knows it any more: the booking is with another doctor. */
  name: string | null;
  slot: Slot;
  /** Of a move; null if it went to another doctor's day. */
  to: Slot | null;
}

const isKnown = (type: string): type is keyof typeof kinds => Object.hasOwn(kinds, type);

/** What is worth a line: what patients did themselves to visits on one of these dates. */
export const toTold = (change: Change, dates: readonly string[], name: string | null): Told | null => {
  const { sequence, at, type, by, booking, booking_id: bookingId, previous } = change;
  if (by !== 'patient' || !isKnown(type) || booking?.held_until) return null;
  const present: Slot | null = booking && {
    date: booking.schedule_date,
    time: booking.schedule_time,
    doctor: booking.doctor_name,
  };
  const before: Slot | null = previous && {
    date: previous.schedule_date,
    time: previous.schedule_time,
    doctor: '',
  };
  const isNear = [present, before].some((slot) => slot !== null && dates.includes(slot.date));
  const slot = before ?? present;
  if (!isNear || slot === null) return null;
  const to = before === null ? null : present;
  return { sequence, at, kind: kinds[type], bookingId, name: booking?.patient.name ?? name, slot, to };
};

/** The lines with newer ones, each booking once for each kind, the newest first. */
export const withTold = (lines: readonly Told[], newer: readonly Told[]): Told[] => {
  const all = [...lines, ...newer].sort((a, b) => a.sequence - b.sequence);
  const latest = new Map(all.map((line) => [`${line.bookingId} ${line.kind}`, line.sequence]));
  const kept = new Map(all.map((line) => [line.sequence, line]));
  return [...kept.values()]
    .filter(({ bookingId, kind, sequence }) => latest.get(`${bookingId} ${kind}`) === sequence)
    .reverse();
};

/** How far somebody has read: everything up to a position, and single lines after it. */
export interface Read {
  upTo: number;
  after: readonly number[];
}

export const parseRead = (text: string | null): Read | null => {
  const numbers = (text ?? '').split(' ').map(Number);
  const [upTo, ...after] = numbers;
  return text === null || upTo === undefined || !numbers.every(Number.isSafeInteger) ? null : { upTo, after };
};

export const writeRead = ({ upTo, after }: Read): string => [upTo, ...after].join(' ');

export const isUnread = ({ upTo, after }: Read, { sequence }: Told): boolean =>
  sequence > upTo && !after.includes(sequence);

/** The same, as short as it can be said once everything up to `heard` was looked at. */
export const shorten = ({ upTo, after }: Read, unread: readonly Told[], heard: number): Read => {
  const end = Math.max(upTo, Math.min(heard, ...unread.map(({ sequence }) => sequence - 1)));
  return { upTo: end, after: after.filter((sequence) => sequence > end) };
};
