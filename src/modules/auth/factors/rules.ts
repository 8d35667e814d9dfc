import { minuteMs } from '../../../core/clinic/durations.ts';

/** How long a code of an authenticator app lasts, in seconds (RFC 6238). */
export const stepSeconds = 30;
export const codeDigits = 6;

/** How many steps a phone's clock may be off, either way. */
const driftSteps = 1;

/** How long the second step of a login may take, in milliseconds: 5 minutes. */
export const challengeTtlMs = 5 * minuteMs;

export const recoveryCodeCount = 10;

// Without letters and digits that people confuse when they copy a code by hand.
const alphabet = 'abcdefghjkmnpqrstvwxyz0123456789';

/**
 * A code of 120 bits from fifteen random bytes, in six groups: too many to guess, even for somebody who has its hash.
 */
export const recoveryCodeFrom = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.replaceAll(/.{5}/g, (five) => alphabet[Number.parseInt(five, 2)] ?? '');
  return letters.replaceAll(/(.{4})(?!$)/g, '$1-');
};

/** A code as somebody typed it: without spaces and hyphens, in lower case. */
export const typedFactorCode = (text: string): string => text.replaceAll(/[\s-]/g, '').toLowerCase();

/** The time steps whose code may be shown now, the present one first; none that is not after the newest used one. */
export const openSteps = (now: number, newestUsed: number): number[] => {
  const present = Math.floor(now / 1000 / stepSeconds);
  const steps = [present];
  for (let off = 1; off <= driftSteps; off++) steps.push(present - off, present + off);
  return steps.filter((step) => step > newestUsed);
};
