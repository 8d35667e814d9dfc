// Pure: whether a patient may check in without the desk, and what a screen that anybody sees may say of them.

import type { Judged } from '../record/rules.ts';
import { isOver } from '../record/rules.ts';

const minuteMs = 60_000;

/** Between which instants a booking may be checked in without the desk. */
export const arrivalWindow = ({ startsAt }: Pick<Judged, 'startsAt'>, minutes: number) => ({
  opensAt: startsAt - minutes * minuteMs,
  closesAt: startsAt + minutes * minuteMs,
});

/** `here`: checked in before, which is fine. The others say why it is refused. */
export type Arrival = 'may' | 'here' | 'early' | 'late' | 'ended';

/** What becomes of a patient who arrives; `today` is the clinic's date at `now`. */
export const judgeArrival = (
  booking: Judged,
  { now, today, minutes }: { now: number; today: string; minutes: number },
): Arrival => {
  if (booking.status === 'canceled' || isOver(booking)) return 'ended';
  if (booking.scheduleDate < today) return 'late';
  if (booking.checkedInAt !== null) return 'here';
  const { opensAt, closesAt } = arrivalWindow(booking, minutes);
  // On its day alone, however wide the window is.
  if (now < opensAt || booking.scheduleDate > today) return 'early';
  const isApprovable = booking.status === 'approved' || now < booking.endsAt;
  return now <= closesAt && isApprovable ? 'may' : 'late';
};

/** A booking code as people type it: case, spaces and hyphens do not matter. */
export const typedBookingCode = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

/** The first letters of a name's first three words: enough to recognise one's own, too little to tell whose it is. */
export const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .map((word) => `${[...word][0]?.toUpperCase() ?? ''}.`)
    .join(' ');
