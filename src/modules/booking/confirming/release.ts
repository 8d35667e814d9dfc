import { parseLocalTime } from '../../../core/clinic/local-time.ts';
import { runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import { changeBooking } from '../changes/change.ts';
import { heldUntil } from '../record/offer-rules.ts';
import { offerRules } from '../seats/offers.ts';
import { findToRelease } from './queries.ts';

const maxPerRound = 100;

/** From when on seats of a date go to the waitlist: the set time of the day before, by the clinic's clock. */
export const releaseFrom = ({ clinicTime }: Pick<Deps, 'clinicTime'>, date: string, time: string): number => {
  const before = clinicTime.addDays(date, -1);
  const minute = parseLocalTime(time) ?? 0;
  // A time that the clock skips is over when it has been put forward.
  return (
    clinicTime.instantOf(before, minute) ??
    clinicTime.instantOf(before, minute + 60) ??
    clinicTime.startOf(date)
  );
};

/**
 * Cancels the bookings of tomorrow whose patients have not said that they come and whose seats others are offered at once. Each by
 * the rule of every cancellation, in one step with the offer of its seat: one that is confirmed, moved or canceled meanwhile
 * is left as it is, and so is one for whose seat nobody waits any more.
 */
export const releaseUnconfirmed = async (deps: Deps, now: number, signal?: AbortSignal): Promise<void> => {
  const { db, clinicTime } = deps;
  const date = clinicTime.addDays(clinicTime.dateOf(now), 1);
  const {
    clinic: [clinic],
    found,
  } = await runAll(db, {
    clinic: findClinic(db, {}),
    found: findToRelease(db, { date, ...offerRules(deps, now), limit: maxPerRound }),
  });
  const time = clinic?.releaseUnconfirmedAt ?? null;
  if (time === null || now < releaseFrom(deps, date, time)) return;
  const context = {
    deps,
    actor: { userId: null, deviceLoginId: null, role: 'system' as const, doctorId: null },
    now,
    // A rule for patients alone.
    cancelLeadMinutes: 0,
    requestId: deps.newId(),
    toStoredResponse: () => null,
  };
  for (const booking of found) {
    if (signal?.aborted) return;
    // Of one that begins before a notice can be sent nobody would be told.
    if (heldUntil(now, booking.startsAt, deps.config, clinicTime) === null) continue;
    const { version } = booking;
    try {
      await changeBooking(
        context,
        'cancel',
        { version, reasonCode: 'unconfirmed' },
        { ...booking, isFamily: 0 },
        { view: () => undefined, onlyIfOffered: true },
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
};
