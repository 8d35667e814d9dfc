// Pure: dates as people type them. A date that may be two is a question, and never guessed.

import type { DateOrder } from '../../../core/tables/words.ts';

const orders: readonly DateOrder[] = ['day_first', 'month_first'];

/** The first letters by which a month is recognized, in Indonesian and English. */
const months: readonly (readonly string[])[] = [
  ['jan'],
  ['feb', 'peb'],
  ['mar'],
  ['apr'],
  ['mei', 'may'],
  ['jun'],
  ['jul'],
  ['agu', 'ags', 'agt', 'aug'],
  ['sep'],
  ['okt', 'oct'],
  ['nov', 'nop'],
  ['des', 'dec'],
];
const monthNames = new Set(
  `januari january februari february pebruari maret march april mei may juni june juli july agustus august september
  sept oktober october november nopember desember december`.split(/\s+/),
);

const monthNamed = (word: string): number => {
  const folded = word.toLowerCase();
  const beginning = folded.slice(0, 3);
  const isKnown = folded === beginning || monthNames.has(folded);
  return isKnown ? months.findIndex((names) => names.includes(beginning)) + 1 : 0;
};

const toIsoDate = (year: number, month: number, day: number): string | null => {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  const isReal = month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : null;
};

/** The reading of a typed date: one date; two possible dates until the order is known; or none. */
type TypedDate = { date: string } | { problem: 'date_typed' | 'date_order' | 'date_number' };

const dateOr = (date: string | null): TypedDate => (date === null ? { problem: 'date_typed' } : { date });

const yearFirst = /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$/;
const dayAndName = /^(\d{1,2})[-/. ]?([a-z]+)[-/., ]{0,2}(\d{4})$/i;
const nameAndDay = /^([a-z]+)[-/. ](\d{1,2})[-/., ]{1,2}(\d{4})$/i;
/** Days since 1900 or, in spreadsheets from the Macintosh, since 1904: a date four years off would not be noticed. */
const spreadsheetDay = /^\d{5}(?:[.,]\d+)?$/;
/** A time part that a spreadsheet or a database adds after a date. */
const midnight = /[T ]0?0[:.]00(?:[:.]00(?:\.0+)?)?Z?$/;

/** 05/01/1950 in the given order; without one only if it can only be one date. */
const numericDate = (first: number, second: number, year: number, order: DateOrder | null): TypedDate => {
  const dayFirst = toIsoDate(year, second, first);
  const monthFirst = toIsoDate(year, first, second);
  if (order !== null) return dateOr(order === 'day_first' ? dayFirst : monthFirst);
  if (dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst) return { problem: 'date_order' };
  return dateOr(dayFirst ?? monthFirst);
};

/** Parses a date as people type it: 1950-01-05, 05/01/1950, 5 Jan 1950. A year has four digits. */
export const typedDate = (typed: string, order: DateOrder | null): TypedDate => {
  const text = typed.trim().replaceAll(/\s+/g, ' ').replace(midnight, '');
  const iso = yearFirst.exec(text);
  if (iso !== null) return dateOr(toIsoDate(Number(iso[1]), Number(iso[3]), Number(iso[4])));
  const numeric = yearLast.exec(text);
  if (numeric !== null) return numericDate(Number(numeric[1]), Number(numeric[3]), Number(numeric[4]), order);
  const dayFirst = dayAndName.exec(text);
  if (dayFirst !== null)
    return dateOr(toIsoDate(Number(dayFirst[3]), monthNamed(dayFirst[2] ?? ''), Number(dayFirst[1])));
  const nameFirst = nameAndDay.exec(text);
  if (nameFirst !== null)
    return dateOr(toIsoDate(Number(nameFirst[3]), monthNamed(nameFirst[1] ?? ''), Number(nameFirst[2])));
  return { problem: spreadsheetDay.test(text) ? 'date_number' : 'date_typed' };
};

/** Which orders the dates of a file can have: one that is none in an order rules that order out. */
export const possibleOrders = (dates: readonly string[]): readonly DateOrder[] =>
  orders.filter((order) =>
    dates.every((typed) => 'date' in typedDate(typed, order) || !('date' in typedDate(typed, null))),
  );
