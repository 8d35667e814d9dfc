import { toNetwork, toSite } from '../../../core/http/network.ts';
import { throttled } from '../../auth/throttle/throttled.ts';
import type { Mount } from '../../handler.ts';
import { assertHolds, endHold, type Holder, holdReads, holdSlot, showHold } from './actions.ts';
import * as contract from './contract.ts';

/** Whose attempts are counted: an account's or key's or, without a login, those of a network, or of an IPv6 /48. */
const counted = ({ actor, clientAddress }: Holder): string =>
  actor?.userId ?? toSite(clientAddress()) ?? toNetwork(clientAddress());

export const mountHolds = (mount: Mount): void => {
  mount(contract.HoldSlot, {
    answer: async (context) => {
      assertHolds(context.deps);
      const reads = { calendar: holdReads(context, context.body) };
      return throttled(
        context,
        { act: 'hold', account: counted(context), reads },
        async ({ network }, { calendar }) => {
          const data = await holdSlot(context, context.body, network, calendar);
          const headers = { Location: `${contract.HoldSlot.path}/${data.id}` };
          return { status: 201, message: 'slot_held', data, headers };
        },
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
      return { status: 200, message: 'hold_released' };
    },
  });
};
