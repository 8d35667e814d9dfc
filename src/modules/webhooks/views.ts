import type { Deps } from '../../core/deps.ts';
import { isoOrNull, toIso } from '../../core/endpoint/instants.ts';
import { openExchange } from './delivery/exchange.ts';
import { computeNextAttempt } from './delivery/rules.ts';
import { webhookFields } from './fields.ts';
import type { EndpointRow, findDeliveries } from './queries.ts';

/** An endpoint as admins see it, without its secret. */
export const webhookView = (row: EndpointRow) => ({
  ...webhookFields.view(row),
  status: row.pausedAt === null ? ('active' as const) : ('paused' as const),
});

type DeliveryRow = ReturnType<typeof findDeliveries>['_']['result'][number];

export const deliveryView = (row: DeliveryRow, now: number) => ({
  id: row.id,
  event_id: row.writeId,
  type: row.type,
  booking_id: row.type.startsWith('booking.') ? row.bookingId : null,
  subject_id: row.bookingId,
  occurred_at: toIso(row.occurredAt),
  status: row.state,
  attempts: row.attempts,
  last_attempt_at: isoOrNull(row.lastAttemptAt),
  next_attempt_at: isoOrNull(computeNextAttempt(row, now)),
  response_status: row.lastStatus,
  error: row.lastError,
});

/** The same with the request and its answer. */
export const deliveryDetail = async (deps: Pick<Deps, 'secretBox'>, row: DeliveryRow, now: number) => ({
  ...deliveryView(row, now),
  exchange: await openExchange(deps, row.exchange),
});
