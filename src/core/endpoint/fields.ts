import * as z from 'zod/mini';
import { exampleDay } from './example-dates.ts';
import type { FieldRule, LimitingRule } from './field-sentences.ts';
import { once } from './once.ts';

type JsonSchema = Parameters<typeof z.meta>[0];

// A copy of its own, since shapes are shared; it inherits all but the name. `z.meta` would make a check as well, and
// run it at every request.
export const describedAs = <S extends z.ZodMiniType>(schema: S, meta: JsonSchema): S => {
  const copy = z.clone(schema) as S;
  z.globalRegistry.add(copy, meta);
  return copy;
};

/** The description of a field in the reference, beyond its shape. */
export const described = <S extends z.ZodMiniType>(
  schema: S,
  description: string,
  more: JsonSchema = {},
): S => describedAs(schema, { description, ...more });

/** An object that the reference shows under a name of its own; made once, since it takes that name. */
export const named = <const S extends z.core.$ZodShape>(id: string, fields: () => S) =>
  once(() => {
    const object = z.object(fields());
    z.globalRegistry.add(object, { id });
    return object;
  });

/** Refuses with one sentence of the catalogue instead of the library's messages. */
export const must = <T>(
  holds: (value: T) => boolean,
  ...[rule, limit]: [rule: Exclude<FieldRule, LimitingRule>] | [rule: LimitingRule, limit: number | string]
) => z.refine<T>(holds, { params: { rule, limit }, abort: true });

/** Ahead of a record of names that the sender chose: zod drops the name `__proto__` in silence, so it is refused here. */
export const keepsNames = <V extends string | null>(rule: Exclude<FieldRule, LimitingRule>) =>
  z
    .transform((given: Record<string, V>) => given)
    .check(must((given) => !Object.hasOwn(Object(given), '__proto__'), rule));

const isWellFormed = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
// Controls, ends of lines and paragraphs, and what turns the direction of the text around it.
const hasNoControls = (text: string): boolean =>
  !/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u.test(text);
const characters = (text: string): number => [...text].length;
const atMost = (max: number) => must<string>((text) => characters(text) <= max, 'too_long', max);
// Ahead of every transformation: normalising a long run of combining marks takes quadratic time.
const bounded = (max: number) =>
  z.string().check(
    must((text) => text.length <= max * 4, 'too_long', max),
    must(isWellFormed, 'characters'),
  );

/** Any text of at most `max` characters (code points); NUL and lone surrogates are refused everywhere. */
export const freeText = (max: number) =>
  describedAs(bounded(max).check(atMost(max)), { maxLength: max, pattern: '^[^\\u0000]*$' });

// After trimming at least one character is left, and none is a control character.
const controls = '\\u0000-\\u001F\\u007F-\\u009F';
const linePatterns = {
  0: `^[^${controls}]*$`,
  1: `^[^${controls}]*[^\\s${controls}][^${controls}]*$`,
} as const;

const line = (min: 0 | 1, max: number) =>
  describedAs(
    z.pipe(
      z.pipe(
        bounded(max),
        z.transform((text: string) => text.trim()),
      ),
      z.string().check(
        must(hasNoControls, 'characters'),
        must((text) => text.length >= min, 'required'),
        atMost(max),
      ),
    ),
    { minLength: min, maxLength: max, pattern: linePatterns[min] },
  );

/** One line of text of 1 to `max` characters after trimming, without control characters. */
export const oneLine = (max: number) => line(1, max);

// Invisible characters, and the blank of Braille. Joiners between two letters are allowed, because some scripts need
// them.
const joinersBetweenLetters = /(?<=[\p{L}\p{M}])[\u200C\u200D](?=\p{L})/gu;
const invisible = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
const isSeen = (text: string): boolean => !invisible.test(text.replaceAll(joinersBetweenLetters, ''));
const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** The name of anybody or anything: one line of 1 to `max` characters that can be seen, a letter or digit among them. */
export const name = (max = 100) =>
  describedAs(z.pipe(oneLine(max), z.string().check(must(isSeen, 'characters'), must(hasWord, 'no_word'))), {
    minLength: 1,
    maxLength: max,
    pattern: linePatterns[1],
  });

/** The same, or nothing at all. */
export const nameOrEmpty = (max = 100) =>
  describedAs(
    z.pipe(
      lineOrEmpty(max),
      z.string().check(
        must(isSeen, 'characters'),
        must((text) => text === '' || hasWord(text), 'no_word'),
      ),
    ),
    { maxLength: max, pattern: linePatterns[0] },
  );

/**
 * A search text: it is matched against the beginnings of words, so a text without a word would find everybody or
 * nobody.
 */
export const searchText = () => z.pipe(oneLine(100), z.string().check(must(hasWord, 'no_word')));

/** One line of text that may be empty. */
export const lineOrEmpty = (max: number) => line(0, max);

/** Text of several lines that may be empty; ends of lines become `\n`, and further control characters are refused. */
export const paragraphsOrEmpty = (max: number) =>
  describedAs(
    z.pipe(
      z.pipe(
        bounded(max),
        z.transform((text: string) => text.replaceAll(/\r\n?/g, '\n').trim()),
      ),
      z.string().check(
        must((text) => hasNoControls(text.replaceAll('\n', '')), 'characters'),
        atMost(max),
      ),
    ),
    { maxLength: max, pattern: '^[^\\u0000-\\u0009\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]*$' },
  );

/** One to `max` ASCII letters, in capitals. */
export const letters = (max: number) => {
  const form = new RegExp(`^[A-Za-z]{1,${max}}$`);
  return describedAs(
    z.pipe(
      z.string().check(must((text) => form.test(text), 'letters', max)),
      z.transform((text: string) => text.toUpperCase()),
    ),
    { type: 'string', pattern: form.source },
  );
};

