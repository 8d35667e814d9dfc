import { signal } from '@preact/signals';
import { serviceNow } from './clock.ts';
import { daysBetween } from './dates/days.ts';
import { language } from './preferences.ts';
import { common } from './words.ts';

export { addDays, daysBetween, isDate } from './dates/days.ts';

/** The clinic's zone: set from `meta.time_zone` or the clinic's own answer. The phone may be elsewhere. */
export const clinicZone = signal('Asia/Jakarta');

const tags = { id: 'id-ID', en: 'en-GB' } as const;
const formats = new Map<string, Intl.DateTimeFormat>();

const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = JSON.stringify([language.value, options]);
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(tags[language.value], options);
  formats.set(key, made);
  return made;
};

/** The clinic's local date of an instant, as YYYY-MM-DD. */
export const dateOf = (instant: number | string | Date, zone = clinicZone.value): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(new Date(instant));

const inWords = (date: string, options: Intl.DateTimeFormatOptions): string =>
  format({ ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

/** "Selasa, 1 Desember 2026" */
export const longDate = (date: string): string =>
  inWords(date, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** "Desember 2026" */
export const monthAndYear = (date: string): string => inWords(date, { month: 'long', year: 'numeric' });

/** "Selasa" */
export const weekdayOf = (date: string): string => inWords(date, { weekday: 'long' });

/** "Selasa, 1 Desember" */
export const dayAndMonth = (date: string): string =>
  inWords(date, { weekday: 'long', day: 'numeric', month: 'long' });

/** "Sel", "1", "Des" */
export const shortParts = (date: string) => ({
  weekday: inWords(date, { weekday: 'short' }),
  day: inWords(date, { day: 'numeric' }),
  month: inWords(date, { month: 'short' }),
});

/** "hari ini", "besok", "lusa"; nothing for any other day. */
export const nearness = (date: string, today: string): string | null => {
  const words = common.value;
  return [words.today, words.tomorrow, words.afterTomorrow][daysBetween(today, date)] ?? null;
};

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "hari ini, Selasa, 1 Desember", or only the date: within a sentence. */
export const nearDateWithin = (date: string, today: string): string => {
  const near = nearness(date, today);
  return near === null ? longDate(date) : `${near}, ${dayAndMonth(date)}`;
};

/** The same without surrounding text. */
export const nearDate = (date: string, today: string): string => capital(nearDateWithin(date, today));

/** "Hari ini, Senin 23 Nov" where there is little space, or only the date. */
export const nearDateShort = (date: string, today: string): string => {
  const near = nearness(date, today);
  if (near === null) return longDate(date);
  const day = inWords(date, { weekday: 'long', day: 'numeric', month: 'short' });
  return `${capital(near)}, ${day.replace(', ', ' ')}`;
};

/** "09.30" of a clinic's local time such as 09:30:00. */
export const clockTime = (time: string): string =>
  language.value === 'id' ? time.slice(0, 5).replace(':', '.') : time.slice(0, 5);

/** "09.00" of the hour 9. */
export const wholeHour = (hour: number): string => clockTime(`${String(hour).padStart(2, '0')}:00`);

/** "WIB", or the zone's name if it has another. */
export const zoneName = (instant: number | string = serviceNow(), zone = clinicZone.value): string =>
  new Intl.DateTimeFormat('id-ID', { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(new Date(instant))
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** "09.30" of an instant, at the clinic. */
export const timeOf = (instant: number | string | Date, zone = clinicZone.value): string =>
  format({ timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(instant));

/** "35 menit", "1 jam 5 menit" */
export const duration = (minutes: number): string => {
  const words = common.value;
  const whole = Math.max(1, Math.round(minutes));
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  if (hours === 0) return words.minutes(whole);
  return rest === 0 ? words.hours(hours) : words.hoursMinutes(hours, rest);
};

/** The wait that a `Retry-After` of seconds means, in words. */
export const waitInWords = (seconds: number): string =>
  seconds < 60 ? common.value.seconds(Math.max(1, Math.ceil(seconds))) : duration(Math.ceil(seconds / 60));
