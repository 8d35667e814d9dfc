import type { Scenario } from '../support/stage.ts';
import { accountFlows } from './account.ts';
import { bookingFlows } from './booking.ts';
import { screens } from './screens.ts';
import { ticketFlows } from './ticket.ts';

export const pasien: readonly Scenario[] = [...bookingFlows, ...ticketFlows, ...accountFlows, ...screens];
