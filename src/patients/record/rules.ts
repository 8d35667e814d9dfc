// Pure: what a patient's record may hold, by what it is found, and how much of a number is shown.

export const maxFamily = 10;
export const familyAdditionsSpanMs = 365 * 86_400_000;

/** The first and the last four characters, the others hidden. */
export const masked = (number: string): string =>
  `${number.slice(0, 4)}${'•'.repeat(Math.max(0, number.length - 8))}${number.slice(-4)}`;

/** Whether a date of birth can be true on a day. */
export const isBirthDate = (birthDate: string, today: string): boolean =>
  birthDate <= today && birthDate >= '1900-01-01';

const nationalIdForm = /^\d{16}$/;
const insuranceNumberForm = /^\d{13}$/;

/** What a search names beside words: a whole national or insurance number. */
export const numberIn = (q: string): { nationalId: string } | { insuranceNumber: string } | null => {
  const digits = q.replaceAll(/[\s.-]/g, '');
  if (nationalIdForm.test(digits)) return { nationalId: digits };
  return insuranceNumberForm.test(digits) ? { insuranceNumber: digits } : null;
};

export type Relation = 'child' | 'spouse' | 'parent' | 'sibling' | 'other';

/** A claim code is void after this many wrong dates of birth. */
export const maxClaimFailures = 5;
