import { run } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../errors.ts';
import { changeBooking } from './change.ts';
import { findExpired } from './queries.ts';

const mostARound = 100;

/** Cancels waiting bookings whose end has passed, at most a hundred a round; one that changed meanwhile is left. */
export const expireBookings = async (deps: Deps, now: number): Promise<void> => {
  const actor = { userId: null, deviceLoginId: null, role: 'system' as const, doctorId: null };
  const asked = { deps, actor, now, requestId: deps.newId(), keep: () => null };
  for (const booking of await run(deps.db, findExpired(deps.db, { now, limit: mostARound })))
    try {
      await changeBooking(asked, 'expire', {}, booking, {
        message: 'booking_canceled',
        view: () => undefined,
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
};
