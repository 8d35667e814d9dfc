import { resolveRule } from '../../../core/clinic/rules.ts';
import { runAll, type Statement } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { catalogue, Failure } from '../../../core/endpoint/errors.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import type { ActingContext } from '../record/context.ts';
import { type BookingRow, findBooking, type SeenBooking } from '../record/queries.ts';
import { refusedTransition } from '../record/refusal.ts';
import { mayDo, mayEverUse, type Party, partyOfActor, toVisitStatus, type Verb } from '../record/rules.ts';
import { computeFacts } from '../record/views.ts';
import { afterVerb } from '../record/visit-rules.ts';
import { toWriter } from '../seats/guards.ts';
import { offerFreed, offerRules } from '../seats/offers.ts';
import { refuseActor } from '../seats/refusal.ts';
import { type Change, changeTo, commitChange } from './effects.ts';
import { changeIfOffered, changeVersion, explainChange, placeBehind, stateColumns } from './queries.ts';

export const eventTypeByVerb = {
  approve: 'booking.approved',
  reject: 'booking.canceled',
  cancel: 'booking.canceled',
  expire: 'booking.canceled',
  reschedule: 'booking.rescheduled',
  'check-in': 'booking.checked_in',
  call: 'booking.called',
  complete: 'booking.completed',
  'no-show': 'booking.no_show',
  undo: 'booking.undone',
  skip: 'booking.skipped',
  accept: 'booking.accepted',
  lapse: 'booking.canceled',
} as const satisfies Record<Verb, Change['type']>;

export interface ChangeInput {
  reason?: string | undefined;
  /** Why a booking is canceled, if the verb does not imply it. */
  reasonCode?: BookingRow['cancelReasonCode'];
  version?: number | undefined;
}

/** Throws if the request names another version than the present one. */
export const assertVersion = ({ version }: BookingRow, wanted: ChangeInput): void => {
  if (wanted.version !== undefined && wanted.version !== version)
    throw new Failure('version_mismatch', { extras: { version } });
};

/** The verbs that change a booking without moving it to another slot. */
export type VerbInPlace = Exclude<Verb, 'reschedule' | 'accept'>;

/** The verbs that free a seat. A booking that expires unapproved is not among them: its slot is already past. */
const freeing = new Set<Verb>(['cancel', 'reject', 'lapse']);

/** The party as which the actor changes the booking; throws if this party may not, or not in its present state. */
export const assertMay = (
  context: ActingContext,
  verb: Verb,
  booking: SeenBooking,
  input: ChangeInput,
  isVouched = false,
): Party => {
  const { actor } = context;
  const own = partyOfActor(booking, actor);
  if (own === null) throw new Failure('not_found');
  const party = isVouched ? 'clinic' : own;
  if (!mayEverUse(verb, party)) throw new Failure('forbidden');
  assertVersion(booking, input);
  const facts = computeFacts(context);
  if (mayDo(verb, party, booking, facts)) return party;
  const visit = toVisitStatus(booking);
  throw new Failure('invalid_transition', {
    sentence: refusedTransition(verb, party, booking, facts) ?? catalogue.invalid_transition,
    extras: { booking_status: booking.status, ...(visit !== null && { visit }) },
  });
};

/** The answer to a change: what it shows of the changed booking. */
interface ChangeAnswer<D> {
  view: (row: BookingRow, party: Party) => D;
  /** Further statements of the batch if the seat is given back. */
  also?: (next: BookingRow) => readonly Statement[];
  /** Does nothing unless the seat that is given back is offered to somebody at once. */
  onlyIfOffered?: boolean;
  /** The clinic vouches for a patient who does what only the clinic may: the poster on its wall. */
  isVouched?: boolean;
}

/** The booking after the verb. */
export const changed = (
  { deps, actor, now }: ActingContext,
  verb: VerbInPlace,
  booking: BookingRow,
  party: Party,
  { reason, reasonCode }: ChangeInput,
): BookingRow => ({
  ...booking,
  ...afterVerb(verb, booking, { party, role: actor.role }, now, reason ?? null),
  ...(reasonCode !== undefined && { cancelReasonCode: reasonCode }),
  version: booking.version + 1,
  writeId: deps.newId(),
  updatedAt: now,
});

/** The same, under the rule of canceling that the clinic has now. */
export const withCancelLead = <C extends ActingContext>(
  context: C,
  clinic: Parameters<typeof resolveRule>[2] | undefined,
): C => {
  const cancelLeadMinutes = resolveRule('cancelLeadMinutes', context.deps.config, clinic ?? {});
  return { ...context, cancelLeadMinutes };
};

/** The rule by which a patient's change was decided, if the rule in the database could have changed since. */
export const findDecidedLead = (
  { deps: { config }, cancelLeadMinutes }: ActingContext,
  party: Party,
): number | null =>
  party === 'patient' && config.CANCEL_LEAD_MINUTES === undefined ? cancelLeadMinutes : null;

/** One attempt: the guarded update of the version that was decided on, and its effects. */
const tryToChange = async <D>(
  context: ActingContext,
  verb: VerbInPlace,
  booking: BookingRow,
  next: BookingRow,
  party: Party,
  { view, also = () => [], onlyIfOffered = false }: ChangeAnswer<D>,
) => {
  const { deps, now, toStoredResponse } = context;
  const data = view(next, party);
  const response = toStoredResponse({ status: 200, data });
  const key = response?.idempotency.key ?? null;
  const guards = {
    ...toWriter(context, { id: booking.id, writeId: next.writeId, key }),
    version: booking.version,
    startsAt: booking.startsAt,
  };
  const values = {
    ...guards,
    decidedLead: findDecidedLead(context, party),
    ...stateColumns.valuesOf(next),
  };
  const why = await commitChange(
    deps,
    [
      onlyIfOffered
        ? changeIfOffered(deps.db, { ...values, ...offerRules(deps, now) })
        : changeVersion(deps.db, values),
      ...(verb === 'skip' ? [placeBehind(deps.db, { ...guards })] : []),
      ...(freeing.has(verb) ? [...also(next), ...offerFreed(context, booking, next)] : []),
    ],
    changeTo(context, eventTypeByVerb[verb], party, booking, next),
    response,
    explainChange(deps.db, guards),
  );
  return { data, why };
};

/**
 * Does a verb that leaves the booking in its slot, in one guarded update. Decides again if the booking changed
 * meanwhile.
 */
export const changeBooking = async <D>(
  asked: ActingContext,
  verb: VerbInPlace,
  input: ChangeInput,
  first: SeenBooking,
  answer: ChangeAnswer<D>,
): Promise<D> => {
  const { deps, actor } = asked;
  let context = asked;
  let latest: SeenBooking | undefined = first;
  return decideAgain<D>(async () => {
    const booking = latest;
    if (booking === undefined) throw new Failure('unavailable');
    const party = assertMay(context, verb, booking, input, answer.isVouched);
    const next = changed(context, verb, booking, party, input);
    const { data, why } = await tryToChange(context, verb, booking, next, party, answer);
    if (why?.written) return data;
    if (why !== undefined) refuseActor(why);
    // Nobody waits for the seat any more, or the booking is another by now: either way it stays.
    if (answer.onlyIfOffered) throw new Failure('unavailable');
    const {
      found,
      clinic: [clinic],
    } = await runAll(deps.db, {
      found: findBooking(deps.db, { id: first.id, accountId: actor.userId }),
      clinic: findClinic(deps.db, {}),
    });
    [latest] = found;
    context = withCancelLead(context, clinic);
    return overtaken;
  });
};
