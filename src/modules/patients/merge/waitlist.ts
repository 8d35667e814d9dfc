// Reduces the waitlist entries of two records of one patient to what one patient may have: each entry once, and one
// open offer.

import type { Statement } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { Author } from '../../auth/audit/rules.ts';
import type { BookingRow } from '../../booking/record/queries.ts';
import { afterVerb } from '../../booking/record/visit-rules.ts';
import { offerFreed } from '../../booking/seats/offers.ts';
import { serializeChanges } from './moves.ts';
import { recordMoves } from './queries.ts';
import { offersToEnd } from './rules.ts';
import { endOffers, endTwins, moveEntries } from './waitlist-queries.ts';

interface Step {
  deps: Deps;
  by: Author;
  writeId: string;
  source: string;
  target: string;
}

/** The offer, declined by the person who merges. */
const declined = ({ deps, by: { now, role } }: Step, offer: BookingRow): BookingRow => {
  const party = role === 'patient' ? 'patient' : 'clinic';
  const changed = { version: offer.version + 1, writeId: deps.newId(), updatedAt: now };
  return { ...offer, ...afterVerb('cancel', offer, { party, role }, now, null), ...changed };
};

/**
 * The statements after a step's bookings have moved, given the open offers of both records by then: every offer beyond
 * one is declined, and its seat goes to the next entry, after the entries have moved and before the event.
 */
export const joinWaiting = (step: Step, offers: readonly BookingRow[]): readonly Statement[] => {
  const { deps, by, writeId, source, target } = step;
  const { db } = deps;
  const { now, role, actorId, requestId } = by;
  const ids = { writeId, source, target };
  const entries = [endTwins(db, { ...ids, now }), moveEntries(db, ids)];
  const ended = offersToEnd(offers, now).map((offer) => [offer, declined(step, offer)] as const);
  if (ended.length === 0) return entries;
  const nexts = ended.map(([, next]) => next);
  const change = { writeId, moves: serializeChanges(nexts, by), now, actorRole: role };
  return [
    endOffers(db, change),
    ...entries,
    ...ended.flatMap(([offer, next]) => offerFreed({ deps, now, requestId }, offer, next)),
    recordMoves(db, { ...change, type: 'booking.canceled', actorId, requestId }),
  ];
};
