import { isoOf } from '../../endpoint/instants.ts';
import type { findSecurityEvents } from './queries.ts';

type Row = ReturnType<typeof findSecurityEvents>['_']['result'][number];

export const securityEventView = (row: Row) => ({
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
