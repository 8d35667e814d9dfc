import { csvOf } from '../../csv.ts';
import type { Mount } from '../../handler.ts';
import { preferredType } from '../../http/language.ts';
import * as contract from './contract.ts';
import { tableColumns, tableOf, trailPage, trailRead } from './list.ts';
import { verifiedPage } from './verified-page.ts';

const csvHeaders = { 'Content-Type': 'text/csv; charset=utf-8; header=present' };

export const mountAudit = (mount: Mount): void => {
  mount(contract.ListSecurityEvents, {
    reads: ({ deps, query }) => [trailRead(deps, query)] as const,
    answer: ({ query, header }, [rows]) => {
      const { shown, meta, headers } = trailPage(rows, query);
      if (preferredType(header('Accept'), ['application/json', 'text/csv']) === 'application/json')
        return { status: 200, data: shown, meta, headers };
      return {
        status: 200,
        raw: csvOf(tableColumns, tableOf(shown)),
        headers: { ...csvHeaders, ...headers },
      };
    },
  });
  mount(contract.VerifyAudit, {
    answer: async ({ deps, now, query }) => ({ status: 200, ...(await verifiedPage(deps, now, query)) }),
  });
};