const codeForm = /^[A-Za-z0-9._-]+$/;

/** The code that another system gave something: 1 to `max` ASCII letters, digits, dots, hyphens and underscores. */
export const foreignCode = (max: number) =>
  describedAs(
    z.string().check(
      must((text) => text.length <= max, 'too_long', max),
      must((text) => codeForm.test(text), 'characters'),
    ),
    { minLength: 1, maxLength: max, pattern: codeForm.source },
  );

const formatCount = (min: number, max: number): string => (min === max ? `${min}` : `${min}–${max}`);

/** `min` to `max` ASCII digits, stored as text. */
export const digits = (min: number, max: number) => {
  const form = new RegExp(`^[0-9]{${min},${max}}$`);
  return describedAs(z.string().check(must((text) => form.test(text), 'digits', formatCount(min, max))), {
    pattern: form.source,
  });
};

const phoneForm = /^\+?[\s().-]*(?:[0-9][\s().-]*){4,15}$/;

const typedNumber = (form: RegExp) =>
  describedAs(
    z.pipe(
      z.string().check(
        must((text) => text.length <= 60, 'too_long', 60),
        must((text) => form.test(text), 'phone'),
      ),
      z.transform((text: string) => text.replaceAll(/[\s().-]/g, '')),
    ),
    { type: 'string', maxLength: 60, pattern: form.source.replaceAll('\\s', ' ') },
  );

/** A phone number as people write it, 4 to 15 digits; a plus stays until its country code is known (`phoneIn`). */
export const phoneNumber = () => typedNumber(phoneForm);

/** The same, or nothing at all. */
export const phoneNumberOrEmpty = () => typedNumber(new RegExp(`^$|${phoneForm.source}`));

const typedCode = (form: RegExp) =>
  describedAs(
    z.pipe(
      z.string().check(must((text) => form.test(text), 'digits', '1–3')),
      z.transform((text: string) => text.replace('+', '')),
    ),
    { type: 'string', pattern: form.source },
  );

/** A country code of 1 to 3 digits; a plus before it is removed. */
export const countryCode = () => typedCode(/^\+?[0-9]{1,3}$/);

/** The same, or nothing at all. */
export const countryCodeOrEmpty = () => typedCode(/^(\+?[0-9]{1,3})?$/);

/** Trimmed, NFKC and lower case before it is checked and compared, so that twins are one address. */
export const email = () =>
  describedAs(
    z.pipe(
      z.pipe(
        bounded(254),
        z.transform((text: string) => text.trim().normalize('NFKC').toLowerCase()),
      ),
      z.email().check(z.maxLength(254)),
    ),
    { format: 'email', pattern: z.regexes.email.source, maxLength: 254, example: 'pasien@klinik.example' },
  );

/** A UUID of any version in the text form of RFC 9562, lower-cased. */
export const uuid = () =>
  describedAs(
    z.pipe(
      z.guid(),
      z.transform((text: string) => text.toLowerCase()),
    ),
    { type: 'string', format: 'uuid' },
  );

/** A date that the calendar has, YYYY-MM-DD. */
export const localDate = () => describedAs(z.iso.date(), { format: 'date', example: exampleDay(7) });

/** A wall-clock time, 00:00:00 to 23:59:59. */
export const localTime = () =>
  describedAs(z.iso.time({ precision: 0 }), {
    format: undefined,
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$',
    example: '09:30:00',
  });

const wholeMinute = /^([01]\d|2[0-3]):[0-5]\d:00$/;

/** A wall-clock time on a whole minute, at which something begins. */
export const startTime = () =>
  describedAs(z.string().check(must((text) => wholeMinute.test(text), 'time')), {
    pattern: wholeMinute.source,
    example: '08:00:00',
  });

/** A wall-clock time on a whole minute, at which something ends; 24:00:00 is the end of the day. */
export const endTime = () =>
  describedAs(z.string().check(must((text) => text === '24:00:00' || wholeMinute.test(text), 'time')), {
    pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00):00$',
    example: '16:00:00',
  });

/** A point in time, RFC 3339 in UTC. */
export const utcInstant = () =>
  describedAs(z.iso.datetime(), {
    format: 'date-time',
    example: `${exampleDay(7)}T02:30:00.000Z`,
  });

/** A point in time as a client writes it: RFC 3339, in UTC or with an offset. */
export const instant = () =>
  describedAs(
    z.pipe(
      z.pipe(
        z.string().check(must((text) => text.length <= 64, 'invalid')),
        z.transform((text: string) => text.toUpperCase()),
      ),
      z.iso.datetime({ offset: true }),
    ),
    { format: 'date-time', example: `${exampleDay(-7)}T00:00:00+07:00` },
  );

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === 'https:' && !new URL(text).username;

/** An https address without credentials. */
export const webAddress = () =>
  describedAs(
    z.string().check(
      must((text) => text.length <= 2_048, 'too_long', 2_048),
      must(isWellFormed, 'characters'),
      must(isWebAddress, 'url'),
    ),
    { format: 'uri', maxLength: 2_048 },
  );

/** Where pages come from: an https scheme, a host and, if it is not the usual one, a port. */
export const webOrigin = () =>
  describedAs(
    z.string().check(
      must((text) => text.length <= 200, 'too_long', 200),
      must((text) => isWebAddress(text) && new URL(text).origin === text && !text.includes('*'), 'origin'),
    ),
    { format: 'uri', maxLength: 200 },
  );

/** The path parameter of whatever has an id. */
export const idParam = () => z.object({ id: uuid() });
