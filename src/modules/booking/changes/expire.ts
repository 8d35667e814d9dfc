import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { findExpired } from '../record/queries.ts';
import { changeBooking } from './change.ts';

const maxPerRound = 100;

/**
 * Cancels waiting bookings whose end has passed, at most a hundred a round, and leaves those that changed meanwhile.
 * The deliverer of webhooks is woken once for all of them.
 */
export const expireBookings = async (deps: Deps, now: number, signal?: AbortSignal): Promise<void> => {
  const actor = { userId: null, deviceLoginId: null, role: 'system' as const, doctorId: null };
  let isWritten = false;
  const eventsWritten = () => {
    isWritten = true;
  };
  const context = {
    deps: { ...deps, eventsWritten },
    actor,
    now,
    // A rule only for patients: an expiry ignores it.
    cancelLeadMinutes: 0,
    requestId: deps.newId(),
    toStoredResponse: () => null,
  };
  try {
    for (const booking of await run(deps.db, findExpired(deps.db, { now, limit: maxPerRound }))) {
      if (signal?.aborted) return;
      try {
        await changeBooking(
          context,
          'expire',
          {},
          { ...booking, isFamily: 0 },
          {
            view: () => undefined,
          },
        );
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
      }
    }
  } finally {
    if (isWritten) deps.eventsWritten();
  }
};
