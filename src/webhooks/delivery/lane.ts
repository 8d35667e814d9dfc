import { run, runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { type Endpoint, makeAttempt, secretsOf } from './attempt.ts';
import { claimDue, findClaimed } from './attempt-queries.ts';
import { pauseEndpoint } from './health-queries.ts';
import { leaseMs, maxAttemptsOfEndpoint } from './rules.ts';
import { settleAttempts } from './settle.ts';

/** What the lanes of one process or one invocation share. */
export interface Allowance {
  /** Attempts that may be made at once beside the one that each endpoint may always make. */
  spareAttempts: number;
  /** Statements that may still be run. */
  statements: number;
  /** Whether more may be claimed. */
  mayClaim: () => boolean;
  /** Cuts the attempts that are under way. */
  cut?: AbortSignal;
}

const claim = async (deps: Deps, endpointId: string, max: number) => {
  const now = deps.clock();
  const leaseId = deps.newId();
  const lease = { endpoint_id: endpointId, lease_id: leaseId, now, lease_until: now + leaseMs };
  const [, claimed] = await runAll(deps.db, [
    claimDue(deps.db, lease, max),
    findClaimed(deps.db, { leaseId }),
  ]);
  return { leaseId, claimed, now };
};

/** One claim, its attempts and what is written down of them; says whether the receiver took anything. */
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
 * Sends what is due to one endpoint until nothing is, a failure, or the end of the allowance. It never waits for
 * another endpoint: one attempt it may always make. One that fails is asked with a single event until it answers again.
 */
export const deliverTo = async (deps: Deps, endpoint: Endpoint, allowance: Allowance): Promise<void> => {
  const { id } = endpoint;
  const secrets = await secretsOf(deps, endpoint, deps.clock());
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
