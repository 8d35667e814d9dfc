import * as z from 'zod/mini';
import type { Db } from '../../../core/db/db.ts';
import { once } from '../../../core/endpoint/once.ts';
import { formatCsv } from '../../../core/http/csv.ts';
import { nextLink } from '../../../core/http/cursor.ts';
import { preferredType } from '../../../core/http/language.ts';
import { buildPage, pageStart } from '../../../core/http/page.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { importRows, startImport } from './actions.ts';
import * as contract from './contract.ts';
import { findImport, findImports, findResults } from './queries.ts';
import { importView, issuesIn, resultColumns, resultLine, resultView } from './views.ts';

/** The import that `{id}` names. */
export const importResource = {
  read: ({ deps, params }: { deps: { db: Db }; params: { id: string } }) =>
    findImport(deps.db, { id: params.id }),
  visible: () => true,
};

const agePosition = once(() => z.tuple([z.number(), z.string()]));
const rowPosition = once(() => z.tuple([z.number()]));
const csvHeaders = { 'Content-Type': 'text/csv; charset=utf-8; header=present' };
const rowsATable = 10_000;

const isTable = (header: (name: string) => string | undefined): boolean =>
  preferredType(header('Accept'), ['application/json', 'text/csv']) === 'text/csv';

export const mountImports = (mount: Mount): void => {
  mount(contract.ListImports, {
    reads: ({ deps, query }) => {
      const { position, limit } = pageStart(query, agePosition, [Number.MAX_SAFE_INTEGER, '']);
      const [beforeAt, beforeId] = position;
      return findImports(deps.db, { beforeAt, beforeId, limit });
    },
    answer: ({ query }, rows) => {
      const { shown, ...page } = buildPage(rows, contract.ListImports.path, query, ({ createdAt, id }) => [
        createdAt,
        id,
      ]);
      return { status: 200, data: shown.map(importView), ...page };
    },
  });
  mount(contract.StartImport, {
    answer: async (context) => {
      const { data, isNew } = await startImport({ ...context, by: toAuthor(context) }, context.body);
      if (!isNew) return { status: 200, data };
      const headers = { Location: `${contract.StartImport.path}/${data.id}` };
      return { status: 201, data, headers };
    },
  });
  mount(contract.GetImport, {
    resource: importResource,
    answer: (_context, _rows, row) => ({ status: 200, data: importView(row) }),
  });
  mount(contract.ImportRows, {
    resource: importResource,
    answer: async (context) => {
      const { data, meta } = await importRows(
        { ...context, by: toAuthor(context) },
        context.params.id,
        context.body,
      );
      return { status: 200, data, meta };
    },
  });
  mount(contract.ListImportResults, {
    resource: importResource,
    reads: ({ deps, params, query, header }) => {
      const { position, limit } = pageStart(
        { ...query, ...(isTable(header) && { limit: rowsATable }) },
        rowPosition,
        [0],
      );
      const [afterRow] = position;
      return findResults(deps.db, { id: params.id, afterRow, outcome: query.outcome ?? null, limit });
    },
    answer: ({ params, query, header, language }, rows) => {
      const path = contract.ListImportResults.path.replace('{id}', params.id);
      const asTable = isTable(header);
      const ofTable = { ...query, ...(asTable && { limit: rowsATable }) };
      const { shown, meta } = buildPage(rows, path, ofTable, ({ row }) => [row]);
      // The link repeats what was asked: a page as large as a table's is not to be asked for.
      const headers = nextLink(path, query, meta.next_cursor);
      const data = shown.map(({ issues, ...row }) =>
        resultView({ ...row, issues: issuesIn(issues) }, language),
      );
      if (!asTable) return { status: 200, data, meta, headers };
      return {
        status: 200,
        raw: formatCsv(resultColumns, data.map(resultLine)),
        headers: { ...csvHeaders, ...headers },
      };
    },
  });
};
