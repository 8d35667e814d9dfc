import { run, runAll } from '../../../core/db/db.ts';
import type { Deps, WebhookOutcome } from '../../../core/deps.ts';
import type { Attempt } from './attempt.ts';
import { settleAttempt, wakeWaiting } from './attempt-queries.ts';
import { endpointFailed, endpointWell, holdEndpoint, pauseEndpoint } from './health-queries.ts';
import { holdAfter, isReceipt, nextAttempt, pauseReason } from './rules.ts';

interface When {
  now: number;
  /** Whether the endpoint is being paused: its delivery then waits until it is resumed. */
  paused: boolean;
}

/** The values that an attempt leaves behind. An aborted attempt is due again at once and counts as no failure. */
const settledAs = ({ delivery, outcome }: Attempt, { now, paused }: When) => {
  if (outcome === null)
    return { status: null, error: null, state: 'pending', nextAttemptAt: now, settledAt: null };
  const answer = {
    status: 'status' in outcome ? outcome.status : null,
    error: 'failure' in outcome ? outcome.failure : null,
  };
  if (isReceipt(outcome)) return { ...answer, state: 'delivered', nextAttemptAt: null, settledAt: now };
  const requestedPauseMs = 'status' in outcome ? (outcome.retryAfterMs ?? 0) : 0;
  const next = paused ? now : nextAttempt(delivery, now, Math.random(), requestedPauseMs);
  const settled = next === null;
  return {
    ...answer,
    state: settled ? 'given_up' : 'pending',
    nextAttemptAt: next,
    settledAt: settled ? now : null,
  };
};

const settleEach = (deps: Deps, leaseId: string, attempts: readonly Attempt[], when: When) =>
  attempts.map((attempt) =>
    settleAttempt(deps.db, { id: attempt.delivery.id, leaseId, ...settledAs(attempt, when) }),
  );

/** Counts a round without any success as one failure: the endpoint waits, or is paused if it counts as dead. */
const settleFailure = async (
  deps: Deps,
  id: string,
  leaseId: string,
  attempts: readonly Attempt[],
  failures: readonly WebhookOutcome[],
) => {
  const now = deps.clock();
  const [state] = await run(deps.db, endpointFailed(deps.db, { id, now }));
  if (state === undefined) return;
  const failingSince = state.failingSince ?? now;
  const reasons = failures.map((outcome) => pauseReason(outcome, failingSince, now));
  const reason = reasons.find((found) => found === 'gone') ?? reasons.find((found) => found !== null) ?? null;
  const consequence =
    reason === null
      ? holdEndpoint(deps.db, { id, holdUntil: holdAfter(failingSince, now) })
      : pauseEndpoint(deps.db, { id, now, reason });
  await runAll(deps.db, [
    ...settleEach(deps, leaseId, attempts, { now, paused: reason !== null }),
    consequence,
  ]);
  if (reason !== null) deps.log.warn('webhook paused', { endpoint_id: id, reason });
};

const settleReceipts = async (deps: Deps, id: string, leaseId: string, attempts: readonly Attempt[]) => {
  const now = deps.clock();
  await runAll(deps.db, [
    ...settleEach(deps, leaseId, attempts, { now, paused: false }),
    wakeWaiting(deps.db, { endpointId: id, now }),
    endpointWell(deps.db, { id }),
  ]);
};

/** Stores the outcomes of parallel attempts, and returns whether the receiver accepted any of them. */
export const settleAttempts = async (
  deps: Deps,
  id: string,
  leaseId: string,
  attempts: readonly Attempt[],
): Promise<boolean> => {
  const outcomes = attempts.flatMap(({ outcome }) => outcome ?? []);
  const isReceived = outcomes.some(isReceipt);
  if (isReceived) await settleReceipts(deps, id, leaseId, attempts);
  else if (outcomes.length > 0) await settleFailure(deps, id, leaseId, attempts, outcomes);
  else await runAll(deps.db, settleEach(deps, leaseId, attempts, { now: deps.clock(), paused: false }));
  return isReceived;
};
