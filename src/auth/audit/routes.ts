import * as z from 'zod/mini';
import { isoOf } from '../../endpoint/instants.ts';
import { once } from '../../endpoint/once.ts';
import type { Mount } from '../../handler.ts';
import { pageOf, pageStart } from '../../http/page.ts';
import * as contract from './contract.ts';
import { findSecurityEvents } from './queries.ts';

type Row = ReturnType<typeof findSecurityEvents>['_']['result'][number];

const sequencePosition = once(() => z.tuple([z.number()]));

const view = (row: Row) => ({
  id: row.writeId,
  type: row.type,
  user_id: row.userId,
  actor_id: row.actorId,
  device_login_id: row.deviceLoginId,
  network: row.network,
  request_id: row.requestId,
  occurred_at: isoOf(row.occurredAt),
  detail: row.detail === null ? null : JSON.parse(row.detail),
});

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
      return { status: 200, data: shown.map(view), meta, headers };
    },
  });
};
