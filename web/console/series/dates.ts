import { addDays } from '../../shared/time.ts';

interface Pattern {
  first: string;
  /** The days from one date to the next, or on which days of the week (1 is Monday). */
  every: number;
  weekdays: readonly number[] | null;
  count: number;
}

const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;

/** The dates of a series, as the service will have them: for the eyes, before it is sent. */
export const listDates = ({ first, every, weekdays, count }: Pattern): string[] => {
  const dates: string[] = [];
  for (let date = first; dates.length < count; date = addDays(date, weekdays === null ? every : 1))
    if (weekdays === null || weekdays.includes(weekdayOf(date))) dates.push(date);
  return dates;
};
