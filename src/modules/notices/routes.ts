import type { Mount } from '../handler.ts';
import { chooseNotices, noticesPage, noticesRead } from './actions.ts';
import * as contract from './contract.ts';
import { findChoices } from './queries.ts';
import { choicesView } from './views.ts';

export const mountNotices = (mount: Mount): void => {
  mount(contract.GetNoticeChoices, {
    reads: ({ deps: { db }, caller: { userId } }) => findChoices(db, { personId: userId }),
    answer: ({ deps }, [row]) => ({ status: 200, data: choicesView(deps, row) }),
  });
  mount(contract.ChooseNotices, {
    answer: async (context) => ({ status: 200, data: await chooseNotices(context) }),
  });
  mount(contract.ListNotices, {
    reads: ({ deps, query }) => noticesRead(deps, query),
    answer: ({ query }, rows) => ({ status: 200, ...noticesPage(rows, query) }),
  });
};
