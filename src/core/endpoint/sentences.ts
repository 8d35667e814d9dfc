// Sentences for people in both languages, and the values that are put into them.

/** `{name}` takes a value; `{name:one|many}` a word by whether the value is 1. */
export interface Sentence {
  readonly id: string;
  readonly en: string;
}

/** A value for a sentence's placeholder: the same in both languages, or one text for each. */
type Value = number | string | Sentence;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Own}:${string}` ? Own : Name) | NamesIn<Rest>
  : never;

/** The names of the values that a sentence takes; `never` for one that is whole. */
export type ValueNames<S extends Sentence> = NamesIn<S['id']> | NamesIn<S['en']>;

const placeForm = /\{(\w+)(?::(\w+)\|(\w+))?\}/g;

const fill = (text: string, language: keyof Sentence, values: Readonly<Record<string, Value>>): string =>
  text.replaceAll(placeForm, (_place, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A sentence misses its value: ${name}.`);
    if (one !== undefined) return (value === 1 ? one : many) ?? '';
    return typeof value === 'object' ? value[language] : String(value);
  });

/** The sentence with its values in it, in both languages. */
export const say = <S extends Sentence>(
  { id, en }: S,
  values: { readonly [Name in ValueNames<S>]: Value },
): Sentence => ({ id: fill(id, 'id', values), en: fill(en, 'en', values) });

const units = {
  second: { id: '{n} detik', en: '{n} {n:second|seconds}' },
  minute: { id: '{n} menit', en: '{n} {n:minute|minutes}' },
  hour: { id: '{n} jam', en: '{n} {n:hour|hours}' },
  day: { id: '{n} hari', en: '{n} {n:day|days}' },
} as const satisfies Record<string, Sentence>;

const day = 1_440;

/** Minutes as people say them: whole hours from two on, whole days from two on. */
export const minutesInWords = (minutes: number): Sentence => {
  if (minutes >= 2 * day && minutes % day === 0) return say(units.day, { n: minutes / day });
  if (minutes >= 120 && minutes % 60 === 0) return say(units.hour, { n: minutes / 60 });
  return say(units.minute, { n: minutes });
};

/** Days as people say them. */
export const daysInWords = (days: number): Sentence => say(units.day, { n: days });

/** Seconds as people wait for them: from two minutes on in minutes, rounded up. */
export const secondsInWords = (seconds: number): Sentence =>
  seconds > 120 ? minutesInWords(Math.ceil(seconds / 60)) : say(units.second, { n: seconds });

const locales = { id: 'id-ID', en: 'en-GB' } as const;

/** A date of the clinic's calendar, YYYY-MM-DD, as people write it. */
export const dateInWords = (date: string): Sentence => {
  const noon = new Date(`${date}T12:00:00Z`);
  const inWords = (language: keyof Sentence) =>
    new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(noon);
  return { id: inWords('id'), en: inWords('en') };
};

/** A wall-clock time, HH:MM:SS, as people write it. */
export const timeInWords = (time: string): Sentence => {
  const short = time.slice(0, 5);
  return { id: `pukul ${short.replace(':', '.')}`, en: short };
};
