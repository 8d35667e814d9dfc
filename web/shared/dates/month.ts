// A month as a calendar shows it, and where its keys lead. Days are written YYYY-MM-DD.

import { addDays, daysBetween, isDate } from './days.ts';

/** The first and the last day whose year has four digits. */
export const firstDate = '1000-01-01';
export const lastDate = '9999-12-31';

/** The day itself, or the nearest day within the range. */
export const within = (date: string, min: string, max: string): string =>
  !isDate(date) || date > max ? max : date < min ? min : date;

/** The same day of another month, or the last one of a month that is shorter. */
export const addMonths = (date: string, months: number): string => {
  const first = new Date(`${date.slice(0, 8)}01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  const last = new Date(first);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  first.setUTCDate(Math.min(Number(date.slice(8)), last.getUTCDate()));
  return first.toISOString().slice(0, 10);
};

/** How many days after its week's Monday it is. */
const afterMonday = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;

/** The weeks of the day's month, Monday first; null for days of another month. */
export const listWeeks = (date: string): (string | null)[][] => {
  const first = `${date.slice(0, 8)}01`;
  const length = daysBetween(first, addMonths(first, 1));
  const before = afterMonday(first);
  return Array.from({ length: Math.ceil((before + length) / 7) }, (_week, week) =>
    Array.from({ length: 7 }, (_day, day) => {
      const nth = week * 7 + day - before;
      return nth < 0 || nth >= length ? null : addDays(first, nth);
    }),
  );
};

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const turns: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

/** The date to which a key moves in a month, Page Up and Page Down with Shift by years; null for other keys. */
export const dayByKey = (date: string, key: string, isShifted = false): string | null => {
  const [step, turn] = [steps[key], turns[key]];
  if (step !== undefined) return addDays(date, step);
  if (turn !== undefined) return addMonths(date, isShifted ? turn * 12 : turn);
  if (key === 'Home') return addDays(date, -afterMonday(date));
  return key === 'End' ? addDays(date, 6 - afterMonday(date)) : null;
};
