import type { TokenKeys } from '../../../core/crypto/token-keys.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { openText, sealText } from '../../auth/factors/sealed-text.ts';

/** The addresses below which a reminder is answered without a login. */
export const visitPages = '/notices/visit';

/** The recipient of a link, the visit that it is about, and the language of its pages. */
export interface VisitLink {
  bookingId: string;
  /** An account, or the record of a patient without one. */
  personId: string;
  language: Language;
  /** By the clinic's clock: a link is for this time alone, and void once the visit is moved to another. */
  scheduleDate: string;
  scheduleTime: string;
}

/**
 * The two addresses in a reminder that answer whether the patient comes: sealed, stored nowhere, and good until one of
 * them was answered, the visit was moved or canceled, or it begins.
 */
export const visitLinks = async (
  keys: TokenKeys,
  publicUrl: string,
  { bookingId, personId, language, scheduleDate, scheduleTime }: VisitLink,
) => {
  const values = [bookingId, personId, language, scheduleDate, scheduleTime];
  const address = `${publicUrl}${visitPages}/${await sealText(keys, 'visit-link', values)}`;
  return { confirm: `${address}/confirm`, cancel: `${address}/cancel` };
};

/** The content of the token in such an address; null for a token that this service did not make. */
export const readVisitLink = async (keys: TokenKeys, token: string): Promise<VisitLink | null> => {
  const values = (await openText(keys, 'visit-link', token)) ?? [];
  const [bookingId, personId, language, scheduleDate, scheduleTime] = values.map(String);
  if (scheduleTime === undefined) return null;
  return {
    bookingId: bookingId ?? '',
    personId: personId ?? '',
    language: language === 'en' ? 'en' : 'id',
    scheduleDate: scheduleDate ?? '',
    scheduleTime,
  };
};
