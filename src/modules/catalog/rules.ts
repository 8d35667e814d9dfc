// Pure: the validity of a weekly schedule or a closure on its own.

import { parseLocalTime } from '../../core/clinic/local-time.ts';
import type { FieldIssue } from '../../core/endpoint/field-sentences.ts';

interface Hours {
  startTime: string;
  endTime: string;
  slotMinutes: number;
  validFrom: string | null;
  validUntil: string | null;
  everyWeeks: number;
  breakStart: string | null;
  breakEnd: string | null;
}

const minutesBetween = (from: string, until: string): number =>
  (parseLocalTime(until) ?? 0) - (parseLocalTime(from) ?? 0);

/** The problems of a break; it lies inside of the hours, and has both ends or neither. */
const breakIssues = ({ startTime, endTime, breakStart, breakEnd }: Hours): FieldIssue[] => {
  if (breakStart === null && breakEnd === null) return [];
  if (breakStart === null) return [{ path: 'break_start', rule: 'required' }];
  if (breakEnd === null) return [{ path: 'break_end', rule: 'required' }];
  if (breakStart <= startTime) return [{ path: 'break_start', rule: 'order', limit: 'start_time' }];
  if (breakEnd <= breakStart) return [{ path: 'break_end', rule: 'order', limit: 'break_start' }];
  return breakEnd < endTime ? [] : [{ path: 'end_time', rule: 'order', limit: 'break_end' }];
};

/** The problems of a weekly schedule; empty if it is valid. */
export const scheduleIssues = (hours: Hours): FieldIssue[] => {
  const issues: FieldIssue[] = breakIssues(hours);
  const whole = minutesBetween(hours.startTime, hours.endTime);
  const length =
    hours.breakStart === null || hours.breakEnd === null || issues.length > 0
      ? whole
      : Math.max(
          minutesBetween(hours.startTime, hours.breakStart),
          minutesBetween(hours.breakEnd, hours.endTime),
        );
  if (whole <= 0) issues.push({ path: 'end_time', rule: 'order', limit: 'start_time' });
  else if (hours.slotMinutes > length) issues.push({ path: 'slot_minutes', rule: 'too_big', limit: length });
  if (hours.everyWeeks > 1 && hours.validFrom === null) issues.push({ path: 'valid_from', rule: 'required' });
  if (hours.validFrom !== null && hours.validUntil !== null && hours.validUntil < hours.validFrom)
    issues.push({ path: 'valid_until', rule: 'not_before', limit: 'valid_from' });
  return issues;
};

interface Span {
  startDate: string;
  endDate: string;
  startTime: string | null;
  endTime: string | null;
}

/** The problems of a closure; empty if it is valid. */
export const closureIssues = ({ startDate, endDate, startTime, endTime }: Span): FieldIssue[] => {
  const issues: FieldIssue[] = [];
  if (endDate < startDate) issues.push({ path: 'end_date', rule: 'not_before', limit: 'start_date' });
  if (startTime === null && endTime !== null) issues.push({ path: 'start_time', rule: 'required' });
  if (startTime !== null && endTime === null) issues.push({ path: 'end_time', rule: 'required' });
  if (startTime !== null && endTime !== null && endTime <= startTime)
    issues.push({ path: 'end_time', rule: 'order', limit: 'start_time' });
  return issues;
};
