import { formatCsv } from '../../../core/http/csv.ts';
import { preferredType } from '../../../core/http/language.ts';
import { defaultLimit } from '../../../core/http/page.ts';
import type { Mount } from '../../handler.ts';
import * as contract from './contract.ts';
import { lineView, tableColumns, tableRow, trailPage, trailRead } from './list.ts';
import { judgeFindings } from './rules.ts';
import { verifyBlocks } from './verify.ts';

const csvHeaders = { 'Content-Type': 'text/csv; charset=utf-8; header=present' };

/** How many lines a check reads: some megabytes, and tens of milliseconds. */
const linesAPage = 5_000;

export const mountAudit = (mount: Mount): void => {
  mount(contract.ListSecurityEvents, {
    reads: ({ deps, query }) => trailRead(deps, query),
    answer: ({ query, header }, rows) => {
      const { shown, meta, headers } = trailPage(rows, query);
      if (preferredType(header('Accept'), ['application/json', 'text/csv']) === 'application/json')
        return { status: 200, data: shown.map(lineView), meta, headers };
      return {
        status: 200,
        raw: formatCsv(tableColumns, shown.map(tableRow)),
        headers: { ...csvHeaders, ...headers },
      };
    },
  });
  mount(contract.VerifyAudit, {
    answer: async ({ deps, now, query: { after = 0, limit = defaultLimit } }) => {
      const page = { after, maxBlocks: limit, maxLines: linesAPage };
      const { blocks, lines, unsealed, findings, ...at } = await verifyBlocks(deps, now, page);
      const data = { verdict: judgeFindings(findings), blocks, lines, unsealed, findings };
      return { status: 200, data, meta: { after: at.after, more: unsealed === null } };
    },
  });
};
