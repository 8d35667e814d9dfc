import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Language } from '../messages.ts';

const supports: readonly Language[] = ['id', 'en'];

/** The language of the answer by Accept-Language (RFC 9110, 12.5.4): Indonesian unless English is preferred. */
export const preferredLanguage = (c: Context): Language => {
  if (c.req.header('Accept-Language') === undefined) return 'id';
  const match = accepts(c, {
    header: 'Accept-Language',
    supports: [...supports],
    default: 'id',
    match: (accepted, { default: fallback }) =>
      accepted
        .filter(({ q }) => q > 0)
        .sort((a, b) => b.q - a.q)
        .map(({ type }) => type.toLowerCase().split('-')[0])
        .find((primary) => supports.includes(primary as Language)) ?? fallback,
  });
  return match as Language;
};
