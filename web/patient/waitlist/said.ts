import { clockTime, dateOf, dayAndMonth, nearDateWithin, timeOf, zoneName } from '../../shared/time.ts';
import { today } from '../clinic.ts';
import { otherName } from '../whose.ts';
import { words } from '../words/waitlist.ts';
import type { Entry, Offer } from './waitlist.ts';

/** "besok, Selasa, 24 November, 10.30 WIB" */
const formatWhen = ({ schedule_date, schedule_time, ends_at }: Offer): string =>
  `${nearDateWithin(schedule_date, today())}, ${clockTime(schedule_time)} ${zoneName(ends_at)}`;

/** "10.30 WIB", with its date where that is another one. */
export const formatUntil = ({ held_until }: Offer): string => {
  const date = dateOf(held_until);
  const time = `${timeOf(held_until)} ${zoneName(held_until)}`;
  return date === today() ? time : `${nearDateWithin(date, today())}, ${time}`;
};

/** "Poli Gigi · dokter mana saja" */
export const formatEntry = ({ session_name, doctor_name }: Entry): string =>
  `${session_name} · ${doctor_name ?? words.value.whichever}`;

const withName = (text: string, of: Entry): string => {
  const name = otherName(of);
  return name === null ? text : `${text} (${name})`;
};

/** The seat of an offer, and what an entry waits for: with the patient, where it is another one. */
export const formatSeat = (entry: Entry, offer: Offer): string => withName(formatWhen(offer), entry);
export const formatWish = (entry: Entry): string => withName(formatEntry(entry), entry);

/** The dates and hours that suit the patient. */
export const formatDates = ({ from, to, earliest_time, latest_time }: Entry): string => {
  const w = words.value;
  const [early, late] = [earliest_time && clockTime(earliest_time), latest_time && clockTime(latest_time)];
  const dates = from === to ? dayAndMonth(from) : w.between(dayAndMonth(from), dayAndMonth(to));
  const times =
    early && late ? w.timesBetween(early, late) : early ? w.timesFrom(early) : late && w.timesUntil(late);
  return times ? `${dates}, ${times}` : dates;
};
