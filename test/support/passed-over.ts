// Whether every seat went to the first entry that it suited: from the events in order, for entries that nobody moved.

import type { Db } from '../../src/core/db/db.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { waitlistEntries } from '../../src/core/tables/queues.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { isWantedBy } from './offer-oracle.ts';

interface Held {
  patientId: string;
  startsAt: number;
  endsAt: number;
  isOffer: boolean;
  /** Until when it holds a seat, and keeps its patient from another: of an offer that nobody accepted. */
  until: number;
}

/** Each offer that passed over somebody who waited before, whom the seat suited, and who was free for it. */
export const passedOverIn = async (db: Db): Promise<string[]> => {
  const [rows, entries, events] = await db.batch([
    db.select().from(bookings),
    db.select().from(waitlistEntries),
    db.select().from(bookingEvents).orderBy(bookingEvents.sequence),
  ]);
  const entryOf = new Map(rows.map(({ id, waitlistId }) => [id, waitlistId]));
  const untilOf = new Map(rows.map(({ id, heldUntil }) => [id, heldUntil]));
  const held = new Map<string, Held>();
  const accepted = new Set<string>();
  /**
   * Which slots somebody was offered, or gave back. It begins with the offer: when somebody declines after the time is over,
   * the event of the next offer comes before the event of the decline.
   */
  const had = new Set<string>();
  const found: string[] = [];
  for (const { type, bookingId, payload, occurredAt, actorRole } of events) {
    if (!type.startsWith('booking.')) continue;
    const told = JSON.parse(payload);
    const slot = {
      doctorId: told.doctor_id as string,
      sessionId: told.session_id as string,
      scheduleDate: told.schedule_date as string,
      scheduleTime: told.schedule_time as string,
      startsAt: Date.parse(told.starts_at),
      endsAt: Date.parse(told.ends_at),
    };
    const { startsAt, endsAt } = slot;
    const hadKey = (patientId: string) => `${patientId} ${slot.doctorId} ${startsAt}`;
    const patientId = told.patient_id as string;
    if (type === 'booking.offered') {
      const entry = entries.find(({ id }) => id === entryOf.get(bookingId));
      const isBusy = (id: string) =>
        [...held.values()].some(
          (one) =>
            one.patientId === id &&
            one.until > occurredAt &&
            (one.isOffer || (one.startsAt < endsAt && startsAt < one.endsAt)),
        );
      const before = entries.filter(
        (one) =>
          entry !== undefined &&
          one.position < entry.position &&
          one.createdAt <= occurredAt &&
          !(one.endedAs !== 'accepted' && (one.endedAt ?? Infinity) <= occurredAt) &&
          !accepted.has(one.id) &&
          isWantedBy(one, slot) &&
          !isBusy(one.patientId) &&
          !had.has(hadKey(one.patientId)),
      );
      if (entry === undefined || before.length > 0)
        found.push(
          `${slot.scheduleDate} ${slot.scheduleTime} went to ${entry?.position}, past ${before[0]?.position}`,
        );
    }
    if (type === 'booking.accepted') accepted.add(entryOf.get(bookingId) ?? '');
    const isOffer = type === 'booking.offered';
    const isOfClosure = type === 'booking.canceled' && told.reason_code === 'closure';
    if (type === 'booking.accepted' || (isOfClosure && held.get(bookingId)?.isOffer))
      had.delete(hadKey(patientId));
    if (isOffer || (type === 'booking.canceled' && actorRole === 'patient')) had.add(hadKey(patientId));
    if (told.status === 'canceled') held.delete(bookingId);
    else if (isOffer || !['booking.updated', 'booking.answered', 'booking.confirmed'].includes(type))
      held.set(bookingId, {
        patientId,
        startsAt,
        endsAt,
        isOffer,
        until: untilOf.get(bookingId) ?? Infinity,
      });
  }
  return found;
};
