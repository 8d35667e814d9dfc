import { clockTime } from '../../shared/time.ts';
import { today } from '../data/clinic.ts';
import type { Entry } from '../data/waitlist.ts';
import { shortDate } from '../ui/when.ts';
import { further } from '../words/follow-up.ts';

const formatHours = ({ earliest_time: from, latest_time: to }: Entry): string => {
  const text = further.value.waitlist;
  if (from !== null && to !== null) return text.between(clockTime(from), clockTime(to));
  if (from !== null) return text.notBefore(clockTime(from));
  return to === null ? '' : text.notAfter(clockTime(to));
};

/** The wishes of an entry in addition to the session: doctor, days, and hours. */
export const formatWish = (entry: Entry): string => {
  const text = further.value.waitlist;
  const dates = text.dates(shortDate(entry.from, today()), shortDate(entry.to, today()));
  return [entry.doctor_name ?? text.any, dates, formatHours(entry)].filter(Boolean).join(' · ');
};
