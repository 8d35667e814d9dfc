import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { name, nameOrEmpty } from '../../src/core/endpoint/fields.ts';

const accepts = (text: string): boolean => name().safeParse(text).success;

const unseen = [
  0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x202e, 0x2028,
  0x2029, 0x2060, 0x2066, 0x2800, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xe0001, 0xe0100,
].map((code) => String.fromCodePoint(code));

describe('a name', () => {
  it.each(unseen)('is not only %j, and does not contain it beside letters', (character) => {
    expect(accepts(character)).toBe(false);
    // White space at an end is trimmed, and the joiners of a script are tested below.
    const isTrimmed = character.trim() === '';
    for (const text of [`${character}Agus`, `Agus${character}`]) expect(accepts(text)).toBe(isTrimmed);
    expect(accepts(`Agus ${character}Salim`)).toBe(false);
    expect(nameOrEmpty().safeParse(character).success).toBe(isTrimmed);
  });

  it('may have the joiners of a script between two letters, and nowhere else', () => {
    for (const text of ['علی‌رضا', 'ക്‍ഷ', 'a\u200Db']) expect(accepts(text)).toBe(true);
    for (const text of ['\u200Ca', 'a\u200D', 'a\u200C b']) expect(accepts(text)).toBe(false);
  });

  it('has a letter or a digit', () => {
    for (const text of ['-', '…', '❤', "'", '́']) expect(accepts(text)).toBe(false);
    for (const text of ["Nur'aini", '7', '李', 'Ünal-Çelik', 'M. Nuh']) expect(accepts(text)).toBe(true);
  });

  it('of letters, digits and the marks of a script is accepted', () => {
    const letter = fc.constantFrom(...'aZé9ßñ李ひश्अعא');
    fc.assert(fc.property(fc.array(letter, { maxLength: 99 }), (all) => accepts(`a${all.join('')}`)));
  });

  it('that is accepted can be seen: what is left without invisible characters is the same', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const anywhere = fc.tuple(
      text,
      fc.constantFrom(...unseen.filter((each) => !/[\u200C\u200D]/.test(each))),
      text,
    );
    fc.assert(fc.property(anywhere, ([before, hidden, after]) => !accepts(`x${before}${hidden}${after}x`)));
  });
});
