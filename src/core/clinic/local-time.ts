/** Minutes since local midnight of HH:MM:00; null where the seconds are not zero. 24:00:00 is 1440. */
export const parseLocalTime = (time: string): number | null => {
  const [hours = '', minutes = '', seconds = ''] = time.split(':');
  return seconds === '00' ? Number(hours) * 60 + Number(minutes) : null;
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** HH:MM:00 of minutes since local midnight. */
export const formatLocalTime = (minuteOfDay: number): string =>
  `${twoDigits(Math.floor(minuteOfDay / 60))}:${twoDigits(minuteOfDay % 60)}:00`;
