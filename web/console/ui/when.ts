import { capital, daysBetween, duration, nearness, shortParts } from '../../shared/time.ts';
import { common } from '../../shared/words.ts';

/** "hari ini", "besok", or "Sel 1 Des": within a sentence. */
export const shortDateWithin = (date: string, today: string): string => {
  const near = daysBetween(today, date) >= 0 ? nearness(date, today) : null;
  if (near !== null) return near;
  const { weekday, day, month } = shortParts(date);
  const year = date.slice(0, 4) === today.slice(0, 4) ? '' : ` ${date.slice(0, 4)}`;
  return `${weekday} ${day} ${month}${year}`;
};

/** The same without surrounding text: fits in a column. */
export const shortDate = (date: string, today: string): string => capital(shortDateWithin(date, today));

/** "30 Nov 1979" */
export const birthDate = (date: string): string => {
  const { day, month } = shortParts(date);
  return `${day} ${month} ${date.slice(0, 4)}`;
};

/** How long ago, in its largest unit. */
export const sinceWords = (instant: string, now: number): string => {
  const minutes = (now - Date.parse(instant)) / 60_000;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return common.value.days(Math.floor(hours / 24));
  return hours === 0 ? duration(minutes) : duration(hours * 60);
};
