import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ownNumber, phoneWord, typedPhone } from '../../../src/core/search/phone-rules.ts';

it.each([
  ['0812-3456-7890', '81234567890'],
  ['(0812) 3456.7890', '81234567890'],
  ['+62 812 3456 7890', '81234567890'],
  ['+62 (0)812 3456 7890', '81234567890'],
  ['62812 3456 7890', '81234567890'],
  ['62 0812 3456 7890', '81234567890'],
  ['0062 812 3456 7890', '81234567890'],
  ['+0812 3456 7890', '81234567890'],
  ['628123456789', '8123456789'],
  ['812 3456 7890', '81234567890'],
  ['0628 123 4567', '6281234567'],
  ['62 21 555 0123', '62215550123'],
])('%s of Indonesia is %s', (typed, number) => {
  expect(typedPhone(typed)).toEqual({ code: '62', number });
});

it('a number of another country keeps its digits, and its country code', () => {
  expect(typedPhone('+65 9123 4567')).toEqual({ code: '65', number: '91234567' });
  expect(typedPhone('+1 (415) 555-0123')).toEqual({ code: '1', number: '4155550123' });
  expect(typedPhone('+852 2123 4567')).toEqual({ code: '852', number: '21234567' });
  expect(typedPhone('+65 6281 2345', '65')).toEqual({ code: '65', number: '62812345' });
  expect(typedPhone('62812345678', '65')).toEqual({ code: '65', number: '62812345678' });
});

it('a plus of another country than the code is distinguished from one of its own', () => {
  expect(ownNumber('+62 812-345', '62')).toBe('812345');
  expect(ownNumber('0812 345', '62')).toBe('0812345');
  expect(ownNumber('+65 9123 4567', '62')).toBeNull();
});

it('is one word, however it was written', () => {
  const digits = fc.stringMatching(/^8[0-9]{8,10}$/);
  fc.assert(
    fc.property(digits, (own) => {
      const forms = [
        own,
        `0${own}`,
        `62${own}`,
        `620${own}`,
        `+62${own}`,
        `(0${own.slice(0, 3)}) ${own.slice(3, 6)}-${own.slice(6)}`,
      ];
      expect(new Set(forms.map((form) => phoneWord('62', form)))).toEqual(new Set([`62${own}`]));
    }),
  );
});
