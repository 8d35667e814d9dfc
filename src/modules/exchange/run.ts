import { run, runAll } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { errorName } from '../../core/log.ts';
import type { ExchangeReason } from '../../core/tables/words.ts';
import { sendToBpjs } from '../bpjs/outbound/send.ts';
import { afterAttempt, isHeldBack } from '../notices/sending/rest.ts';
import { forgetToken } from '../satusehat/queries.ts';
import { sendToSatusehat } from '../satusehat/send.ts';
import { getToken } from '../satusehat/token.ts';
import { leaseMs, nextAttempt } from '../webhooks/delivery/rules.ts';
import { findBacklog } from './list-queries.ts';
import {
  type Claimed,
  claimSteps,
  deleteGone,
  findClaimed,
  findTarget,
  forgetLeft,
  keepNames,
  raiseLater,
  restTarget,
  settleSteps,
} from './outbox/queries.ts';
import type { Target } from './outbox/steps.ts';
import { listTargets } from './outbox/targets.ts';
import type { Attempted, TargetState, Verdict } from './outbox/verdict.ts';

/** How many rounds a run makes: a Worker's number of queries is limited. */
const maxRounds = 40;
/** How long a run begins further rounds; the longest attempt ends before the job does. */
const runMs = 15_000;
/** How long nothing is sent to a target that refuses the clinic. */
const refusedMs = 15 * 60_000;

/** The state of a step after an attempt, for `settleSteps` and `deleteGone`. */
interface Outcome {
  id: string;
  state: 'gone' | 'waiting' | 'parked';
  dueAt?: number;
  at?: number;
  reason?: ExchangeReason;
  answer?: string;
  uncounted?: 1;
  parkedAt?: number;
}

/** What an attempt leaves behind. `heldUntil`: the target rests, and that was no fault of the step. */
const toOutcome = ({ row, verdict }: Attempted, now: number, heldUntil: number | null): Outcome => {
  const { id } = row;
  switch (verdict.is) {
    case 'done':
    case 'dropped':
      return { id, state: 'gone' };
    case 'joined':
    case 'renew':
      return { id, state: 'waiting', dueAt: now, uncounted: 1 };
    case 'parked':
      return {
        ...{ id, state: 'parked', parkedAt: now, reason: verdict.reason },
        ...(verdict.answer !== undefined && { answer: verdict.answer }),
      };
    case 'rest':
      return {
        id,
        state: 'waiting',
        dueAt: heldUntil ?? now + refusedMs,
        reason: verdict.reason,
        uncounted: 1,
      };
    case 'again': {
      const { reason, at, answer } = verdict;
      const waiting = { id, state: 'waiting', reason, ...(answer !== undefined && { answer }) } as const;
      if (at !== undefined) return { ...waiting, dueAt: Math.max(at, now), at };
      // The first attempt counts though its answer is missing: the other side may have taken it.
      if (heldUntil !== null)
        return { ...waiting, dueAt: heldUntil, ...(row.attempts > 1 && { uncounted: 1 }) };
      const dueAt = nextAttempt(row, now, Math.random());
      return dueAt === null ? { ...waiting, state: 'parked', parkedAt: now } : { ...waiting, dueAt };
    }
  }
};

const note = ({ log }: Deps, target: Target, { row, verdict }: Attempted, outcome: Outcome): void => {
  const line = { exchange_id: row.id, booking_id: row.bookingId, target: target.name, step: row.step };
  if (verdict.is === 'dropped' && verdict.why !== 'not_theirs')
    log.warn('exchange dropped', { ...line, why: verdict.why });
  if (outcome.state === 'parked') log.warn('exchange parked', { ...line, reason: outcome.reason });
};

/** Stores what became of a round, in one step. */
const settle = async (
  deps: Deps,
  target: Target,
  leaseId: string,
  attempted: readonly Attempted[],
  state: TargetState | undefined,
) => {
  const { db, clock, rests } = deps;
  const now = clock();
  let refusal: Extract<Verdict, { is: 'rest' }> | null = null;
  for (const { verdict } of attempted) {
    const heard = 'heard' in verdict ? verdict.heard : 'answer';
    rests.set(target.name, afterAttempt(rests.get(target.name), heard, now, now));
    if (verdict.is === 'rest') refusal = verdict;
  }
  const rest = rests.get(target.name);
  const isHeld = (verdict: Verdict) =>
    rest !== undefined && 'heard' in verdict && isHeldBack(verdict.heard, rest, now);
  const outcomes = attempted.map((one) =>
    toOutcome(one, now, isHeld(one.verdict) ? (rest?.until ?? null) : null),
  );
  for (const [at, one] of attempted.entries()) note(deps, target, one, outcomes[at] as Outcome);
  const taken = attempted.filter(({ verdict }) => verdict.is === 'done' || verdict.is === 'joined');
  const named = taken.flatMap(({ row: { bookingId }, verdict }) =>
    'exchangeCode' in verdict || ('encounterId' in verdict && verdict.encounterId !== undefined)
      ? [{ bookingId, ...verdict }]
      : [],
  );
  const reported = taken.flatMap(({ row: { bookingId, step, occurredAt: at }, verdict }) =>
    verdict.is === 'done' && step !== 'add' && step !== 'cancel' ? [{ bookingId, at }] : [],
  );
  const values = { leaseId, outcomes: JSON.stringify(outcomes) };
  const names = { target: target.name, named: JSON.stringify(named) };
  const until = refusal === null ? null : Math.max(now + refusedMs, rest?.until ?? 0);
  const isRestNews =
    refusal !== null || (taken.length > 0 && state !== undefined && state.restReason !== null);
  await runAll(db, [
    settleSteps(db, values),
    deleteGone(db, values),
    ...(named.length > 0 ? [keepNames(db, names), forgetLeft(db, names)] : []),
    ...(target.family === 'rs' && reported.length > 0
      ? [raiseLater(db, { target: target.name, reported: JSON.stringify(reported) })]
      : []),
    ...(isRestNews ? [restTarget(db, { target: target.name, until, reason: refusal?.reason ?? null })] : []),
  ]);
  if (refusal !== null) deps.log.error('exchange refused', { target: target.name, reason: refusal.reason });
  return { isRefused: refusal !== null };
};

