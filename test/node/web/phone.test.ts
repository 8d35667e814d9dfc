import { expect, it } from 'vitest';
import { bareNumber } from '../../../web/pasien/phone.ts';

it.each([
  ['0812-3456-7890', '81234567890'],
  ['+62 812 3456 7890', '81234567890'],
  ['+62 (0)812 3456 7890', '81234567890'],
  ['62812 3456 7890', '81234567890'],
  ['628123456789', '8123456789'],
  ['812 3456 7890', '81234567890'],
  ['0628 123 4567', '6281234567'],
  ['62 21 555 0123', '62215550123'],
])('%s of Indonesia is %s', (typed, bare) => {
  expect(bareNumber(typed, '62')).toBe(bare);
});

it('a number of another country keeps its digits', () => {
  expect(bareNumber('+65 6281 2345', '65')).toBe('62812345');
  expect(bareNumber('62812345678', '65')).toBe('62812345678');
});
