import { addDays, daysBetween } from '../../shared/dates/days.ts';

const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;

/** The first day of a month that is counted from the year 0. */
const firstOf = (month: number): string =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;

const lastOf = (month: number): string => addDays(firstOf(month + 1), -1);

/** The same day of an earlier month, or its last day. */
const monthsBefore = (date: string, count: number): string => {
  const month = monthOf(date) - count;
  const day = `${firstOf(month).slice(0, 8)}${date.slice(8)}`;
  return day < lastOf(month) ? day : lastOf(month);
};

interface Range {
  from: string;
  to: string;
}

/** The first and last day of a month, such as 2026-11. */
export const rangeOfMonth = (month: string): Range => ({
  from: `${month}-01`,
  to: lastOf(monthOf(`${month}-01`)),
});

/** The months up to that of a date, the latest first, each by its first day. */
export const monthsUntil = (date: string, count: number): string[] =>
  Array.from({ length: count }, (_, before) => firstOf(monthOf(date) - before));

/** The range before one, of the same length: in months or weeks, so that its rows stand beside those of the range. */
export const rangeBefore = (by: string, { from, to }: Range): Range => {
  if (by === 'month') {
    const months = monthOf(to) - monthOf(from) + 1;
    const isWhole = to === lastOf(monthOf(to));
    return {
      from: monthsBefore(from, months),
      to: isWhole ? lastOf(monthOf(to) - months) : monthsBefore(to, months),
    };
  }
  const days = daysBetween(from, to) + 1;
  const shift = by === 'week' ? Math.ceil(days / 7) * 7 : days;
  return { from: addDays(from, -shift), to: addDays(to, -shift) };
};
