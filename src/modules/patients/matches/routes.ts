import * as z from 'zod/mini';
import type { Deps } from '../../../core/deps.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { once } from '../../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../../core/http/page.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { confirmRecord, declineRecord } from './actions.ts';
import * as contract from './contract.ts';
import { countOpenMatches, findMatch, findOpenMatches } from './queries.ts';

const position = once(() => z.tuple([z.number(), z.string()]));

const namedMatch = {
  read: ({ deps, params }: { deps: Deps; params: { id: string } }) => findMatch(deps.db, { id: params.id }),
  visible: () => true,
};

export const mountMatches = (mount: Mount): void => {
  mount(contract.ListRecordMatches, {
    reads: ({ deps, query }) => {
      const { position: after, limit } = pageStart(query, position, [0, ''] as [number, string]);
      return findOpenMatches(deps.db, { afterAt: after[0], afterId: after[1], limit });
    },
    answer: ({ query }, rows) => {
      const toPosition = ({ createdAt, id }: (typeof rows)[number]) => [createdAt, id];
      const { shown, ...page } = buildPage(rows, contract.ListRecordMatches.path, query, toPosition);
      const data = shown.map(({ id, createdAt, account, record }) => ({
        id,
        created_at: toIso(createdAt),
        account: JSON.parse(account),
        record: JSON.parse(record),
      }));
      return { status: 200, data, ...page };
    },
  });
  mount(contract.CountRecordMatches, {
    reads: ({ deps }) => countOpenMatches(deps.db, {}),
    answer: (_context, [count]) => ({ status: 200, data: { open: count?.open ?? 0 } }),
  });
  mount(contract.ConfirmRecordMatch, {
    resource: namedMatch,
    answer: async (context, _reads, match) => ({
      status: 200,
      data: await confirmRecord({ ...context, by: toAuthor(context) }, match),
    }),
  });
  mount(contract.DeclineRecordMatch, {
    resource: namedMatch,
    answer: async (context, _reads, match) => {
      await declineRecord({ ...context, by: toAuthor(context) }, match);
      return { status: 200 };
    },
  });
};
