import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const text = readFileSync('docs/asvs.md', 'utf8');
const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| .+ \| (\w+) \| (.*) \| (.*) \|$/gm)].map(
  ([, id = '', , state = '', by = '', test = '']) => ({ id, state, by, test }),
);
const counted = (state: string) => rows.filter((row) => row.state === state).length;

it('goes through the requirements of ASVS once each, in words that count up', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const said =
    /Of (\d+) requirements (\d+) are met, (\d+) partly, (\d+) are not, (\d+) are the\s+operator's, and (\d+)/;
  const [all, yes, partly, no, operator, others] = (said.exec(text) ?? []).slice(1).map(Number);
  expect([yes, partly, no, operator]).toEqual(['yes', 'partly', 'no', 'operator'].map(counted));
  expect(all).toBe(rows.length + (others ?? 0));
});

it('names code or a document for what it calls met, and a reason for what is not', () => {
  const bare = rows.filter(({ state, by, test }) =>
    state === 'yes' ? !`${by}${test}`.includes('](') : by === '',
  );
  expect(bare).toEqual([]);
});
