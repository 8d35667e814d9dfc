import type { Mount } from '../../handler.ts';
import { consentsRead, consentsView, sayConsent } from './actions.ts';
import * as contract from './contract.ts';

export const mountConsents = (mount: Mount): void => {
  mount(contract.ListConsents, {
    reads: ({ deps, caller }) => consentsRead(deps, caller.userId),
    answer: (_context, { notices: [notice], log }) => ({ status: 200, data: consentsView(notice, log) }),
  });
  mount(contract.SayConsent, {
    answer: async (context) => ({
      status: 200,
      data: await sayConsent(context, context.body),
    }),
  });
};
