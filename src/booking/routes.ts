import { nextLink } from '../http/cursor.ts';
import type { Mount } from '../http/mount.ts';
import { cancelBooking } from './cancel.ts';
import * as contract from './contract.ts';
import { createBooking, decisionReads } from './create.ts';
import { historyPage, historyRead } from './history.ts';
import { findBooking } from './queries.ts';
import { maySee } from './rules.ts';

const ownBooking = {
  read: ({ deps, params }: { deps: { db: Parameters<typeof findBooking>[0] }; params: { id: string } }) =>
    findBooking(deps.db, params),
  visible: maySee,
};

export const mountBookings = (mount: Mount): void => {
  mount(contract.CreateBooking, {
    reads: ({ deps, body }) => decisionReads(deps, body),
    answer: async (ask, rows) => {
      const data = await createBooking(ask, ask.body, rows);
      return {
        status: 201,
        message: 'booking_created',
        data,
        headers: { Location: `/v1/bookings/${data.id}` },
      };
    },
  });
  mount(contract.GetHistory, {
    reads: ({ deps, caller, query }) => [historyRead(deps, caller.userId, query)] as const,
    answer: ({ query }, [rows]) => {
      const { data, nextCursor } = historyPage(rows, query);
      const headers = nextLink(contract.GetHistory.path, query, nextCursor);
      return { status: 200, data, meta: { next_cursor: nextCursor }, headers };
    },
  });
  mount(contract.CancelBooking, {
    owned: ownBooking,
    answer: async (ask, _rows, booking) => ({
      status: 200,
      message: 'booking_canceled',
      data: await cancelBooking(ask, ask.body, booking),
    }),
  });
};
