import { minuteMs } from '../../../core/clinic/durations.ts';

/** How long a code proves the e-mail it was mailed to, in milliseconds: 30 minutes. */
export const emailCodeTtlMs = 30 * minuteMs;

/** A code becomes invalid after this many wrong tries. */
export const maxCodeFailures = 5;

const codeDigits = 8;

/** A code of eight digits from the first six of some random bytes. */
export const codeFrom = (bytes: Uint8Array): string => {
  const number = bytes.slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0);
  return String(number % 10 ** codeDigits).padStart(codeDigits, '0');
};

/** A code as somebody typed it, without the spaces and hyphens that people put between digits. */
export const typedCode = (text: string): string => text.replaceAll(/[\s-]/g, '');
