import { Failure } from '../endpoint/errors.ts';
import type { ClinicTime } from './time.ts';

interface Range {
  from: string;
  to: string;
}

type Refusal = 'invalid_query' | 'validation_failed';

const wrongEnd = (code: Refusal, rule: 'not_before' | 'range_days', limit: string | number) =>
  new Failure(code, { issues: [{ path: 'to', rule, limit }] });

/** Throws unless a range of dates ends on its first day or later; `named` is what the refusal calls that day. */
export const assertDatesInOrder = (code: Refusal, { from, to }: Range, named = 'from'): void => {
  if (to < from) throw wrongEnd(code, 'not_before', named);
};

/** Throws unless a range of dates is in order and within the maximum number of days. */
export const assertDateRange = (
  clinicTime: Pick<ClinicTime, 'addDays'>,
  code: Refusal,
  range: Range,
  longestDays: number,
  named?: string,
): void => {
  assertDatesInOrder(code, range, named);
  // Counted back from its end: forward, the last dates of all would be one.
  if (clinicTime.addDays(range.to, 1 - longestDays) > range.from)
    throw wrongEnd(code, 'range_days', longestDays);
};
