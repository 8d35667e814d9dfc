import { formatCsv } from '../../../core/http/csv.ts';
import { preferredType } from '../../../core/http/language.ts';
import type { Mount } from '../../handler.ts';
import * as contract from './contract.ts';
import { buildStatistics, statisticsRead, withArchivedNumbers } from './statistics.ts';

const csvHeaders = { 'Content-Type': 'text/csv; charset=utf-8; header=present' };

export const mountStatistics = (mount: Mount): void => {
  mount(contract.GetStatistics, {
    reads: ({ deps, query }) => statisticsRead(deps, query),
    answer: async ({ deps, now, query, header }, rows) => {
      const answer = buildStatistics(deps, query, await withArchivedNumbers(deps, now, query, rows));
      if (preferredType(header('Accept'), ['application/json', 'text/csv']) === 'application/json')
        return { status: 200, ...answer };
      const names = [...Object.keys(answer.data[0] ?? answer.meta.total)];
      return { status: 200, raw: formatCsv(names, answer.data), headers: csvHeaders };
    },
  });
};
