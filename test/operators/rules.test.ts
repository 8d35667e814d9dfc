import { describe, expect, it } from 'vitest';
import {
  endOfLogin,
  idleMs,
  longestMs,
  mostAttempts,
  secondsToWait,
  windowMs,
} from '../../src/modules/operators/rules.ts';
import { clinicChangeShape, parseBy } from '../../src/modules/operators/shapes.ts';

it('a change of settings refuses a name that cannot be kept', () => {
  // As a text, since the literal would set the prototype.
  for (const settings of ['{"__proto__":"x"}', '{"__proto__":null,"MAIL_FROM":"a@b.example"}'])
    expect(() => parseBy(clinicChangeShape(), { settings: JSON.parse(settings) })).toThrow(
      'validation_failed',
    );
  const settings = { MAIL_FROM: null, CORS_ORIGINS: 'x' };
  expect(parseBy(clinicChangeShape(), { settings })).toEqual({ settings });
});

describe('the login of an operator', () => {
  it('ends half an hour after its last use, and eight hours after it began at the latest', () => {
    expect(endOfLogin({ createdAt: 0, usedAt: 0 })).toBe(idleMs);
    expect(endOfLogin({ createdAt: 0, usedAt: longestMs - 1 })).toBe(longestMs);
  });

  it('may be tried so often in a quarter of an hour, by account, network and both', () => {
    const until = windowMs;
    for (const scope of ['pair', 'account', 'network'] as const) {
      const most = mostAttempts[scope];
      expect(secondsToWait([{ scope, count: most, until }], 0)).toBe(0);
      expect(secondsToWait([{ scope, count: most + 1, until }], 0)).toBe(windowMs / 1000);
    }
  });

  it('waits for the counter that is open last', () => {
    const counted = [
      { scope: 'pair', count: 9, until: 5_000 },
      { scope: 'account', count: 99, until: 9_000 },
      { scope: 'network', count: 1, until: 60_000 },
    ] as const;
    expect(secondsToWait(counted, 0)).toBe(9);
  });
});
