import { run } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { AnyActor } from '../../auth/context.ts';
import { listSteps } from '../../exchange/outbox/steps.ts';
import { listTargets } from '../../exchange/outbox/targets.ts';
import { eventTypeByVerb } from '../changes/change.ts';
import { stateColumns } from '../changes/queries.ts';
import type { ActingContext } from '../record/context.ts';
import type { BookingRow } from '../record/queries.ts';
import { runsBookingsOf } from '../record/rules.ts';
import { detailView, eventPayload } from '../record/views.ts';
import { afterVerb } from '../record/visit-rules.ts';
import { toWriter } from '../seats/guards.ts';
import { refuseActor } from '../seats/refusal.ts';
import { commitChoice } from './next-effects.ts';
import { callFirst, explainNext } from './next-queries.ts';
import { findAwaitingCall } from './queries.ts';

/** How many may be called by other desks between a reading and its write, at first and once that was too few. */
const fewChoices = 8;
const manyChoices = 100;

interface Queue {
  doctorId: string;
  sessionId: string | null;
}

/** The read of those who may be called next. */
export const nextReads = (deps: Deps, now: number, queue: Queue, limit = fewChoices) =>
  findAwaitingCall(deps.db, { ...queue, date: deps.clinicTime.dateOf(now), limit });

/** Each booking that may be called, as it would be after the call, with the values to write and to answer. */
const buildChoices = (context: ActingContext<AnyActor>, callable: readonly BookingRow[], writeId: string) => {
  const { actor, now, toStoredResponse } = context;
  const by = { party: 'clinic', role: actor.role } as const;
  const targets = listTargets(context.deps.config);
  return callable.map((booking) => {
    const called = { ...booking, ...afterVerb('call', booking, by, now, null) };
    const next = { ...called, version: booking.version + 1, writeId, updatedAt: now };
    const data = detailView(context, next, 'clinic');
    return {
      booking,
      next,
      data,
      steps: listSteps(targets, booking, next),
      stored: toStoredResponse({ status: 200, data }),
    };
  });
};

const asJson = (choices: ReturnType<typeof buildChoices>, { role }: AnyActor): string =>
  JSON.stringify(
    Object.fromEntries(
      choices.map(({ booking: { id, version, startsAt }, next, stored, steps }) => [
        id,
        {
          version,
          startsAt,
          state: stateColumns.valuesOf(next),
          payload: eventPayload(next, role, null),
          ...(steps.length > 0 && { steps }),
          ...(stored !== null && { body: stored.body }),
        },
      ]),
    ),
  );

const tryToCall = async (context: ActingContext<AnyActor>, queue: Queue, callable: readonly BookingRow[]) => {
  const { deps, actor, now, requestId } = context;
  const writeId = deps.newId();
  const choices = buildChoices(context, callable, writeId);
  const stored = choices[0]?.stored ?? null;
  const date = deps.clinicTime.dateOf(now);
  const guards = {
    ...toWriter(context, { id: '', writeId, key: stored?.idempotency.key ?? null }),
    ...queue,
    date,
    choices: asJson(choices, actor),
  };
  const change = {
    ...{ writeId, requestId, now, date, doctorId: queue.doctorId, choices: guards.choices },
    ...{ type: eventTypeByVerb.call, actorId: actor.userId, actorRole: actor.role },
    hasSteps: choices.some(({ steps }) => steps.length > 0),
  };
  const guarded = callFirst(deps.db, guards);
  const why = await commitChoice(deps, guarded, change, stored, explainNext(deps.db, guards));
  return { why, called: choices.find(({ booking }) => booking.id === why?.bookingId) };
};

/**
 * Calls the next who has come. The write itself chooses, so that two desks at once call two patients in their order; if
 * it chose somebody who was not among those that were read, or who changed meanwhile, decides again.
 */
export const callNext = async (
  context: ActingContext<AnyActor>,
  queue: Queue,
  first: readonly BookingRow[],
) => {
  const { deps, actor, now } = context;
  if (!runsBookingsOf(queue.doctorId, actor)) throw new Failure('forbidden');
  let callable = first;
  return decideAgain(async () => {
    if (callable.length === 0) throw new Failure('queue_empty');
    const { why, called } = await tryToCall(context, queue, callable);
    if (called !== undefined) return called.data;
    if (why !== undefined) refuseActor(why);
    callable = await run(deps.db, nextReads(deps, now, queue, manyChoices));
    return overtaken;
  });
};
