import { read } from '../../../core/db/db.ts';
import { toNetwork, toSite } from '../../../core/http/network.ts';
import { throttled } from '../../auth/throttle/throttled.ts';
import type { Mount } from '../../handler.ts';
import type { LoadedCalendar } from '../seats/calendar.ts';
import { assertHolds, endHold, type Holder, holdReads, holdSlot, showHold } from './actions.ts';
import * as contract from './contract.ts';

/** Whose attempts are counted: an account's or, without a login, those of a network, or of an IPv6 /48. */
const counted = ({ actor, clientAddress }: Holder): string =>
  actor?.userId ?? toSite(clientAddress()) ?? toNetwork(clientAddress());

export const mountHolds = (mount: Mount): void => {
  mount(contract.HoldSlot, {
    answer: async (context) => {
      assertHolds(context.deps);
      const reads = { calendar: holdReads(context, context.body) };
      const hold = async (network: string, calendar: LoadedCalendar) => {
        const data = await holdSlot(context, context.body, network, calendar);
        const headers = { Location: `${contract.HoldSlot.path}/${data.id}` };
        return { status: 201 as const, data, headers };
      };
      // A key holds for all guests of a program of the clinic: the limit of its requests bounds it.
      if (context.actor?.role === 'api_key') return hold('', await read(context.deps.db, reads.calendar));
      return throttled(
        context,
        { act: 'hold', account: counted(context), reads },
        ({ network }, { calendar }) => hold(network, calendar),
      );
    },
  });
  mount(contract.GetHold, {
    answer: async (context) => {
      assertHolds(context.deps);
      return { status: 200, data: await showHold(context) };
    },
  });
  mount(contract.ReleaseHold, {
    answer: async (context) => {
      assertHolds(context.deps);
      await endHold(context);
      return { status: 200 };
    },
  });
};
