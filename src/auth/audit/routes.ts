import * as z from 'zod/mini';
import { once } from '../../endpoint/once.ts';
import type { Mount } from '../../handler.ts';
import { decodeCursor } from '../../http/cursor.ts';
import { defaultLimit, pageOf } from '../../http/page.ts';
import * as contract from './contract.ts';
import { findSecurityEvents } from './queries.ts';

type Row = ReturnType<typeof findSecurityEvents>['_']['result'][number];

const position = once(() => z.tuple([z.number()]));

const view = (row: Row) => ({
  id: row.writeId,
  type: row.type,
  user_id: row.userId,
  actor_id: row.actorId,
  device_login_id: row.deviceLoginId,
  network: row.network,
  request_id: row.requestId,
  occurred_at: new Date(row.occurredAt).toISOString(),
  detail: row.detail === null ? null : JSON.parse(row.detail),
});

export const mountAudit = (mount: Mount): void => {
  mount(contract.ListSecurityEvents, {
    reads: ({ deps, query }) => {
      const [before] =
        query.cursor === undefined ? [Number.MAX_SAFE_INTEGER] : decodeCursor(query.cursor, position);
      const { type = null, user_id: userId = null, limit = defaultLimit } = query;
      return [findSecurityEvents(deps.db, { type, userId, before, limit: limit + 1 })] as const;
    },
    answer: ({ query }, [rows]) => {
      const path = contract.ListSecurityEvents.path;
      const { shown, meta, headers } = pageOf(rows, path, query, ({ sequence }) => [sequence]);
      return { status: 200, data: shown.map(view), meta, headers };
    },
  });
};
