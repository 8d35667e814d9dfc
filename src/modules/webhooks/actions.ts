import { runAll } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import type { BodyOf } from '../../core/endpoint/endpoint.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import type { ResponseToStore } from '../../core/idempotency/key.ts';
import { storeOnly } from '../../core/idempotency/queries.ts';
import { changeEvent, recordIfChanged, recordSecurityEvent } from '../auth/audit/queries.ts';
import type { Author } from '../auth/audit/rules.ts';
import type * as contract from './contract.ts';
import { openSecrets, sendWithin } from './delivery/attempt.ts';
import { exchangeView } from './delivery/exchange.ts';
import { endHold } from './delivery/health-queries.ts';
import { isReceipt, mayReceive, rotationOverlapMs } from './delivery/rules.ts';
import { newSigningSecret, signedMessage } from './delivery/signing.ts';
import { webhookFields } from './fields.ts';
import {
  changeEndpoint,
  countReplayed,
  dropPending,
  type EndpointRow,
  insertEndpoint,
  maxReplayed,
  renewPending,
  replayOne,
  replayRange,
  rotateSecret,
} from './queries.ts';
import { webhookView } from './views.ts';

type NewWebhook = BodyOf<typeof contract.CreateWebhook>;
type WebhookChange = BodyOf<typeof contract.ChangeWebhook>;
type Range = BodyOf<typeof contract.ReplayRange>;

const assertMayReceive = (deps: Deps, url: string): void => {
  if (!mayReceive(url, deps.config.WEBHOOK_ALLOW_PRIVATE === 'true'))
    throw new Failure('validation_failed', { issues: [{ path: 'url', rule: 'receiver' }] });
};

const existing = <R>([row]: readonly R[]): R => {
  if (row === undefined) throw new Failure('not_found');
  return row;
};

/** Adds an endpoint; only this answer shows its secret. */
export const createWebhook = async (
  deps: Deps,
  by: Author,
  input: NewWebhook,
  toStoredResponse: ResponseToStore,
) => {
  const { now } = by;
  assertMayReceive(deps, input.url);
  const secret = newSigningSecret();
  const row = {
    id: deps.newId(),
    ...webhookFields.columns(input),
    secret: await deps.secretBox.seal(secret),
    createdAt: now,
    updatedAt: now,
  };
  const event = changeEvent(deps, by, 'webhook_created', { webhook_id: row.id });
  const { inserted: rows } = await runAll(deps.db, {
    inserted: insertEndpoint(deps.db, row),
    recorded: recordSecurityEvent(deps.db, event),
    stored: storeOnly(deps.db, event, toStoredResponse({ status: 201 })),
  });
  return { ...webhookView(existing(rows)), secret };
};

const pausing = (now: number) => ({ pausedAt: now, pausedReason: 'admin' as const });
const resuming = { pausedAt: null, pausedReason: null, failures: 0, failingSince: null, holdUntil: null };

/** Changes an endpoint; a resumed one continues where it was paused. */
export const changeWebhook = async (deps: Deps, by: Author, before: EndpointRow, input: WebhookChange) => {
  const { now } = by;
  if (input.url !== undefined) assertMayReceive(deps, input.url);
  const resumes = input.status === 'active' && before.pausedAt !== null;
  const fields = {
    updatedAt: now,
    ...webhookFields.given(input),
    ...(input.status === 'paused' && before.pausedAt === null && pausing(now)),
    ...(resumes && resuming),
  };
  const event = changeEvent(deps, by, 'webhook_changed', { webhook_id: before.id }, input);
  const { changed: rows } = await runAll(deps.db, {
    changed: changeEndpoint(deps.db, before.id, fields),
    recorded: recordIfChanged(deps.db, event),
    renewed: resumes ? [renewPending(deps.db, { endpointId: before.id, now })] : [],
  });
  if (resumes) deps.eventsWritten();
  return webhookView(existing(rows));
};

/** Gives an endpoint a new secret; for a day the old one signs too. */
export const rotateWebhookSecret = async (
  deps: Deps,
  by: Author,
  id: string,
  toStoredResponse: ResponseToStore,
) => {
  const { now } = by;
  const secret = newSigningSecret();
  const values = { id, secret: await deps.secretBox.seal(secret), until: now + rotationOverlapMs, now };
  const event = changeEvent(deps, by, 'webhook_secret_rotated', { webhook_id: id });
  const { rotated: rows } = await runAll(deps.db, {
    rotated: rotateSecret(deps.db, values),
    recorded: recordIfChanged(deps.db, event),
    stored: storeOnly(deps.db, event, toStoredResponse({ status: 200 })),
  });
  return { ...webhookView(existing(rows)), secret };
};

