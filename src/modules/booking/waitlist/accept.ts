import { resolveRules } from '../../../core/clinic/rules.ts';
import { runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { Approval } from '../../../core/tables/words.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import { assertMay, changeBooking } from '../changes/change.ts';
import { changeTo, commitChange } from '../changes/effects.ts';
import type { ActingContext, Doer } from '../record/context.ts';
import type { BookingRow, SeenBooking } from '../record/queries.ts';
import type { Party } from '../record/rules.ts';
import { detailView } from '../record/views.ts';
import { afterVerb } from '../record/visit-rules.ts';
import { resolveLimits } from '../seats/decision.ts';
import { toWriter } from '../seats/guards.ts';
import { givePrefix } from '../seats/queries.ts';
import { limitRefusal, refuseActor } from '../seats/refusal.ts';
import { acceptVersion, explainAccept } from './accept-queries.ts';
import { endWithOffer, findApproval, findOffer } from './queries.ts';

/** The data read to answer an offer. */
export const offerReads = ({ deps }: Pick<ActingContext, 'deps'>, id: string, accountId: string) =>
  [findOffer(deps.db, { id, accountId }), findApproval(deps.db, { id }), findClinic(deps.db, {})] as const;

/** The actor who accepts an offer: a person, a key of the clinic, or the holder of the link in its notice. */
type Acceptor = Doer & { userId: string };

type Clinic = Parameters<typeof resolveRules>[1];
type OfferRows = readonly [readonly SeenBooking[], readonly { approval: Approval }[], readonly Clinic[]];

const endAccepted = endWithOffer('accepted');
const endWithdrawn = endWithOffer('withdrawn');

const accepted = (
  { deps, actor, now }: ActingContext,
  offer: BookingRow,
  party: Party,
  approval: Approval,
): BookingRow => ({
  ...offer,
  ...(approval === 'automatic' && { status: 'approved' as const, approvedAt: now }),
  ...afterVerb('accept', offer, { party, role: actor.role }, now, null),
  version: offer.version + 1,
  writeId: deps.newId(),
  updatedAt: now,
});

/** One attempt: the guarded update of the offer that was read, with its effects. */
const tryToAccept = async (
  context: ActingContext,
  offer: BookingRow,
  next: BookingRow,
  party: Party,
  approval: Approval,
  clinic: Clinic,
) => {
  const { deps, actor, now, toStoredResponse } = context;
  const { db } = deps;
  const data = detailView(context, next, party);
  const response = toStoredResponse({ status: 200, data, message: 'offer_accepted' });
  const { doctorId, sessionId, scheduleDate, patientId, startsAt } = offer;
  const { maxComing, maxUnproved } = resolveLimits(context, party, true, resolveRules(deps.config, clinic));
  const ids = { id: offer.id, writeId: next.writeId, key: response?.idempotency.key ?? null };
  const place = { doctorId, sessionId, scheduleDate, patientId, startsAt };
  const guards = {
    ...toWriter(context, ids),
    ...place,
    maxComing,
    maxUnproved,
    ahead: 0,
    approval,
    version: offer.version,
  };
  const why = await commitChange(
    deps,
    [
      givePrefix(db, { doctorId, sessionId }),
      acceptVersion(db, { ...guards, status: next.status, approvedAt: next.approvedAt }),
      endAccepted(db, { bookingId: offer.id, writeId: next.writeId, now }),
    ],
    changeTo({ ...context, actor }, 'booking.accepted', party, next),
    response,
    explainAccept(db, guards),
  );
  return { data, why, maxComing, maxUnproved };
};

/** Accepts the seat that is held for an entry: only now it takes a number. Decides again if it changed meanwhile. */
export const acceptOffer = async (
  context: ActingContext<Acceptor>,
  id: string,
  named: string | undefined,
  first: OfferRows,
) => {
  let rows = first;
  // Another seat that is offered meanwhile is not the one that was meant.
  const meant = named ?? first[0][0]?.id;
  return decideAgain(async () => {
    const [[offer], [session], [clinic]] = rows;
    if (offer === undefined || offer.id !== meant || (offer.heldUntil ?? 0) <= context.now)
      throw new Failure('no_offer');
    const party = assertMay(context, 'accept', offer, {});
    const approval = session?.approval ?? 'manual';
    const next = accepted(context, offer, party, approval);
    const tried = await tryToAccept(context, offer, next, party, approval, clinic ?? {});
    const { data, why } = tried;
    if (why?.written) {
      const { queueNumber, queueLabel } = why;
      return {
        ...data,
        queue_number: queueNumber ?? data.queue_number,
        queue_label: queueLabel ?? data.queue_label,
      };
    }
    if (why !== undefined) {
      refuseActor(why);
      const limited = limitRefusal(context, { ...tried, patientId: offer.patientId }, why);
      if (limited !== null) throw limited;
    }
    rows = await runAll(context.deps.db, offerReads(context, id, context.actor.userId));
    return overtaken;
  });
};

/**
 * Declines the held seat: it goes to the next entry, and this entry continues to wait or ends with it. An offer that
 * was accepted meanwhile is a booking, and is not canceled.
 */
export const declineOffer = async (
  context: ActingContext,
  offer: SeenBooking | undefined,
  leaves: boolean,
): Promise<void> => {
  if (offer === undefined) throw new Failure('no_offer');
  const { deps, now } = context;
  try {
    await changeBooking(context, 'cancel', { version: offer.version }, offer, {
      message: leaves ? 'deleted' : 'offer_declined',
      view: () => undefined,
      also: ({ id, writeId }) => (leaves ? [endWithdrawn(deps.db, { bookingId: id, writeId, now })] : []),
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'version_mismatch') throw error;
    throw new Failure('no_offer');
  }
};
