import * as z from 'zod';
import type { FieldRule } from './errors.ts';

/** Refuses with a sentence of the catalogue instead of the library's. */
const rule = (name: FieldRule, limit?: number | string) => ({ params: { rule: name, limit } });

const wellFormed = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
const withoutControls = (text: string): boolean => !/\p{Cc}/u.test(text);
const characters = (text: string): number => [...text].length;

/** Any text of at most `most` characters (code points); NUL and lone surrogates are refused everywhere. */
export const freeText = (most: number) =>
  z
    .string()
    .refine(wellFormed, rule('characters'))
    .refine((text) => characters(text) <= most, rule('too_long', most))
    .meta({ maxLength: most });

/** One line of text of 1 to `most` characters after trimming, without control characters. */
export const oneLine = (most: number) =>
  z
    .string()
    .transform((text) => text.trim())
    .refine(wellFormed, rule('characters'))
    .refine(withoutControls, rule('characters'))
    .refine((text) => text !== '', rule('required'))
    .refine((text) => characters(text) <= most, rule('too_long', most))
    .meta({ minLength: 1, maxLength: most });

/** `least` to `most` ASCII digits, kept as text. */
export const digits = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && text.length >= least && text.length <= most, rule('digits', `${least}–${most}`))
    .meta({ pattern: `^[0-9]{${least},${most}}$` });

/** Trimmed, NFKC and lower case before it is checked and compared, so that twins are one address. */
export const email = z
  .string()
  .refine(wellFormed, rule('characters'))
  .transform((text) => text.trim().normalize('NFKC').toLowerCase())
  .pipe(z.email().max(254))
  .meta({ format: 'email', maxLength: 254, example: 'pasien@klinik.example' });

/** A UUID of any version in the text form of RFC 9562, lower-cased. */
export const uuid = z
  .guid()
  .transform((text) => text.toLowerCase())
  .meta({ format: 'uuid', example: '11111111-1111-4111-8111-111111111111' });

/** A date that the calendar has, YYYY-MM-DD. */
export const localDate = z.iso.date().meta({ format: 'date', example: '2026-12-01' });

/** A wall-clock time, 00:00:00 to 23:59:59. */
export const localTime = z.iso
  .time({ precision: 0 })
  .meta({ format: undefined, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$', example: '09:30:00' });

/** A point in time, RFC 3339 in UTC. */
export const utcInstant = z.iso.datetime().meta({ format: 'date-time', example: '2026-12-01T02:30:00.000Z' });

/** A whole number in a query string, within bounds. */
export const queryNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().int().min(least).max(most))
    .meta({ type: 'integer', minimum: least, maximum: most });

/** The two parameters by which every list but slots pages. */
export const paging = {
  limit: queryNumber(1, 100).optional().meta({ type: 'integer', minimum: 1, maximum: 100, default: 50, description: 'How many items at most; 50 unless set.' }),
  cursor: z.string().max(512).optional().meta({ description: 'Where to go on: `meta.next_cursor` of the page before.' }),
};

/** What a page says of the one after it. */
export const pageMeta = z.object({
  next_cursor: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last one.' }),
});
