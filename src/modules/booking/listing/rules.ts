// Pure: the filters of the clinic's lists, in the terms of the API.

import { type BookingStatus, bookingStatuses, visitStatuses } from '../../../core/tables/words.ts';

/** The progress of the visit of a live booking. */
export const listedVisits = ['expected', ...visitStatuses] as const;

export const longestListDays = 92;

/** Whether the patients whom a reminder asked have said that they come. */
export const confirmations = ['unanswered', 'confirmed'] as const;

type Counted = BookingStatus | (typeof listedVisits)[number] | 'unanswered';
export type Counts = Record<Counted, number>;

export const noCounts = Object.fromEntries(
  [...bookingStatuses, ...listedVisits, 'unanswered'].map((counted) => [counted, 0]),
) as Counts;

/** The digits of a phone number as it was typed, without leading zeros, which replace the country code. */
export const phoneDigits = (q: string): string => {
  const digits = q.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length >= 3 ? digits : '';
};
