import type { IsCommonPassword } from '../../../core/deps.ts';

// The list is common-passwords.txt: the 10,000 most common passwords of at least 8 characters, those that earlier lists had,
// and 13 local ones; written by scripts/common-passwords.ts. Sources: zxcvbn-ts (MIT, (c) Dropbox and the zxcvbn-ts authors),
// and before it Django 5.2 (BSD-3-Clause, (c) Django Software Foundation and contributors), from Royce Williams's ranking of
// Have I Been Pwned. Sorted; each word without the characters that it shares with the one before it, whose number it begins
// with. Each line begins with a whole word, so that a look-up reads one line and no set of them all is held in memory.

/** The words of a line in full. */
const unpackLine = (line: string): string[] => {
  let word = '';
  return line.split(' ').map((packed) => {
    word = word.slice(0, Number(packed[0])) + packed.slice(1);
    return word;
  });
};

const splitLines = (list: string): string[] => list.trim().split('\n');

/** Makes the look-up of the list's text. */
export const commonPasswordsIn = (list: string): IsCommonPassword => {
  const lines = splitLines(list);
  return (folded) => {
    const line = lines.findLast((one) => one.slice(1, one.indexOf(' ')) <= folded);
    return line !== undefined && unpackLine(line).includes(folded);
  };
};

/** Every word of the list's text. */
export const allCommonPasswords = (list: string): string[] => splitLines(list).flatMap(unpackLine);
