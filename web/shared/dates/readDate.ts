// Parses typed dates, independent of the device's clock and language.

import { isDate } from './days.ts';

/** The first letters of the months' names in both languages, and of others in use. */
const months = 'jan|feb peb|mar|apr|mei may|jun|jul|agu aug ags agt|sep|okt oct|nov nop|des dec'.split('|');

/** The number of a month that is named, or nothing. */
const namedMonth = (word: string): number | undefined => {
  const at = word.length < 3 ? -1 : months.findIndex((names) => names.includes(word.slice(0, 3)));
  return at < 0 ? undefined : at + 1;
};

/** How many years in the future a year of two digits may be at most. */
export const yearsAhead = 20;

/** A year of four digits, or the latest one with these two that is not after `latest`. */
const readYear = (digits: string, latest: number | null): number | undefined => {
  if (/^[1-9]\d{3}$/.test(digits)) return Number(digits);
  if (!/^\d\d$/.test(digits) || latest === null) return undefined;
  return latest - ((((latest - Number(digits)) % 100) + 100) % 100);
};

const oneOrTwo = (digits: string): number | undefined =>
  /^\d\d?$/.test(digits) ? Number(digits) : undefined;

/** Day, month and year among the words of a text, however they are ordered or divided. */
const splitParts = (text: string): readonly [string, string, string] | null => {
  const words = text.toLowerCase().match(/\d+|[\p{L}'’]+/gu) ?? [];
  const [only = ''] = words;
  // A phone's number keys can only type digits.
  if (words.length === 1 && /^\d{6}(\d\d)?$/.test(only))
    return [only.slice(0, 2), only.slice(2, 4), only.slice(4)];
  // The name of the weekday is before the day.
  const [a, b, c, more] = words.length === 4 && /^\D/.test(only) ? words.slice(1) : words;
  if (a === undefined || b === undefined || c === undefined || more !== undefined) return null;
  if (a.length === 4 && /^\d/.test(a)) return [c, b, a];
  return namedMonth(a) === undefined ? [a, b, c] : [b, a, c];
};

/** The day, or why it is none: `form` cannot be read, `day` is not in the calendar. */
type ReadDate = { date: string } | { wrong: 'form' | 'day' };

/**
 * Reads 26/11/2026, 26-11-2026, 26.11.26, 26 Nov 2026, "Kamis, 26 November 2026", 26112026 and 2026-11-26. A year of two
 * digits is the latest one that is not after `latestYear`; with null, while somebody is still typing, it is no year yet.
 */
export const readDate = (text: string, latestYear: number | null): ReadDate => {
  const [first, second, last] = splitParts(text) ?? ['', '', ''];
  const day = oneOrTwo(first);
  const month = oneOrTwo(second) ?? namedMonth(second);
  const year = readYear(last, latestYear);
  if (day === undefined || month === undefined || year === undefined) return { wrong: 'form' };
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = `${year}-${two(month)}-${two(day)}`;
  return isDate(date) ? { date } : { wrong: 'day' };
};

/** "26/11/2026" of 2026-11-26, in both languages; nothing of nothing. */
export const writeDate = (date: string): string => date.split('-').reverse().join('/');
