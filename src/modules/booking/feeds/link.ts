import type { TokenKeys } from '../../../core/crypto/token-keys.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { openText, sealText } from '../../auth/factors/sealed-text.ts';

/** How long a link to one calendar file is valid, in milliseconds. */
const linkTtlMs = 600_000;

/** A signed link to the calendar file of a booking: which one, until when, in which language and for whom. */
export const newLink = async (
  keys: TokenKeys,
  { bookingId, language, userId }: { bookingId: string; language: Language; userId: string },
  now: number,
) => {
  const expiresAt = now + linkTtlMs;
  return {
    token: await sealText(keys, 'calendar-link', [bookingId, expiresAt, language, userId]),
    expiresAt,
  };
};

/** The booking that a link opens, in which language and for whom; null for a text that is none, is not ours or has ended. */
export const linkedBooking = async (keys: TokenKeys, token: string, now: number) => {
  const [id, expiresAt, language, userId = ''] = (await openText(keys, 'calendar-link', token)) ?? [];
  if (typeof id !== 'string' || Number(expiresAt) <= now) return null;
  return { id, userId: String(userId), language: language === 'en' ? ('en' as const) : ('id' as const) };
};
