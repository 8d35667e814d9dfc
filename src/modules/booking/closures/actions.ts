import { formatLocalTime } from '../../../core/clinic/local-time.ts';
import { run, runAll } from '../../../core/db/db.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { type ErrorCode, Failure } from '../../../core/endpoint/errors.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import type { closures } from '../../../core/tables/catalog.ts';
import { changeEvent, recordSecurityEvent, toAuthor } from '../../auth/audit/queries.ts';
import type { AnyContext } from '../../auth/context.ts';
import { findUnderClosure } from '../../catalog/affected-queries.ts';
import { runsBookings, type Slot } from '../../catalog/slots/rules.ts';
import { changeBooking } from '../changes/change.ts';
import { rescheduleBooking } from '../changes/reschedule.ts';
import type { BookingRow } from '../record/queries.ts';
import { mayDo } from '../record/rules.ts';
import { computeFacts } from '../record/views.ts';
import type { ResolveClosure } from './contract.ts';
import { Places } from './places.ts';
import { findBookings, findBusy, findInService } from './queries.ts';

type Input = BodyOf<typeof ResolveClosure>;
type Closure = typeof closures.$inferSelect;

/** How many bookings a call changes: on Workers a request has a thousand queries. */
const maxChanged = 50;
/** How many writes it tries, where others take the same slots meanwhile. */
const maxTries = 70;

/** The booking is past, or no longer under the closure. */
const settled: readonly ErrorCode[] = ['invalid_transition', 'not_found'];
/** Another booking has taken the slot meanwhile: there may be another slot. */
const slotLost: readonly ErrorCode[] = [
  'slot_full',
  'slot_unavailable',
  'patient_busy',
  'session_not_offered',
];

const hasCode = (error: unknown, codes: readonly ErrorCode[]): boolean =>
  error instanceof Failure && codes.includes(error.code);

const seen = (booking: BookingRow) => ({ ...booking, isFamily: 0 });

const toPlace = (doctorId: string, slot: Slot) => ({
  doctor_id: doctorId,
  schedule_date: slot.date,
  schedule_time: formatLocalTime(slot.minuteOfDay),
});

interface Result {
  booking_id: string;
  result: 'canceled' | 'moved' | 'no_slot';
  moved_to: ReturnType<typeof toPlace> | null;
}

/** The work that remains for a call. */
interface Budget {
  changes: number;
  tries: number;
}

/** The outcome for one booking; null if the closure no longer covers it. */
type Resolve = (booking: BookingRow, budget: Budget) => Promise<Result | null>;

const canceling =
  (context: AnyContext, isDry: boolean): Resolve =>
  async (booking, budget) => {
    budget.changes -= 1;
    if (!isDry) {
      budget.tries -= 1;
      const answer = { view: () => undefined };
      const input = { reasonCode: 'closure', version: booking.version } as const;
      await changeBooking(context, 'cancel', input, seen(booking), answer);
    }
    return { booking_id: booking.id, result: 'canceled', moved_to: null };
  };

const moving =
  (context: AnyContext, places: Places, toDoctorId: string | undefined, isDry: boolean): Resolve =>
  async (booking, budget) => {
    const noSlot = { booking_id: booking.id, result: 'no_slot', moved_to: null } as const;
    if (!mayDo('reschedule', 'clinic', booking, computeFacts(context))) return noSlot;
    const doctorId = toDoctorId ?? booking.doctorId;
    const refused = new Set<number>();
    while (budget.tries > 0) {
      const slot = await places.next(booking, doctorId, refused);
      if (slot === null) return noSlot;
      const to = toPlace(doctorId, slot);
      try {
        if (!isDry) {
          budget.tries -= 1;
          const input = { ...to, session_id: booking.sessionId, version: booking.version };
          await rescheduleBooking(context, input, seen(booking), await places.rowsOf(doctorId));
        }
        budget.changes -= 1;
        places.moved(booking, doctorId, slot);
        return { booking_id: booking.id, result: 'moved', moved_to: to };
      } catch (error) {
        if (!hasCode(error, slotLost)) throw error;
        refused.add(slot.startsAt);
      }
    }
    return null;
  };

const assertTarget = async ({ deps, actor }: AnyContext, { action, to_doctor_id }: Input) => {
  if (action !== 'move' || to_doctor_id === undefined) return;
  // A doctor cannot assign a booking to a colleague.
  if (!runsBookings(to_doctor_id, actor)) throw new Failure('forbidden');
  const [doctor] = await run(deps.db, findInService(deps.db, { doctorId: to_doctor_id }));
  if (doctor === undefined) throw new Failure('doctor_not_found');
};

/** Bookings one after another, each in an atomic step of its own, until all are done or the call has done enough. */
const resolveEach = async (affected: readonly BookingRow[], resolve: Resolve) => {
  const budget = { changes: maxChanged, tries: maxTries };
  const results: Result[] = [];
  let done = 0;
  for (const booking of affected) {
    if (budget.changes === 0 || budget.tries === 0) break;
    try {
      const result = await resolve(booking, budget);
      // Out of tries: this one waits for the next call.
      if (result === null) break;
      results.push(result);
    } catch (error) {
      // It changed meanwhile and the closure may no longer cover it: the next call checks again.
      if (hasCode(error, ['version_mismatch'])) continue;
      if (!hasCode(error, settled)) throw error;
    }
    done += 1;
  }
  return { results, done };
};

/**
 * Cancels or moves the bookings under a closure, one by one. After a crash, a repeated call continues with the
 * remaining ones.
 */
export const resolveClosure = async (context: AnyContext, closure: Closure, input: Input) => {
  const { deps, now } = context;
  await assertTarget(context, input);
  const under = await run(deps.db, findUnderClosure(deps.db, now, closure));
  const ids = JSON.stringify(under.map(({ id }) => id));
  const { found, busy } = await runAll(deps.db, {
    found: findBookings(deps.db, { ids }),
    busy: findBusy(deps.db, { ids, now }),
  });
  const places = new Map(under.map((row) => [row.id, row]));
  // Between the two reads a booking may have left its place, and so the closure.
  const affected = found.filter(({ id, doctorId, startsAt }) => {
    const place = places.get(id);
    return place?.doctorId === doctorId && place.startsAt === startsAt;
  });
  let isWritten = false;
  const eventsWritten = () => {
    isWritten = true;
  };
  const each = { ...context, deps: { ...deps, eventsWritten }, toStoredResponse: () => null };
  const resolve =
    input.action === 'cancel'
      ? canceling(each, input.dry_run)
      : moving(each, new Places(deps, now, affected, busy), input.to_doctor_id, input.dry_run);
  try {
    const { results, done } = await resolveEach(affected, resolve);
    const meta = { remaining: Math.max(0, (under[0]?.total ?? 0) - done) };
    const answer = { status: 200 as const, data: results, meta };
    if (input.dry_run) return { ...answer, message: 'closure_previewed' as const };
    const counts = {
      action: input.action,
      bookings: results.filter(({ result }) => result !== 'no_slot').length,
    };
    const event = changeEvent(deps, toAuthor(context), 'closure_resolved', {
      closure_id: closure.id,
      ...counts,
    });
    const stored = { writeId: event.writeId, actorId: context.actor.userId, now };
    await runAll(deps.db, [
      recordSecurityEvent(deps.db, event),
      ...storeResponse(deps.db, stored, context.toStoredResponse(answer)),
    ]);
    return answer;
  } finally {
    if (isWritten) deps.eventsWritten();
  }
};
