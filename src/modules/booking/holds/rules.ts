import { minuteMs } from '../../../core/clinic/durations.ts';

/** How long a slot is held: 5 minutes. */
export const holdMs = 5 * minuteMs;

/** How many slots may be held at a time for one network without a login. A network may be a campus or a carrier's customers. */
export const maxHeldOfNetwork = 10;
