import type { Mount } from '../../handler.ts';
import { changedBooking } from '../record/resource.ts';
import { confirmBooking } from './actions.ts';
import * as contract from './contract.ts';

export const mountConfirming = (mount: Mount): void => {
  mount(contract.ConfirmBooking, {
    resource: changedBooking,
    answer: async (context, _rows, booking) => {
      const data = await confirmBooking(context, context.body, booking);
      // One that was confirmed before has no event that records who saw it.
      const seen = data.version === booking.version ? booking.patientId : null;
      return { status: 200, data, seen };
    },
  });
};