/** Removes an endpoint for good, and deletes its secrets. */
export const retireWebhook = async (deps: Deps, by: Author, id: string): Promise<void> => {
  const { now } = by;
  const fields = { retiredAt: now, updatedAt: now, secret: '', previousSecret: null };
  const { removed: rows } = await runAll(deps.db, {
    removed: changeEndpoint(deps.db, id, fields),
    recorded: recordIfChanged(deps.db, changeEvent(deps, by, 'webhook_removed', { webhook_id: id })),
    dropped: dropPending(deps.db, { endpointId: id }),
  });
  existing(rows);
};

/** Sends a test message, which is not an event, and returns the answer. It does not change the receiver. */
export const testWebhook = async (
  deps: Deps,
  by: Author,
  row: EndpointRow,
  toStoredResponse: ResponseToStore,
) => {
  const { now } = by;
  const secrets = await openSecrets(deps, row, now);
  const event = changeEvent(deps, by, 'webhook_tested', { webhook_id: row.id });
  await runAll(deps.db, [
    recordSecurityEvent(deps.db, event),
    ...storeOnly(deps.db, event, toStoredResponse({ status: 200 })),
  ]);
  if (secrets === null) return { delivered: false, error: 'secret_lost' as const, exchange: null };
  if (!mayReceive(row.url, deps.config.WEBHOOK_ALLOW_PRIVATE === 'true'))
    return { delivered: false, error: 'refused_address' as const, exchange: null };
  const test = {
    writeId: event.writeId,
    type: 'webhook.test',
    occurredAt: now,
    requestId: by.requestId,
    payload: JSON.stringify({ webhook_id: row.id }),
    actorRole: by.role,
  };
  const message = await signedMessage(row.url, test, secrets, now);
  const outcome = await sendWithin((signal) => deps.sendWebhook(message, signal), undefined);
  if (outcome === null) throw new Failure('unavailable');
  return {
    delivered: isReceipt(outcome),
    error: 'failure' in outcome ? outcome.failure : null,
    exchange: exchangeView(message, outcome),
  };
};

/** Sends one event again. */
export const replayDelivery = async (
  deps: Deps,
  by: Author,
  endpointId: string,
  id: string,
  toStoredResponse: ResponseToStore,
) => {
  const { now } = by;
  const detail = { webhook_id: endpointId, delivery_id: id };
  const event = changeEvent(deps, by, 'webhook_replayed', detail);
  const { rows } = await runAll(deps.db, {
    rows: replayOne(deps.db, { id, endpointId, now }),
    event: recordIfChanged(deps.db, event),
    hold: endHold(deps.db, { id: endpointId, now }),
    response: storeOnly(deps.db, event, toStoredResponse({ status: 202 })),
  });
  existing(rows);
  deps.eventsWritten();
};

/** Sends the events of a time range again, up to a maximum number. */
export const replayEvents = async (
  deps: Deps,
  by: Author,
  endpointId: string,
  range: Range,
  toStoredResponse: ResponseToStore,
) => {
  const { now } = by;
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  if (to <= from)
    throw new Failure('validation_failed', {
      issues: [{ path: 'to', rule: 'order', limit: 'from_instant' }],
    });
  const values = {
    endpointId,
    from,
    to,
    after: range.after,
    now,
    limit: maxReplayed,
  };
  const detail = { webhook_id: endpointId, from: range.from, to: range.to, after: range.after };
  const event = changeEvent(deps, by, 'webhook_replayed', detail);
  // Only the database knows how many events there are: it puts the numbers in.
  const stored = toStoredResponse({
    status: 202,
    data: { events: 0, continue_after: null },
  });
  const { rows } = await runAll(deps.db, {
    rows: replayRange(deps.db, values),
    event: recordSecurityEvent(deps.db, event),
    hold: endHold(deps.db, { id: endpointId, now }),
    response: storeOnly(deps.db, event, stored),
    counted:
      stored === null
        ? []
        : [countReplayed(deps.db, { ...values, userId: by.actorId, key: stored.idempotency.key })],
  });
  deps.eventsWritten();
  const last = Math.max(...rows.map(({ sequence }) => sequence));
  return { events: rows.length, continue_after: rows.length < maxReplayed ? null : last };
};
