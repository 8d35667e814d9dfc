import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { parseAccept } from 'hono/utils/accept';
import { type Language, languages } from '../endpoint/messages.ts';

const maxRemembered = 500;
const remembered = new Map<string, Language>();

const negotiate = (c: Context): Language =>
  accepts(c, {
    header: 'Accept-Language',
    supports: [...languages],
    default: 'id',
    match: (accepted, { default: fallback }) =>
      accepted
        .filter(({ q }) => q > 0)
        .sort((a, b) => b.q - a.q)
        // `in` is what Java and Android long called `id`.
        .map(({ type }) => type.toLowerCase().split('-')[0]?.replace(/^in$/, 'id'))
        .find((primary) => languages.includes(primary as Language)) ?? fallback,
  }) as Language;

/** The language of the answer by Accept-Language (RFC 9110, 12.5.4): Indonesian unless English is preferred. */
export const preferredLanguage = (c: Context): Language => {
  const header = c.req.header('accept-language');
  if (header === undefined) return 'id';
  let language = remembered.get(header);
  if (language === undefined) {
    language = negotiate(c);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(header, language);
  }
  return language;
};

/** The quality that an Accept header gives to a media type: its most specific entry counts (RFC 9110, 12.5.1). */
const findQuality = (accepted: ReturnType<typeof parseAccept>, type: string): number => {
  const forms = [type, `${type.split('/')[0]}/*`, '*/*'];
  const known = forms.flatMap((form) => accepted.filter((one) => one.type.toLowerCase() === form));
  return known[0]?.q ?? 0;
};

/** The media type of these that an Accept header prefers; the first one if it prefers none. */
export const preferredType = <const T extends string>(
  header: string | undefined,
  [first, ...others]: readonly [T, ...T[]],
): T => {
  if (header === undefined) return first;
  const accepted = parseAccept(header);
  return others.reduce(
    (best, type) => (findQuality(accepted, type) > findQuality(accepted, best) ? type : best),
    first,
  );
};
