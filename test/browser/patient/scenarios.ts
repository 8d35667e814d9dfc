import type { Scenario } from '../support/stage.ts';
import { accountFlows } from './account.ts';
import { bookingFlows } from './booking.ts';
import { chainFlows } from './chain.ts';
import { dateFlows } from './dates.ts';
import { eachState } from './each-state.ts';
import { endedFlows } from './ended.ts';
import { guestFlows } from './guest.ts';
import { lateFlows } from './late.ts';
import { reminderFlows } from './reminder.ts';
import { names, screens } from './screens.ts';
import { states } from './states.ts';
import { ticketFlows } from './ticket.ts';
import { versionFlows } from './version.ts';
import { waitlistFlows } from './waitlist.ts';
import { waitlistStates } from './waitlist-states.ts';

export const pasien: readonly Scenario[] = [
  ...names,
  ...bookingFlows,
  ...chainFlows,
  ...dateFlows,
  ...guestFlows,
  ...lateFlows,
  ...reminderFlows,
  ...ticketFlows,
  ...waitlistFlows,
  ...accountFlows,
  ...endedFlows,
  ...versionFlows,
  ...states,
  ...eachState,
  ...waitlistStates,
  ...screens,
];
