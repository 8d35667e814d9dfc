import { run } from '../../db/db.ts';
import { decideAgain, overtaken } from '../../db/decide-again.ts';
import { catalogue, Failure } from '../../endpoint/errors.ts';
import type { WholeMessageKey } from '../../endpoint/messages.ts';
import {
  type BookingRow,
  changeVersion,
  explainChange,
  findBooking,
  type SeenBooking,
  stateColumns,
} from '../record/queries.ts';
import { refusedTransition } from '../record/refusal.ts';
import {
  afterVerb,
  isVerbOf,
  mayDo,
  type Party,
  partyOf,
  type Verb,
  visitStatusOf,
} from '../record/rules.ts';
import { eventPayload, factsOf } from '../record/views.ts';
import { type ActingContext, refuseActor, writerOf } from '../seats/decide.ts';
import { type Change, commitChange } from './effects.ts';

export const eventTypes = {
  approve: 'booking.approved',
  reject: 'booking.canceled',
  cancel: 'booking.canceled',
  expire: 'booking.canceled',
  reschedule: 'booking.rescheduled',
  'check-in': 'booking.checked_in',
  call: 'booking.called',
  complete: 'booking.completed',
  'no-show': 'booking.no_show',
} as const satisfies Record<Verb, Change['type']>;

export interface ChangeInput {
  reason?: string | undefined;
  version?: number | undefined;
}

/** In which role the actor changes the booking; throws if this change is not allowed in the booking's current state. */
export const assertMay = (
  { deps, actor, now }: ActingContext,
  verb: Verb,
  booking: SeenBooking,
  { version }: ChangeInput,
): Party => {
  const party = partyOf(booking, actor);
  if (party === null) throw new Failure('not_found');
  if (!isVerbOf(verb, party)) throw new Failure('forbidden');
  if (version !== undefined && version !== booking.version)
    throw new Failure('version_mismatch', { extras: { version: booking.version } });
  const facts = factsOf(deps, now);
  if (mayDo(verb, party, booking, facts)) return party;
  const visit = visitStatusOf(booking);
  throw new Failure('invalid_transition', {
    sentence: refusedTransition(verb, party, booking, facts) ?? catalogue.invalid_transition,
    extras: { booking_status: booking.status, ...(visit !== null && { visit }) },
  });
};

/** The change of a booking to what it is next, as its event tells it. */
export const changeTo = (
  { actor, now, requestId }: ActingContext,
  verb: Verb,
  party: Party,
  next: BookingRow,
): Change => ({
  bookingId: next.id,
  writeId: next.writeId,
  actorId: actor.userId,
  actorRole: party === 'patient' ? 'patient' : actor.role,
  requestId,
  now,
  type: eventTypes[verb],
  payload: eventPayload(next),
  takesTicket: verb === 'reschedule',
});

/**
 * Does a verb that leaves the booking where it is: one compare-and-swap on its version with its event and the kept
 * answer. Decides again when the booking changed meanwhile. `view` is what is answered of the changed booking.
 */
export const changeBooking = async <D>(
  context: ActingContext,
  verb: Verb,
  input: ChangeInput,
  first: SeenBooking,
  answer: { message: WholeMessageKey; view: (row: BookingRow, party: Party) => D },
): Promise<D> => {
  const { deps, now, storedResponseOf } = context;
  let latest: SeenBooking | undefined = first;
  return decideAgain<D>(async () => {
    const booking = latest;
    if (booking === undefined) throw new Failure('unavailable');
    const party = assertMay(context, verb, booking, input);
    const writeId = deps.newId();
    const state = afterVerb(verb, booking, { party, role: context.actor.role }, now, input.reason ?? null);
    const next = { ...booking, ...state, version: booking.version + 1, writeId, updatedAt: now };
    const data = answer.view(next, party);
    const kept = storedResponseOf({ status: 200, data, message: answer.message });
    const guards = {
      ...writerOf(context, { id: booking.id, writeId, key: kept?.idempotency.key ?? null }),
      version: booking.version,
      starts_at: booking.startsAt,
    };
    const why = await commitChange(
      deps,
      changeVersion(deps.db, { ...guards, ...stateColumns.valuesOf(next) }),
      changeTo(context, verb, party, next),
      kept,
      explainChange(deps.db, guards),
    );
    if (why?.written) return data;
    if (why !== undefined) refuseActor(why);
    [latest] = await run(deps.db, findBooking(deps.db, { id: first.id, accountId: context.actor.userId }));
    return overtaken;
  });
};
