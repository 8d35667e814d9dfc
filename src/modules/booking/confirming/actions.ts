import { run } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { catalogue, Failure } from '../../../core/endpoint/errors.ts';
import { assertVersion, type ChangeInput } from '../changes/change.ts';
import { changeTo, commitChange } from '../changes/effects.ts';
import { confirmVisit, explainChange } from '../changes/queries.ts';
import type { ActingContext } from '../record/context.ts';
import { findBooking, type SeenBooking } from '../record/queries.ts';
import { refusedTransition } from '../record/refusal.ts';
import { partyOfActor, toVisitStatus } from '../record/rules.ts';
import { computeFacts, detailView } from '../record/views.ts';
import { toWriter } from '../seats/guards.ts';
import { refuseActor } from '../seats/refusal.ts';
import { mayConfirm } from './rules.ts';
import { confirmingSentences } from './sentences.ts';

/** Why nothing can be confirmed. */
const refusal = (context: ActingContext, booking: SeenBooking): Failure => {
  const visit = toVisitStatus(booking);
  const { askedAt } = booking;
  const sentence =
    booking.status !== 'canceled' && askedAt === null
      ? confirmingSentences.not_asked
      : (refusedTransition('cancel', 'patient', booking, computeFacts(context)) ??
        catalogue.invalid_transition);
  return new Failure('invalid_transition', {
    sentence,
    extras: { booking_status: booking.status, ...(visit !== null && { visit }) },
  });
};

/**
 * Notes that the patient comes, in one guarded update; once noted it changes nothing. Decides again if the booking
 * changed meanwhile: one that was canceled or moved is refused.
 */
export const confirmBooking = async (context: ActingContext, input: ChangeInput, first: SeenBooking) => {
  const { deps, actor, now } = context;
  let latest: SeenBooking | undefined = first;
  return decideAgain(async () => {
    const booking = latest;
    if (booking === undefined) throw new Failure('unavailable');
    const party = partyOfActor(booking, actor);
    if (party === null || party === 'system') throw new Failure('not_found');
    assertVersion(booking, input);
    if (booking.status !== 'canceled' && booking.confirmedAt !== null)
      return detailView(context, booking, party);
    if (!mayConfirm(booking, now)) throw refusal(context, booking);
    const next = {
      ...booking,
      confirmedAt: now,
      version: booking.version + 1,
      writeId: deps.newId(),
      updatedAt: now,
    };
    const data = detailView(context, next, party);
    const response = context.toStoredResponse({ status: 200, data });
    const guards = {
      ...toWriter(context, {
        id: booking.id,
        writeId: next.writeId,
        key: response?.idempotency.key ?? null,
      }),
      version: booking.version,
      startsAt: booking.startsAt,
    };
    const why = await commitChange(
      deps,
      [confirmVisit(deps.db, guards)],
      changeTo(context, 'booking.confirmed', party, booking, next),
      response,
      explainChange(deps.db, guards),
    );
    if (why?.written) return data;
    if (why !== undefined) refuseActor(why);
    [latest] = await run(deps.db, findBooking(deps.db, { id: first.id, accountId: actor.userId }));
    return overtaken;
  });
};
