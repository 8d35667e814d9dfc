import { describe, expect, it } from 'vitest';
import { zoneAtNine } from '../../browser/support/clinic.ts';

describe('the clinic of the browser scenarios', () => {
  it('has its morning before it at whatever minute they are played', () => {
    const times = Array.from({ length: 24 * 60 }, (_, minute) => {
      const now = new Date(Date.UTC(2026, 10, 22, 0, minute));
      return new Intl.DateTimeFormat('en-GB', { timeZone: zoneAtNine(now), timeStyle: 'short' }).format(now);
    });
    expect(times.reduce((one, other) => (one < other ? one : other))).toBe('08:45');
    expect(times.reduce((one, other) => (one > other ? one : other))).toBe('09:44');
  });
});
