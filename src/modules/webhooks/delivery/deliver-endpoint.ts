import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { type Endpoint, makeAttempt, openSecrets } from './attempt.ts';
import { claimDue, findClaimed } from './attempt-queries.ts';
import { pauseEndpoint } from './health-queries.ts';
import { leaseMs, maxAttemptsOfEndpoint } from './rules.ts';
import { settleAttempts } from './settle.ts';

/** Limits that all deliveries of one process or invocation share; one runs for each endpoint. */
export interface Allowance {
  /** Parallel attempts that are allowed in addition to the one that each endpoint always has. */
  spareAttempts: number;
  /** Statements that may still be run. */
  statements: number;
  /** Whether more may be claimed. */
  mayClaim: () => boolean;
  /** Aborts the attempts that are in progress. */
  cut?: AbortSignal;
}

const claim = async (deps: Deps, endpointId: string, max: number) => {
  const now = deps.clock();
  const leaseId = deps.newId();
  const lease = { endpointId, leaseId, now, leaseUntil: now + leaseMs };
  const { claimed } = await runAll(deps.db, {
    leased: claimDue(deps.db, lease, max),
    claimed: findClaimed(deps.db, { leaseId }),
  });
  return { leaseId, claimed, now };
};

/** Claims deliveries, sends them and stores the outcomes; returns whether the receiver accepted any. */
const deliverRound = async (
  deps: Deps,
  endpoint: Endpoint,
  secrets: readonly string[],
  max: number,
  allowance: Allowance,
): Promise<boolean> => {
  const { leaseId, claimed, now } = await claim(deps, endpoint.id, max);
  allowance.statements -= 4 + claimed.length;
  if (claimed.length === 0) return false;
  const how = { secrets, claimedAt: now, cut: allowance.cut };
  const attempts = await Promise.all(claimed.map((delivery) => makeAttempt(deps, endpoint, delivery, how)));
  return settleAttempts(deps, endpoint.id, leaseId, attempts);
};

/**
 * Sends due events to one endpoint until none is left, it fails, or the allowance is used up. It never waits for other
 * endpoints, because one attempt is always allowed. A failing endpoint gets single events until it works again.
 */
export const deliverTo = async (deps: Deps, endpoint: Endpoint, allowance: Allowance): Promise<void> => {
  const { id } = endpoint;
  const secrets = await openSecrets(deps, endpoint, deps.clock());
  if (secrets === null) {
    deps.log.error('webhook secret cannot be opened', { endpoint_id: id });
    await run(deps.db, pauseEndpoint(deps.db, { id, now: deps.clock(), reason: 'secret_lost' }));
    return;
  }
  let isWell = endpoint.failingSince === null;
  do {
    if (allowance.statements <= 0 || !allowance.mayClaim()) return;
    const spare = isWell ? Math.min(maxAttemptsOfEndpoint - 1, allowance.spareAttempts) : 0;
    allowance.spareAttempts -= spare;
    try {
      isWell = await deliverRound(deps, endpoint, secrets, 1 + spare, allowance);
    } finally {
      allowance.spareAttempts += spare;
    }
  } while (isWell);
};
