import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/core/settings/config.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { deliveryStates } from '../../src/core/tables/words.ts';
import { glossary } from '../../src/interface/reference/glossary.ts';
import { transitions } from '../../src/modules/booking/record/rules.ts';

const text = readFileSync('docs/glossary.md', 'utf8');
const rows = [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)]
  .map(([, word = '', indonesian = '', meaning = '']) => ({ word, indonesian, meaning }))
  .filter(({ word }) => word !== 'word');

const fields = Object.keys(glossary);
const states = [
  ...bookings.status.enumValues,
  ...users.role.enumValues,
  ...deliveryStates,
  ...transitions.map(({ by }) => by),
];

describe('the glossary', () => {
  it('explains each word once, in a line, with Indonesian beside it', () => {
    expect(rows.length).toBeGreaterThan(40);
    const words = rows.flatMap(({ word }) => word.split(', '));
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
    expect(rows.filter(({ meaning }) => !/\.$/.test(meaning))).toEqual([]);
  });

  it('names fields, states and settings that exist', () => {
    const named = [...text.matchAll(/`([a-z][a-z_]*|[A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(20);
    const known = new Set([...fields, ...states, ...Object.keys(parseConfig({})), 'code']);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('explains every state of a booking, every verb and every role', () => {
    const expected = [
      ...bookings.status.enumValues.map((status) => `\`${status}\``),
      ...users.role.enumValues.map((role) => `\`${role}\``),
      ...new Set(transitions.map(({ verb }) => verb)),
    ];
    expect(expected.filter((name) => !text.includes(name))).toEqual([]);
  });
});
