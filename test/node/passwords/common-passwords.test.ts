import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import {
  allCommonPasswords,
  commonPasswordsIn,
} from '../../../src/modules/auth/passwords/common-passwords.ts';
import { passwordProblem } from '../../../src/modules/auth/passwords/policy.ts';
import { commonPasswordsFile } from '../../../src/runtime/node/common-passwords.ts';

const source = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json');
const text = readFileSync(commonPasswordsFile, 'utf8');
const isCommon = commonPasswordsIn(text);
const person = { minLength: 8, email: 'budi.santoso@example.com', name: 'Budi Santoso', isCommon };

it('refuses the 10,000 most common passwords of 8 characters and more, and every other of its list', () => {
  const ranked: string[] = JSON.parse(readFileSync(source, 'utf8'));
  const common = ranked.filter((word) => /^[!-~]{8,}$/.test(word) && !/[`\\]|\$\{/.test(word));
  const list = allCommonPasswords(text);
  expect(list.length).toBeGreaterThan(10_000);
  const taken = [...common.slice(0, 10_000), ...list].filter(
    (password) => passwordProblem(password, person) !== 'common',
  );
  expect(taken).toEqual([]);
});

it('keeps its list in the order that a look-up relies on, without a word twice', () => {
  const list = allCommonPasswords(text);
  expect(list).toEqual([...new Set(list)].sort());
});

it('takes what no list has, wherever it would be in the order', () => {
  for (const password of [
    '!!!!!!!!!',
    'budi santoso suka nasi',
    'zzzzzzzzzzzzz',
    '~~~~~~~~~~',
    'password1suka',
  ])
    expect(passwordProblem(password, person)).toBe(null);
});
