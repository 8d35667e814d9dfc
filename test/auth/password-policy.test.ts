import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCommonPassword as isCommon } from '#test-common-passwords';
import { passwordProblem } from '../../src/modules/auth/passwords/policy.ts';

const person = { minLength: 8, email: 'budi.santoso@example.com', name: 'Budi Santoso', isCommon };
const problem = (password: string, minLength = 8) => passwordProblem(password, { ...person, minLength });

describe('the policy for new passwords', () => {
  it.each([
    ['tujuh 7', 'too_short'],
    ['delapan8', null],
    ['😀'.repeat(7), 'too_short'],
    ['😀'.repeat(8), null],
    ['é'.normalize('NFD').repeat(7), 'too_short'],
    ['😀'.repeat(128), null],
    ['😀'.repeat(129), 'too_long'],
    ['e\u0301'.repeat(128), null],
    ['a lone \uD83D half', 'malformed'],
    ['nul\0inside it', 'malformed'],
    ['password1', 'common'],
    ['iloveyou', 'common'],
    ['12345678', 'common'],
    ['00000000', 'common'],
    ['PassWord1', 'common'],
    ['ｐａｓｓｗｏｒｄ', 'common'],
    ['bismillah', 'common'],
    ['Rahasia123', 'common'],
    ['janji123', 'common'],
    ['Budi.Santoso@Example.com', 'same_as_email'],
    [' budi.santoso ', 'same_as_email'],
    ['BUDI SANTOSO ', 'same_as_name'],
    ['budi santoso suka nasi', null],
  ])('judges %j: %s', (password, verdict) => {
    expect(problem(password)).toBe(verdict);
  });

  it('does not normalise what is far too long', () => {
    expect(problem(`a${'\u0301\u0327'.repeat(5_000)}`)).toBe('too_long');
    expect(problem('\u1F80'.normalize('NFD').repeat(128))).toBe(null);
  });

  it('lets the setting raise the least length, and never lower it', () => {
    expect(problem('sebelas 11!', 12)).toBe('too_short');
    expect(problem('dua belas 12', 12)).toBe(null);
    expect(problem('tujuh 7', 1)).toBe('too_short');
  });

  it('knows nothing common that is too short to matter', () => {
    for (const short of ['', '123456', 'qwerty', 'abc123']) expect(isCommon(short)).toBe(false);
  });

  it('gives one password one verdict in every composed form, and never throws', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(text, text, text, fc.nat(200), (password, email, name, minLength) => {
        const verdict = passwordProblem(password, { minLength, email, name, isCommon });
        for (const form of ['NFC', 'NFD', 'NFKC'] as const)
          expect(passwordProblem(password.normalize(form), { minLength, email, name, isCommon })).toBe(
            verdict,
          );
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ max: 0xffff }).map((c) => String.fromCharCode(c)) }),
        (password) => {
          if (!password.isWellFormed()) expect(problem(password)).toBe('malformed');
        },
      ),
    );
  });
});
