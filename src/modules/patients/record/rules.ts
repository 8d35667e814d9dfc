// Pure: the limits of a patient's record, its search words, and the visible part of a number.

import { dayMs } from '../../../core/clinic/durations.ts';
import type { numberConfirmers } from '../../../core/tables/words.ts';

export const maxFamily = 10;
export const familyAdditionsSpanMs = 365 * dayMs;

/** The first and the last four characters, the others hidden. */
export const masked = (number: string): string =>
  `${number.slice(0, 4)}${'•'.repeat(Math.max(0, number.length - 8))}${number.slice(-4)}`;

const nationalIdForm = /^\d{16}$/;
const insuranceNumberForm = /^\d{13}$/;

/** A search term that is not a word: a complete national or insurance number. */
export const numberIn = (q: string): { nationalId: string } | { insuranceNumber: string } | null => {
  const digits = q.replaceAll(/[\s.-]/g, '');
  if (nationalIdForm.test(digits)) return { nationalId: digits };
  return insuranceNumberForm.test(digits) ? { insuranceNumber: digits } : null;
};

/** A name as it is compared: without case, accents, apostrophes, hyphens and blanks. */
const comparedName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

interface Looks {
  name: string;
  birthDate: string | null;
  /** With its country code; empty if none is known. */
  phone: string;
}

/** Which of name, phone number and date of birth are the same; null of one that either record lacks. */
const compared = (a: Looks, b: Looks): (boolean | null)[] => [
  comparedName(a.name) === comparedName(b.name),
  a.phone === '' || b.phone === '' ? null : a.phone === b.phone,
  a.birthDate === null || b.birthDate === null ? null : a.birthDate === b.birthDate,
];

/** Whether two records look like one patient: two of name, phone number and date of birth are the same. */
export const looksAlike = (a: Looks, b: Looks): boolean =>
  compared(a, b).filter((same) => same === true).length >= 2;

/** Whether two records have nothing in common: another name, and another phone number or date of birth. */
export const looksForeign = (a: Looks, b: Looks): boolean => {
  const known = compared(a, b).filter((same) => same !== null);
  return known.length >= 2 && known.every((same) => !same);
};

/** A value that similar records share, so that they are found without comparing each record with each. */
export const lookKeys = ({ name, birthDate, phone }: Looks): string[] => {
  const own = comparedName(name);
  return [
    birthDate !== null && `${own} ${birthDate}`,
    phone !== '' && `${own} ${phone}`,
    birthDate !== null && phone !== '' && `${birthDate} ${phone}`,
  ].filter((key) => key !== false);
};

interface Confirmation {
  numbersConfirmedAt: number | null;
  numbersConfirmedBy: (typeof numberConfirmers)[number] | null;
}

/** The numbers of a record are confirmed on somebody's word. */
export const confirmed = (by: (typeof numberConfirmers)[number], now: number): Confirmation => ({
  numbersConfirmedAt: now,
  numbersConfirmedBy: by,
});

export const unconfirmed: Confirmation = { numbersConfirmedAt: null, numbersConfirmedBy: null };

export const pickConfirmation = ({ numbersConfirmedAt, numbersConfirmedBy }: Confirmation): Confirmation => ({
  numbersConfirmedAt,
  numbersConfirmedBy,
});

/** A claim code is void after this many wrong dates of birth. */
export const maxClaimFailures = 5;
