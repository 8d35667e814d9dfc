// Pure: which actions open to a party later, and the notes, which are open in every state of the visit.

import { allowedActions, type Facts, isOver, type Judged, type Party, type Verb } from './rules.ts';

/**
 * The actions that open to the party by time alone, and when: at the beginning of the booking's day (`dayStart`) or at
 * its start, from the same table.
 */
export const upcomingActions = (
  party: Party,
  booking: Judged,
  facts: Facts,
  dayStart: number,
): { action: Verb; from: number }[] => {
  const known = new Set(allowedActions(party, booking, facts));
  const later = [dayStart, booking.startsAt].filter((instant) => instant > facts.now);
  return later.flatMap((from) => {
    const then = { ...facts, now: from, today: booking.scheduleDate, midnight: dayStart };
    const opening = allowedActions(party, booking, then).filter((verb) => !known.has(verb));
    for (const verb of opening) known.add(verb);
    return opening.map((action) => ({ action, from }));
  });
};

/** Whether the party may change the notes: the patient until the visit has ended, the clinic always. */
export const mayWriteNotes = (party: Party, booking: Judged): boolean =>
  party === 'clinic' || (booking.status !== 'canceled' && !isOver(booking));
