import type { TokenKeys } from '../../../core/crypto/token-keys.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { openText, sealText } from '../../auth/factors/sealed-text.ts';

/** The addresses below which an offer is answered without a login. */
export const offerPages = '/notices/offer';

/** The recipient of a link, the offer it answers, and the language of its pages. */
export interface OfferLink {
  bookingId: string;
  /** An account, or the record of a patient without one. */
  personId: string;
  language: Language;
}

/** The two addresses in a notice that answer its offer. They are valid as long as the offer. */
export const offerLinks = async (
  keys: TokenKeys,
  publicUrl: string,
  { bookingId, personId, language }: OfferLink,
) => {
  const token = await sealText(keys, 'offer-link', [bookingId, personId, language]);
  const address = `${publicUrl}${offerPages}/${token}`;
  return { accept: `${address}/accept`, decline: `${address}/decline` };
};

/** The content of the token in such an address; null for a token that this service did not make. */
export const readOfferLink = async (keys: TokenKeys, token: string): Promise<OfferLink | null> => {
  const [bookingId, personId, language] = (await openText(keys, 'offer-link', token)) ?? [];
  if (typeof bookingId !== 'string' || typeof personId !== 'string') return null;
  return { bookingId, personId, language: language === 'en' ? 'en' : 'id' };
};
