import { asc } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { standingDatabase } from '#test-database';
import { webhookDeliveries } from '../../src/core/tables/webhooks.ts';

const receiver = (id: string, retiredAt: string): string =>
  `insert into webhook_endpoints (id, url, description, event_types, secret, last_sequence, failures, created_at, updated_at,
    retired_at) values ('${id}', 'https://simrs.example', '', '[]', '', 2, 0, 1, 1, ${retiredAt})`;

const event = (sequence: number): string =>
  `insert into booking_events (sequence, write_id, booking_id, version, type, actor_role, request_id, occurred_at, payload)
    values (${sequence}, 'w${sequence}', 'b', ${sequence}, 'booking.created', 'staff', 'r', 1, '{}')`;

const delivery = (id: string, endpoint: string, sequence: number, state: string): string =>
  `insert into webhook_deliveries (id, endpoint_id, sequence, booking_id, state, attempts, next_attempt_at, created_at)
    values ('${id}', '${endpoint}', ${sequence}, 'b', '${state}', 0, 1, 1)`;

it('what still waited for a receiver that was removed earlier is gone, and nothing else', async () => {
  const db = await standingDatabase(
    [
      ...[receiver('gone', '5'), receiver('here', 'null'), event(1), event(2)],
      ...[delivery('gone-waits', 'gone', 1, 'pending'), delivery('gone-sent', 'gone', 2, 'delivered')],
      ...[delivery('here-waits', 'here', 1, 'pending'), delivery('here-sent', 'here', 2, 'delivered')],
    ],
    '0032_patients_ihs_id',
  );
  const left = await db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .orderBy(asc(webhookDeliveries.id));
  expect(left.map(({ id }) => id)).toEqual(['gone-sent', 'here-sent', 'here-waits']);
});
