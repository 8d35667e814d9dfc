import { minuteMs } from '../../../core/clinic/durations.ts';

/** How long a slot is held: 5 minutes. */
export const holdMs = 5 * minuteMs;

/** How many slots may be held at a time for one network without a login. A network may be a campus or a carrier's customers. */
export const maxHeldOfNetwork = 10;

/**
 * How many slots may be held at a time without a login in the whole clinic: 720 people an hour who each take the five
 * minutes, more than any clinic books, and far fewer seats than it has on a week's dates. Many networks together cannot
 * hold more. Without a hold the slot can still be booked.
 */
export const maxHeldByGuests = 60;

/** The same for one doctor on one date: fewer than the sixteen half hours of a usual day, so that a flood leaves some. */
export const maxHeldOfDay = 12;
