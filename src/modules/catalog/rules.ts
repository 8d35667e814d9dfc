// Pure: the validity of a weekly schedule or a closure on its own.

import { parseLocalTime } from '../../core/clinic/local-time.ts';
import type { FieldIssue } from '../../core/endpoint/field-sentences.ts';

interface Hours {
  startTime: string;
  endTime: string;
  slotMinutes: number;
  validFrom: string | null;
  validUntil: string | null;
}

/** The problems of a weekly schedule; empty if it is valid. */
export const scheduleIssues = (hours: Hours): FieldIssue[] => {
  const issues: FieldIssue[] = [];
  const length = (parseLocalTime(hours.endTime) ?? 0) - (parseLocalTime(hours.startTime) ?? 0);
  if (length <= 0) issues.push({ path: 'end_time', rule: 'order', limit: 'start_time' });
  else if (hours.slotMinutes > length) issues.push({ path: 'slot_minutes', rule: 'too_big', limit: length });
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
