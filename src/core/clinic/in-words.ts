import type { Language } from '../endpoint/messages.ts';

const zoneWords: Readonly<Record<string, string>> = {
  'Asia/Jakarta': 'WIB',
  'Asia/Pontianak': 'WIB',
  'Asia/Makassar': 'WITA',
  'Asia/Jayapura': 'WIT',
};

/** A date and a time of the clinic's clock in words. */
export const whenInWords = (date: string, time: string, zone: string, language: Language) => {
  const locale = language === 'id' ? 'id-ID' : 'en-GB';
  const day = new Date(`${date}T00:00:00Z`);
  const say = (form: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...form, timeZone: 'UTC' }).format(day);
  // In two parts: platforms differ on the comma between them.
  return {
    date: `${say({ weekday: 'long' })}, ${say({ day: 'numeric', month: 'long', year: 'numeric' })}`,
    time: `${time.slice(0, 5).replace(':', language === 'id' ? '.' : ':')} ${zoneWords[zone] ?? `(${zone})`}`,
  };
};
