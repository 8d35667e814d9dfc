import { resolveRules } from '../../../core/clinic/rules.ts';
import { read, reading } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { unlimited } from '../../catalog/slots/limit-rules.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import { assertMay, changeBooking } from '../changes/change.ts';
import { changeTo, commitChange } from '../changes/effects.ts';
import type { ActingContext, Doer } from '../record/context.ts';
import type { BookingRow, SeenBooking } from '../record/queries.ts';
import { detailView, withNumber } from '../record/views.ts';
import { afterVerb } from '../record/visit-rules.ts';
import { resolveLimits } from '../seats/decision.ts';
import { toWriter } from '../seats/guards.ts';
import { givePrefix } from '../seats/queries.ts';
import { limitedBySession, limitRefusal, refuseActor } from '../seats/refusal.ts';
import { standingAfter } from '../seats/standing.ts';
import { acceptVersion, explainAccept } from './accept-queries.ts';
import { endWithOffer, findOffer, findWaitedSession } from './queries.ts';

/** The data read to answer an offer. */
export const offerReads = (
  { deps: { db }, now }: Pick<ActingContext, 'deps' | 'now'>,
  id: string,
  accountId: string,
) =>
  reading({
    offers: findOffer(db, { id, accountId }),
    sessions: findWaitedSession(db, { id, now }),
    clinics: findClinic(db, {}),
  });

/** The actor who accepts an offer: a person, a key of the clinic, or the holder of the link in its notice. */
type Acceptor = Doer & { userId: string };

type OfferRows = ReturnType<ReturnType<typeof offerReads>['toResult']>;

const endAccepted = endWithOffer('accepted');
const endWithdrawn = endWithOffer('withdrawn');

/** The offer that was meant, as whom it is accepted, and the limits of the account. Throws if it may not be accepted. */
const resolveOffer = (
  context: ActingContext<Acceptor>,
  meant: string | undefined,
  { offers: [offer], sessions: [session], clinics: [clinic] }: OfferRows,
) => {
  if (offer === undefined || offer.id !== meant || (offer.heldUntil ?? 0) <= context.now)
    throw new Failure('no_offer');
  const party = assertMay(context, 'accept', offer, {});
  const rules = resolveRules(context.deps.config, clinic ?? {});
  const { approval, maxPerDay, minDaysBetween, openTo } = session ?? { approval: 'manual', ...unlimited };
  const after = party === 'patient' && approval === 'automatic' ? rules.approvalAfterNoShows : 0;
  return {
    offer,
    party,
    approval,
    ofSession: { maxPerDay, minDaysBetween, openTo },
    standing: standingAfter(after, session?.missed ?? 0),
    limits: resolveLimits(context, party, true, rules),
  };
};

/** The booking that the offer becomes, and the values that guard its write. */
const decide = (context: ActingContext<Acceptor>, resolved: ReturnType<typeof resolveOffer>) => {
  const { deps, actor, now, toStoredResponse } = context;
  const { offer, party, approval, ofSession, standing, limits } = resolved;
  const { maxComing, maxUnproved } = limits;
  const isApproved = approval === 'automatic' && standing.waits === 0;
  const next: BookingRow = {
    ...offer,
    ...(isApproved && { status: 'approved' as const, approvedAt: now }),
    ...afterVerb('accept', offer, { party, role: actor.role }, now, null),
    version: offer.version + 1,
    writeId: deps.newId(),
    updatedAt: now,
  };
  const data = detailView(context, next, party);
  const response = toStoredResponse({ status: 200, data });
  const { id, doctorId, sessionId, scheduleDate, patientId, startsAt, version } = offer;
  const seat = {
    ...toWriter(context, { id, writeId: next.writeId, key: response?.idempotency.key ?? null }),
    ...{ doctorId, sessionId, scheduleDate, patientId, startsAt, version },
    ...{ maxComing, maxUnproved, ahead: 0, approval },
    ...ofSession,
    ...standing,
  };
  return { next, data, response, seat, change: changeTo(context, 'booking.accepted', party, offer, next) };
};

/** One attempt: the guarded update of the offer that was read, with its effects. */
const write = (
  { deps, now }: ActingContext<Acceptor>,
  { next, response, seat, change }: ReturnType<typeof decide>,
) => {
  const { db } = deps;
  const guarded = [
    givePrefix(db, seat),
    acceptVersion(db, { ...seat, status: next.status, approvedAt: next.approvedAt }),
    endAccepted(db, { bookingId: next.id, writeId: next.writeId, now }),
  ];
  return commitChange(deps, guarded, change, response, explainAccept(db, seat));
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
  const meant = named ?? first.offers[0]?.id;
  return decideAgain(async () => {
    const resolved = resolveOffer(context, meant, rows);
    const draft = decide(context, resolved);
    const { data, seat } = draft;
    const why = await write(context, draft);
    if (why?.written) return withNumber(data, why);
    if (why !== undefined) {
      refuseActor(why);
      const limited = limitRefusal(context, seat, why);
      if (limited !== null) throw limited;
      if (why.limit !== null) throw limitedBySession(why.limit, resolved.ofSession);
    }
    rows = await read(context.deps.db, offerReads(context, id, context.actor.userId));
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
      view: () => undefined,
      also: ({ id, writeId }) => (leaves ? [endWithdrawn(deps.db, { bookingId: id, writeId, now })] : []),
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'version_mismatch') throw error;
    throw new Failure('no_offer');
  }
};
