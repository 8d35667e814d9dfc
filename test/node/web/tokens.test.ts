import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast } from '../../support/node/contrast.ts';

const css = readFileSync('web/shared/tokens.css', 'utf8');
const block = (form: RegExp): Record<string, string> =>
  Object.fromEntries(
    [...(form.exec(css)?.[1] ?? '').matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, hex]) => [
      name,
      hex,
    ]),
  );

const light = block(/^:root \{([\s\S]*?)\n\}/m);
const bySystem = block(/prefers-color-scheme: dark\) \{\s*:root[^{]*\{([\s\S]*?)\n {2}\}/);
const byChoice = block(/^ {2}:root\[data-theme="dark"\] \{([\s\S]*?)\n {2}\}/m);

const states = ['waiting', 'approved', 'here', 'called', 'done', 'absent', 'ended'];
const texts: [text: string, ground: string][] = [
  ...['ink', 'ink-2', 'ink-3', 'primary', 'danger'].flatMap((text): [string, string][] => [
    [text, 'ground'],
    [text, 'surface'],
    [text, 'sunken'],
  ]),
  ['on-primary', 'primary'],
  ['on-tint', 'tint'],
  ...states.map((state): [string, string] => [`on-${state}`, state]),
];

describe.each([
  ['light', light],
  ['dark', bySystem],
] as const)('in the %s theme', (_name, tokens) => {
  it.each(texts)('%s is read on %s', (text, ground) =>
    expect(contrast(tokens[text] ?? '', tokens[ground] ?? '')).toBeGreaterThanOrEqual(4.5),
  );

  it('edges of controls and the ring of the focus are seen', () => {
    for (const edge of ['edge', 'focus'])
      expect(contrast(tokens[edge] ?? '', tokens.surface ?? '')).toBeGreaterThanOrEqual(3);
  });
});

it('dark is the same by the system and by choice', () => {
  expect(Object.keys(light).length).toBeGreaterThan(25);
  expect(byChoice).toEqual(bySystem);
  expect(Object.keys(bySystem)).toEqual(Object.keys(light));
});
