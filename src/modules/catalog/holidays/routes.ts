import * as z from 'zod/mini';
import { once } from '../../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../../core/http/page.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { addHolidays, findWholeDaysInYear, holidaysView } from './actions.ts';
import * as contract from './contract.ts';

const datePosition = once(() => z.tuple([z.string()]));

export const mountHolidays = (mount: Mount): void => {
  mount(contract.ListHolidays, {
    reads: ({ deps, query }) => findWholeDaysInYear(deps, query.year),
    answer: ({ query }, closed) => {
      const [after] = pageStart(query, datePosition, ['']).position;
      const rows = holidaysView(query.year, closed).filter(({ date }) => date > after);
      const { shown: data, ...page } = buildPage(rows, contract.ListHolidays.path, query, ({ date }) => [
        date,
      ]);
      return { status: 200, data, ...page };
    },
  });
  mount(contract.AddHolidays, {
    answer: async (context) => ({
      status: 200,
      ...(await addHolidays(context.deps, toAuthor(context), context.body, context.toStoredResponse)),
    }),
  });
};
