// Pure: whether a patient may check in without the desk, and what a screen that anybody sees may say of them.

import type { Judged } from '../record/rules.ts';
import { isOver } from '../record/rules.ts';

const minuteMs = 60_000;

/**
 * Between which instants a booking may be checked in without the desk: on its day alone, which begins at `midnight`,
 * however wide the window is.
 */
export const arrivalWindow = (
  { startsAt }: Pick<Judged, 'startsAt'>,
  { minutes, midnight }: { minutes: number; midnight: number },
) => ({
  opensAt: Math.max(midnight, startsAt - minutes * minuteMs),
  closesAt: startsAt + minutes * minuteMs,
});

/** `here`: checked in before, which is fine. The others say why it is refused. */
export type Arrival = 'may' | 'here' | 'early' | 'late' | 'ended' | 'unapproved';

/**
 * What becomes of a patient who arrives; `today` is the clinic's date at `now`, `midnight` the beginning of the booking's
 * day. Only where it `mayApprove` is a booking that waits for approval checked in.
 */
export const judgeArrival = (
  booking: Judged,
  {
    now,
    today,
    minutes,
    midnight,
    mayApprove,
  }: { now: number; today: string; minutes: number; midnight: number; mayApprove: boolean },
): Arrival => {
  if (booking.status === 'canceled' || isOver(booking)) return 'ended';
  if (booking.scheduleDate < today) return 'late';
  if (booking.checkedInAt !== null) return 'here';
  const { opensAt, closesAt } = arrivalWindow(booking, { minutes, midnight });
  if (now < opensAt) return 'early';
  const isApproved = booking.status === 'approved';
  if (now > closesAt || !(isApproved || now < booking.endsAt)) return 'late';
  return isApproved || mayApprove ? 'may' : 'unapproved';
};

/** A booking code as people type it: case, spaces and hyphens do not matter. */
export const typedBookingCode = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

/** The first letters of a name's first three words: enough to recognise one's own, too little to tell whose it is. */
export const toInitials = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .map((word) => `${[...word][0]?.toUpperCase() ?? ''}.`)
    .join(' ');
