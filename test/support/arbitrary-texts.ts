import * as fc from 'fast-check';
import type { Draft } from './arbitraries.ts';

export const value = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Draft> =>
  arbitrary.map((made) => ({ value: made }));

export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '\r\n',
    "' or 1=1 --",
    '%E0%A4',
    '__proto__',
    '1e999',
    '٣',
    '\u202e',
  ),
);
/** Any text that a database may hold: a request with NUL or half of a surrogate pair is refused. */
export const storedText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '"',
      '\\',
      '\b\f\n\r\t',
      '\u001f\u007f',
      '\u2028\u2029',
      '</script>',
      '👩‍⚕️',
      '{"id":"',
      '],[',
    ),
  )
  .map((given) => given.replaceAll('\0', '').toWellFormed());

export const anything = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.integer(),
  fc.bigInt().map(String),
);
