import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Language } from '../endpoint/messages.ts';

const supports: readonly Language[] = ['id', 'en'];

const maxRemembered = 500;
const remembered = new Map<string, Language>();

const negotiate = (c: Context): Language =>
  accepts(c, {
    header: 'Accept-Language',
    supports: [...supports],
    default: 'id',
    match: (accepted, { default: fallback }) =>
      accepted
        .filter(({ q }) => q > 0)
        .sort((a, b) => b.q - a.q)
        // `in` is what Java and Android long called `id`.
        .map(({ type }) => type.toLowerCase().split('-')[0]?.replace(/^in$/, 'id'))
        .find((primary) => supports.includes(primary as Language)) ?? fallback,
  }) as Language;

/** The language of the answer by Accept-Language (RFC 9110, 12.5.4): Indonesian unless English is preferred. */
export const preferredLanguage = (c: Context): Language => {
  const header = c.req.header('Accept-Language');
  if (header === undefined) return 'id';
  let language = remembered.get(header);
  if (language === undefined) {
    language = negotiate(c);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(header, language);
  }
  return language;
};
