import { run, runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import {
  claimDue,
  claimProbe,
  findClaimed,
  findDueEndpoints,
  settleAttempt,
  wakeWaiting,
} from './attempt-queries.ts';
import { fanOut, findWork, stepCursors } from './fan-out-queries.ts';
import { endpointFailed, endpointWell, holdEndpoint, pauseEndpoint } from './health-queries.ts';
import {
  holdAfter,
  isReceipt,
  leaseMs,
  mayReceive,
  nextAttempt,
  type Outcome,
  pauseReason,
} from './rules.ts';
import { signedMessage } from './signing.ts';

const mostFanOuts = 20;
const mostEndpoints = 20;
const mostRounds = 20;

type Endpoint = ReturnType<typeof findDueEndpoints>['_']['result'][number];
type Claimed = ReturnType<typeof findClaimed>['_']['result'][number];

interface Attempt {
  delivery: Claimed;
  outcome: Outcome;
}

/** The secrets that sign now: the present one and, for a while after a rotation, the one before. */
const secretsOf = async (deps: Deps, endpoint: Endpoint, now: number): Promise<string[] | null> => {
  const secret = await deps.secretBox.open(endpoint.secret);
  if (secret === null) return null;
  const { previousSecret, previousSecretUntil } = endpoint;
  if (previousSecret === null || previousSecretUntil === null || previousSecretUntil <= now) return [secret];
  const previous = await deps.secretBox.open(previousSecret);
  return previous === null ? [secret] : [secret, previous];
};

const claim = async (deps: Deps, endpointId: string, claimSome: typeof claimDue) => {
  const now = deps.clock();
  const leaseId = deps.newId();
  const lease = { endpoint_id: endpointId, lease_id: leaseId, now, lease_until: now + leaseMs };
  const { claimed } = await runAll(deps.db, {
    claim: claimSome(deps.db, lease),
    claimed: findClaimed(deps.db, { leaseId }),
  });
  return { leaseId, claimed, now };
};

/** Makes an attempt, dated by its claim: what is written down and what the receiver reads are one instant. */
const attempt = async (
  deps: Deps,
  { url }: Endpoint,
  secrets: readonly string[],
  delivery: Claimed,
  claimedAt: number,
) => {
  if (!mayReceive(url, deps.config.WEBHOOK_ALLOW_PRIVATE === 'true'))
    return { delivery, outcome: { failure: 'refused_address' as const } };
  const outcome = await deps.sendWebhook(await signedMessage(url, delivery, secrets, claimedAt));
  deps.metrics.webhookAttempt(isReceipt(outcome));
  return { delivery, outcome };
};

/** What is written down of an attempt; a paused endpoint's delivery waits for the day it is resumed. */
const settledAs = ({ delivery, outcome }: Attempt, now: number, paused: boolean) => {
  const told = {
    status: 'status' in outcome ? outcome.status : null,
    error: 'failure' in outcome ? outcome.failure : null,
  };
  if (isReceipt(outcome)) return { ...told, state: 'delivered', next_attempt_at: null, settled_at: now };
  const wishedPauseMs = 'status' in outcome ? (outcome.retryAfterMs ?? 0) : 0;
  const next = paused ? now : nextAttempt(delivery, now, Math.random(), wishedPauseMs);
  const settled = next === null;
  return {
    ...told,
    state: settled ? 'given_up' : 'pending',
    next_attempt_at: next,
    settled_at: settled ? now : null,
  };
};

const settle = (
  deps: Deps,
  leaseId: string,
  attempts: readonly Attempt[],
  { now, paused }: { now: number; paused: boolean },
) =>
  attempts.map((made) =>
    settleAttempt(deps.db, { id: made.delivery.id, lease_id: leaseId, ...settledAs(made, now, paused) }),
  );

/** Counts a round without one receipt against the endpoint: it is held, and paused once it counts as dead. */
const settleFailure = async (deps: Deps, id: string, leaseId: string, attempts: readonly Attempt[]) => {
  const now = deps.clock();
  const [state] = await run(deps.db, endpointFailed(deps.db, { id, now }));
  if (state === undefined) return;
  const failingSince = state.failingSince ?? now;
  const reasons = attempts.map(({ outcome }) => pauseReason(outcome, failingSince, now));
  const reason = reasons.find((found) => found === 'gone') ?? reasons.find((found) => found !== null) ?? null;
  const consequence =
    reason === null
      ? holdEndpoint(deps.db, { id, holdUntil: holdAfter(state.failures, now) })
      : pauseEndpoint(deps.db, { id, now, reason });
  await runAll(deps.db, [...settle(deps, leaseId, attempts, { now, paused: reason !== null }), consequence]);
  if (reason !== null) deps.log.warn('webhook paused', { endpoint_id: id, reason });
};

const settleReceipts = async (deps: Deps, id: string, leaseId: string, attempts: readonly Attempt[]) => {
  const now = deps.clock();
  await runAll(deps.db, [
    ...settle(deps, leaseId, attempts, { now, paused: false }),
    wakeWaiting(deps.db, { endpoint_id: id, now }),
    endpointWell(deps.db, { id }),
  ]);
};

/** Sends what is due to one endpoint. One that fails is asked with a single event until it answers again. */
const deliverTo = async (deps: Deps, endpoint: Endpoint): Promise<void> => {
  const { id } = endpoint;
  const secrets = await secretsOf(deps, endpoint, deps.clock());
  if (secrets === null) {
    deps.log.error('webhook secret cannot be opened', { endpoint_id: id });
    await run(deps.db, pauseEndpoint(deps.db, { id, now: deps.clock(), reason: 'secret_lost' }));
    return;
  }
  let claimSome = endpoint.failingSince === null ? claimDue : claimProbe;
  for (let round = 0; round < mostRounds; round++) {
    const { leaseId, claimed, now } = await claim(deps, id, claimSome);
    if (claimed.length === 0) return;
    const attempts = await Promise.all(
      claimed.map((delivery) => attempt(deps, endpoint, secrets, delivery, now)),
    );
    if (!attempts.some(({ outcome }) => isReceipt(outcome)))
      return settleFailure(deps, id, leaseId, attempts);
    await settleReceipts(deps, id, leaseId, attempts);
    claimSome = claimDue;
  }
};

/**
 * Makes new events into deliveries and sends those that are due, a bounded number of them. Any number of processes
 * may do so at once. `pending` says whether something is left to come back for.
 */
export const deliverWebhooks = async (deps: Deps): Promise<{ pending: boolean }> => {
  const { db } = deps;
  for (let stretch = 0; stretch < mostFanOuts; stretch++) {
    const [work] = await run(db, findWork(db, {}));
    if (work === undefined || !(work.fresh || work.pending)) return { pending: false };
    if (!work.fresh) break;
    await runAll(db, [fanOut(db, { now: deps.clock() }), stepCursors(db, {})]);
  }
  const endpoints = await run(db, findDueEndpoints(db, { now: deps.clock(), limit: mostEndpoints }));
  const done = await Promise.allSettled(endpoints.map((endpoint) => deliverTo(deps, endpoint)));
  const failed = done.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return { pending: true };
};
