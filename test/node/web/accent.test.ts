import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { accentTokens } from '../../../web/shared/accent-tokens.ts';
import { contrast } from '../../support/node/contrast.ts';

const grounds = {
  light: ['#f6f8f7', '#ffffff', '#ecf0ee'],
  dark: ['#0e1513', '#151e1b', '#0a100e'],
} as const;

it.each(['light', 'dark'] as const)('whatever a clinic chooses can be read in the %s theme', (theme) => {
  const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(anyColour, (colour) => {
      const tokens = accentTokens(colour, theme === 'dark');
      const of = (name: string) => tokens[name] ?? '';
      for (const ground of grounds[theme])
        expect(contrast(of('--primary'), ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(of('--on-primary'), of('--primary'))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(of('--on-tint'), of('--tint'))).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 2_000 },
  );
});

it('a colour that is dark enough stays as it is', () => {
  expect(accentTokens('#0b3d6a', false)['--primary']).toBe('#0b3d6a');
});