type Send = (row: Claimed) => Promise<Verdict>;

/** How the steps of this round are sent; null if the target cannot be asked now. */
const prepare = async (
  deps: Deps,
  target: Target,
  state: TargetState | undefined,
  signal: AbortSignal,
): Promise<{ send: Send; sealed: string | null } | null> => {
  if (target.name === 'bpjs') return { send: (row) => sendToBpjs(deps, row, signal), sealed: null };
  const none = { token: null, tokenUntil: null, tokenFailedAt: null };
  const access = await getToken(deps, state ?? none, signal);
  if ('token' in access)
    return {
      send: (row) => sendToSatusehat(deps, row, access.token, signal),
      sealed: access.sealed,
    };
  const reason = access.refused ? 'credentials' : 'no_answer';
  await run(deps.db, restTarget(deps.db, { target: target.name, until: access.until, reason }));
  deps.log.error('exchange refused', { target: target.name, reason });
  return null;
};

/** Sends what is due to one target: in each round the first step of several bookings. */
const sendTo = async (deps: Deps, target: Target, begunAt: number, signal: AbortSignal): Promise<void> => {
  const { db, clock } = deps;
  let hasRenewed = false;
  for (let round = 0; round < maxRounds && !signal.aborted; round++) {
    const now = clock();
    if (now - begunAt > runMs || (deps.rests.get(target.name)?.until ?? 0) > now) return;
    const [state] = await run(db, findTarget(db, { target: target.name }));
    if ((state?.restUntil ?? 0) > now) return;
    const prepared = await prepare(deps, target, state, signal);
    if (prepared === null) return;
    const leaseId = deps.newId();
    const { claimed } = await runAll(db, {
      leased: claimSteps(db, {
        target: target.name,
        leaseId,
        leaseUntil: now + leaseMs,
        now,
      }),
      claimed: findClaimed(db, { leaseId, family: target.family }),
    });
    if (claimed.length === 0) return;
    const attempted = await Promise.all(
      claimed.map(async (row): Promise<Attempted> => {
        const verdict = await prepared.send(row).catch((error: unknown): Verdict => {
          deps.log.error('exchange failed', {
            exchange_id: row.id,
            cause: errorName(error),
          });
          return { is: 'again', reason: 'internal' };
        });
        // A second refusal of a token that was just made is one of the client id.
        return {
          row,
          verdict: verdict.is === 'renew' && hasRenewed ? { is: 'rest', reason: 'credentials' } : verdict,
        };
      }),
    );
    const { isRefused } = await settle(deps, target, leaseId, attempted, state);
    if (isRefused) return;
    if (attempted.some(({ verdict }) => verdict.is === 'renew')) {
      hasRenewed = true;
      if (prepared.sealed !== null) await run(db, forgetToken(db, { token: prepared.sealed }));
    }
  }
};

/** Logs how many steps wait and how many need a person, for a runtime without metrics. */
const reportBacklog = async ({ db, config, metrics }: Deps): Promise<void> => {
  if (metrics.exchangeBacklog === undefined) return;
  const targets = JSON.stringify(listTargets(config).map(({ name }) => name));
  for (const { target, waiting, parked } of await run(db, findBacklog(db, { targets })))
    metrics.exchangeBacklog({ target, waiting, parked });
};

/**
 * Sends the due steps to the health systems that are switched on, all at the same time: one that does not answer delays
 * no other. Any number of processes may do so at once.
 */
export const sendExchanges = async (deps: Deps, now: number, signal: AbortSignal): Promise<void> => {
  const targets = listTargets(deps.config);
  if (targets.length === 0) return;
  const ended = await Promise.allSettled(targets.map((target) => sendTo(deps, target, now, signal)));
  await reportBacklog(deps);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
};
