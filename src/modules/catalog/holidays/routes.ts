import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { addHolidays, findWholeDaysInYear, holidaysView } from './actions.ts';
import * as contract from './contract.ts';

export const mountHolidays = (mount: Mount): void => {
  mount(contract.ListHolidays, {
    reads: ({ deps, query }) => findWholeDaysInYear(deps, query.year),
    answer: ({ query }, closed) => ({ status: 200, data: holidaysView(query.year, closed) }),
  });
  mount(contract.AddHolidays, {
    answer: async (context) => ({
      status: 200,
      ...(await addHolidays(context.deps, toAuthor(context), context.body, context.toStoredResponse)),
    }),
  });
};
