import { language } from './preferences.ts';

const tags = { id: 'id-ID', en: 'en-GB' } as const;
const formats = new Map<string, Intl.NumberFormat>();

/** A number as people read it in the page's language: "1.234,5" in Indonesian, "1,234.5" in English. */
export const inDigits = (value: number, maximumFractionDigits = 0): string => {
  const key = `${language.value} ${maximumFractionDigits}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(tags[language.value], { maximumFractionDigits });
  formats.set(key, format);
  return format.format(value);
};
