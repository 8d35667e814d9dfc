import { hourMs } from '../../../core/clinic/durations.ts';

/** How long a code links a record, in milliseconds: 48 hours. */
export const claimCodeTtlMs = 48 * hourMs;

/** A code as somebody typed it: in capitals, without the spaces and hyphens that people put into it. */
export const typedClaimCode = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();
