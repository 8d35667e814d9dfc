import type { Heard } from '../../../core/mailer.ts';
import type { ExchangeReason } from '../../../core/tables/words.ts';
import type { Claimed } from './queries.ts';

/** What became of an attempt. */
export type Verdict =
  /** The other system has it. Its id there is stored with the booking. */
  | { is: 'done'; exchangeCode?: string; encounterId?: string }
  /** The other system did not have the visit yet, and has it now: the step itself is sent next. */
  | { is: 'joined'; exchangeCode?: string; encounterId?: string }
  /** It is of no use any more. */
  | { is: 'dropped'; why: 'old' | 'closed' | 'left' | 'not_theirs' | 'erased' }
  /** Another attempt may end otherwise; `at` is a later instant to report, `answer` what the other system said. */
  | { is: 'again'; reason: ExchangeReason; heard?: Heard; at?: number; answer?: string }
  /** A person has to act. */
  | { is: 'parked'; reason: ExchangeReason; answer?: string }
  /** The other system accepts nothing from the clinic at present, for a reason that does not concern this step. */
  | { is: 'rest'; reason: ExchangeReason; heard?: Heard }
  /** The token was refused: the step is sent again with a new one. */
  | { is: 'renew' };

/** What all processes know of a target, as read at the beginning of a round. */
export interface TargetState {
  token: string | null;
  tokenUntil: number | null;
  tokenFailedAt: number | null;
  restUntil: number | null;
  restReason: ExchangeReason | null;
}

export interface Attempted {
  row: Claimed;
  verdict: Verdict;
}

/** The verdict if a health system did not answer, or answered with a server error. */
export const noAnswer = (heard?: Heard): Verdict => ({
  is: 'again',
  reason: 'no_answer',
  ...(heard !== undefined && { heard }),
});
