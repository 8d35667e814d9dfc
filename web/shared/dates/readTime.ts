/**
 * Reads 08:30, 8.30 and 0830 as HH:MM, and once no more is awaited 8 and 830 too; null where it is no hour of a day. The
 * seconds of a time as the service writes it may follow.
 */
export const readTime = (text: string, isMeant: boolean): string | null => {
  const divided = /^\s*(\d\d?)\s*[.:,]\s*(\d\d)([.:]00)?\s*$/.exec(text);
  const digits = isMeant ? /^\s*(\d\d?)(\d\d)?\s*$/.exec(text) : /^\s*(\d\d)(\d\d)\s*$/.exec(text);
  const [, hour, minute = '00'] = divided ?? digits ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return null;
  return `${hour.padStart(2, '0')}:${minute}`;
};
