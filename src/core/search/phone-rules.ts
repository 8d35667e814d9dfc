// Pure: a phone number as people write it, and the one form in which it is compared.

/** The country of nearly all numbers. */
export const homeCode = '62';

/** Blanks, dots, hyphens and brackets, which only make a number easier to read. */
const separators = /[\s().-]/g;

/** A mobile number of the home country with its country code but without the plus, as WhatsApp shows it: 62812…, or 62 0812… */
const homeWithCode = /^62(?=0?8\d{8,}$)/;

const twoDigitCodes = new Set(
  `20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66
  81 82 84 86 90 91 92 93 94 95 98`.split(/\s+/),
);

/** The country code with which the digits after a plus begin (ITU-T E.164). */
const codeIn = (digits: string): string => {
  if (/^[17]/.test(digits)) return digits.slice(0, 1);
  return twoDigitCodes.has(digits.slice(0, 2)) ? digits.slice(0, 2) : digits.slice(0, 3);
};

/** Without the separators between the digits; a leading plus stays. */
export const withoutSeparators = (typed: string): string => typed.replaceAll(separators, '');

/**
 * A number under its country code: digits as they were given, or those behind a plus and that code. Null where the plus
 * leads to another country.
 */
export const ownNumber = (number: string, countryCode: string): string | null => {
  const bare = withoutSeparators(number);
  if (!bare.startsWith('+')) return bare;
  return bare.startsWith(`+${countryCode}`) ? bare.slice(countryCode.length + 1) : null;
};

/** The input of one field, as country code and number; without a plus it is a number of `countryCode`. */
export const typedPhone = (typed: string, countryCode = homeCode): { code: string; number: string } => {
  // No country code begins with 0.
  const bare = withoutSeparators(typed)
    .replace(/^\+?00(?=62)/, '+')
    .replace(/^\+0/, '0');
  if (bare.startsWith('+')) {
    const code = bare.startsWith(`+${countryCode}`) ? countryCode : codeIn(bare.slice(1));
    return { code, number: bare.slice(1 + code.length).replace(/^0+/, '') };
  }
  const own = countryCode === homeCode ? bare.replace(homeWithCode, '').replace(/^0+/, '') : bare;
  return { code: countryCode, number: own };
};

/** The word by which a number is found and compared: country code and number in digits; empty without a number. */
export const phoneWord = (countryCode: string, number: string): string => {
  const own = ownNumber(number, countryCode) ?? number.replaceAll(/\D/g, '');
  const bare = countryCode === homeCode ? own.replace(homeWithCode, '') : own;
  const significant = bare.replace(/^0+/, '');
  return significant === '' ? '' : countryCode + significant;
};

/** The word by which the numbers of two records are compared: one without a country code is of the home country. */
export const comparedPhone = (countryCode: string, number: string): string =>
  phoneWord(countryCode || homeCode, number);

/** The search words of the records with a number, as it is compared: of those without a country code, the number alone. */
export const phoneSearchWords = (compared: string): string[] => {
  const words = compared.startsWith(homeCode) ? [compared, compared.slice(homeCode.length)] : [compared];
  return words.filter((word) => word !== '');
};

/** A number as it is dialled in the home country: 0812…, and one of another country with its code; empty without a number. */
export const dialledPhone = (countryCode: string, number: string): string => {
  const word = phoneWord(countryCode, number);
  return countryCode === homeCode && word !== '' ? `0${word.slice(homeCode.length)}` : word;
};

/** The numbers of the home country that take messages: mobile ones. */
const homeMobile = /^628\d{8,11}$/;
const internationalNumber = /^[1-9]\d{6,14}$/;

/** A typed number to which a code can be sent: its country code, and the one form in which numbers are compared; null if it is none. */
export const reachablePhone = (typed: string): { code: string; number: string; word: string } | null => {
  const { code, number } = typedPhone(typed);
  const word = phoneWord(code, number);
  const isOne = /^\d+$/.test(number) && (code === homeCode ? homeMobile : internationalNumber).test(word);
  // Of the word: 0062812… and +62 62812… have the country code twice.
  return isOne ? { code, number: word.slice(code.length), word } : null;
};
