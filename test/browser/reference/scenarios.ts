import type { Scenario } from '../support/stage.ts';
import { booked } from './booked.ts';
import { passkey } from './passkeys.ts';

/** The reference at /docs, and what a page of one's own can do from there. */
export const reference: readonly Scenario[] = [booked, passkey];
