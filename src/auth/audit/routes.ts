import * as z from 'zod/mini';
import { once } from '../../endpoint/once.ts';
import type { Mount } from '../../handler.ts';
import { pageOf, pageStart } from '../../http/page.ts';
import * as contract from './contract.ts';
import { findSecurityEvents } from './queries.ts';
import { securityEventView } from './views.ts';

const sequencePosition = once(() => z.tuple([z.number()]));

export const mountAudit = (mount: Mount): void => {
  mount(contract.ListSecurityEvents, {
    reads: ({ deps, query }) => {
      const { type = null, user_id: userId = null } = query;
      const start = pageStart(query, sequencePosition, [Number.MAX_SAFE_INTEGER]);
      const [before] = start.position;
      return [findSecurityEvents(deps.db, { type, userId, before, limit: start.limit })] as const;
    },
    answer: ({ query }, [rows]) => {
      const path = contract.ListSecurityEvents.path;
      const { shown, meta, headers } = pageOf(rows, path, query, ({ sequence }) => [sequence]);
      return { status: 200, data: shown.map(securityEventView), meta, headers };
    },
  });
};
