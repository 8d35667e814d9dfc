import { withETag } from '../../../core/http/etag.ts';
import type { Mount } from '../../handler.ts';
import { changesAnswer, changesRead } from './changes.ts';
import * as contract from './contract.ts';
import { listAnswer, listRead } from './list.ts';

export const mountListing = (mount: Mount): void => {
  mount(contract.ListBookings, {
    reads: ({ deps, now, caller, query }) => listRead(deps, now, caller.userId, query),
    answer: async (context, list) =>
      withETag(context.header, await listAnswer(context, context.query, list), {
        'Cache-Control': 'no-store',
      }),
  });
  mount(contract.ListBookingChanges, {
    reads: ({ deps, caller, query }) => changesRead(deps, caller.userId, query),
    answer: (context, read) => changesAnswer(context, context.query, read),
  });
};
