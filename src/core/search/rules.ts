// Pure: the words by which a person is found. SQLite folds ASCII letters only, so folding happens here.

import { homeCode, phoneWord, withoutSeparators } from './phone-rules.ts';

const maxTerms = 8;

/** Every character that people type for an apostrophe; some count as letters, and some fold to a blank. */
const apostrophes = /['`´ʹʻʼʽ‘’‛′＇]/gu;

const fold = (text: string): string =>
  text.replaceAll(apostrophes, "'").normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** An e-mail stays whole; other text is split at every character that is neither a letter nor a digit. */
const split = (part: string): string[] => (part.includes('@') ? [part] : part.split(/[^\p{L}\p{N}]+/u));

const splitWords = (text: string): string[] => fold(text).split(/\s+/);

/** The words of a text, and those with an apostrophe or a hyphen without it as well: nur, aini and nuraini. */
const wordsIn = (text: string): string[] =>
  splitWords(text)
    .flatMap((part) => [...split(part), ...split(part.replaceAll(/['-]/g, ''))])
    .filter(Boolean);

/** The words that are looked for: an apostrophe may be typed or not, and what a hyphen joins may be two names. */
const wordsSoughtIn = (text: string): string[] =>
  splitWords(text)
    .flatMap((part) => split(part.replaceAll("'", '')))
    .filter(Boolean);

const phoneForm = /^\+?[\d\s().-]*\d[\d\s().-]*$/;

const withoutTrunk = (digits: string): string => digits.replace(/^0+/, '');

/** The search words of a text, each once. */
export const textWords = (text: string): string[] => [...new Set(wordsIn(text))];

interface Findable {
  name: string;
  email: string | null;
  phoneNumber: string;
  phoneCountryCode: string;
  birthDate?: string | null;
}

/**
 * A person's search words: each word of the name, the e-mail, the phone number, and the digits of the date of birth. A
 * number of another country has two, without its code as well.
 */
export const personWords = (person: Findable): string[] => {
  const { name, email, phoneNumber, phoneCountryCode, birthDate } = person;
  const number = withoutTrunk(withoutSeparators(phoneNumber));
  const whole = phoneWord(phoneCountryCode, phoneNumber);
  const numbers = phoneCountryCode === homeCode ? [whole] : [number, whole];
  const born = birthDate == null ? [] : [birthDate.replaceAll('-', '')];
  return [
    ...new Set([
      ...wordsIn(name),
      ...(email === null ? [] : [fold(email)]),
      ...(number === '' ? [] : numbers),
      ...born,
    ]),
  ];
};

const dayFirst = /^(\d{2})[-./](\d{2})[-./](\d{4})$/;

/** The typed text as word prefixes that must all be found; the longest comes first, because it finds the fewest. */
const parseTerms = (typed: string): string[] => {
  // 23-04-2019 is how people write a date of birth.
  const text = typed.trim().replace(dayFirst, '$3$2$1');
  if (phoneForm.test(text)) return [withoutTrunk(text.replaceAll(/\D/g, '')) || '0'];
  return [...new Set(wordsSoughtIn(text))].sort((a, b) => b.length - a.length).slice(0, maxTerms);
};

/** How a word that is looked for may begin: as it was typed, and digits also with the country code that was left out. */
const listBeginnings = (term: string): [string, string?] => {
  const whole = homeCode + term;
  return /^\d+$/.test(term) && !whole.startsWith(term) ? [term, whole] : [term];
};

/** The typed text as the statements of a search take it: the beginnings of the first term, and those of all. */
export const soughtIn = (typed: string) => {
  const terms = parseTerms(typed).map(listBeginnings);
  const [[term, whole = null] = ['']] = terms;
  return { term, whole, terms: JSON.stringify(terms) };
};
