import { inDigits } from '../../shared/number.ts';
import { duration, monthAndYear, wholeHour } from '../../shared/time.ts';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { shortDate, shortDateWithin } from '../ui/when.ts';
import { setup } from '../words/settings.ts';

export type Numbers = Schemas['StatisticsNumbers'];
export type RowOf = Schemas['StatisticsRow'];

const leadName = (from: number, until: number | null): string => {
  const text = setup.value.statistics.lead;
  if (until === null) return text.atLeast(from);
  if (from === 0) return text.sameDay;
  return until - from === 1 ? text.days(from) : text.between(from, until - 1);
};

/** What a row is about, in words. */
export const rowName = (row: RowOf): string => {
  if (row.date !== undefined) return shortDate(row.date, today());
  if (row.week !== undefined) return setup.value.statistics.weekOf(shortDateWithin(row.week, today()));
  if (row.month !== undefined) return monthAndYear(`${row.month}-01`);
  if (row.lead_days_from !== undefined) return leadName(row.lead_days_from, row.lead_days_until ?? null);
  return row.doctor_name ?? row.session_name ?? (row.hour === undefined ? '' : wholeHour(row.hour));
};

/** A row with the key that a table needs. */
export const keyed = (rows: readonly RowOf[]) =>
  rows.map((row) => ({ ...row, id: row.doctor_id ?? row.session_id ?? rowName(row) }));

export const minutes = (value: number | null): string =>
  value === null ? setup.value.statistics.none : duration(value);

/** "12 dari 20 (60 %)" */
export const shareInWords = (part: number, whole: number): string => {
  const { share, none } = setup.value.statistics;
  if (whole === 0) return part === 0 ? none : inDigits(part);
  return share(inDigits(part), inDigits(whole), inDigits((100 * part) / whole));
};

/** The figures that can be drawn over time. */
export const figures = {
  booked: (one: Numbers) => one.booked_seats,
  completed: (one: Numbers) => one.completed,
  noShows: (one: Numbers) => one.no_shows,
  waiting: (one: Numbers) => one.waiting_minutes_median,
} as const;
export type Figure = keyof typeof figures;
export const figureNames = Object.keys(figures) as Figure[];
export const figureText = (figure: Figure, value: number | null): string =>
  figure === 'waiting' ? minutes(value) : inDigits(value ?? 0);
