import type { Deps } from '../../../core/deps.ts';
import { bookingMessage } from '../../../core/endpoint/messages.ts';
import type { Mount } from '../../handler.ts';
import { anyBooking } from '../record/resource.ts';
import { maySee } from '../record/rules.ts';
import { bookSeries } from './book.ts';
import { cancelSeries } from './cancel.ts';
import * as contract from './contract.ts';
import { bookFollowUp, followUpReads } from './follow-up.ts';
import { seriesReads } from './plans.ts';
import { findSeries } from './queries.ts';

/** The series that a path names; of its bookings the first decides who may know of it. */
const namedSeries = {
  read: ({ deps, params, caller }: { deps: Deps; params: { id: string }; caller: { userId: string } }) =>
    findSeries(deps.db, { ...params, accountId: caller.userId }),
  visible: maySee,
};

export const mountSeries = (mount: Mount): void => {
  mount(contract.BookSeries, {
    reads: ({ deps, body, caller }) => seriesReads(deps, caller.userId, body),
    answer: async (context, first) => ({
      status: 200,
      data: await bookSeries(context, context.body, first),
    }),
  });
  mount(contract.CancelSeries, {
    resource: namedSeries,
    reads: (request) => namedSeries.read(request),
    answer: async (context, bookings) => ({
      status: 200,
      data: await cancelSeries(context, context.params.id, context.body, bookings),
    }),
  });
  mount(contract.BookFollowUp, {
    resource: anyBooking,
    reads: ({ deps, params, body }) => followUpReads(deps, params.id, body),
    answer: async (context, rows, booking) => {
      const data = await bookFollowUp(context, context.body, booking, rows);
      return {
        status: 201,
        message: bookingMessage('booking_created', data.status),
        data,
        headers: { Location: `${contract.BookFollowUp.makesUnder}/${data.id}` },
      };
    },
  });
};
