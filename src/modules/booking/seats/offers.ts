// The waitlist's part in the batches of bookings: a freed seat is offered, and an expired offer frees its seat.

import type { Statement } from '../../../core/db/db.ts';
import { noExternal } from '../../../core/db/external-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import { newBookingCode } from '../record/code.ts';
import { heldUntil } from '../record/offer-rules.ts';
import type { BookingRow } from '../record/queries.ts';
import { untouched } from '../record/rules.ts';
import { eventPayload } from '../record/views.ts';
import { withoutLapsed } from './guards.ts';
import { offerSeat, recordOffer } from './offer-queries.ts';

export type FreeSlot = Pick<
  BookingRow,
  'doctorId' | 'sessionId' | 'scheduleDate' | 'scheduleTime' | 'startsAt' | 'endsAt'
>;

interface Asking {
  deps: Pick<Deps, 'db' | 'config' | 'clinicTime' | 'newId'>;
  now: number;
  requestId: string;
}

/** Values that a request to book would give and an offer does not have. The database sets its channel and its patient. */
const unsaid = {
  ...noExternal,
  answers: null,
  channel: 'app',
  payer: null,
  visitKind: null,
  referralNumber: null,
  encounterId: null,
} as const;

/** The rules by which a slot may be offered now; what no setting says is the clinic's own. */
export const offerRules = ({ config, clinicTime }: Pick<Deps, 'config' | 'clinicTime'>, now: number) => ({
  zone: clinicTime.zone,
  today: clinicTime.dateOf(now),
  minNotice: config.MIN_NOTICE_MINUTES ?? null,
  maxAdvance: config.MAX_ADVANCE_DAYS ?? null,
  now,
});

/** The statements that offer a slot now; none if no notice could be sent in time. */
export const buildOffer = (
  { deps, now, requestId }: Asking,
  { doctorId, sessionId, scheduleDate, scheduleTime, startsAt, endsAt }: FreeSlot,
  freed: Pick<BookingRow, 'id' | 'writeId' | 'patientId'> | null = null,
): readonly Statement[] => {
  const { db, config, clinicTime } = deps;
  const place = { doctorId, sessionId, scheduleDate, scheduleTime, startsAt, endsAt };
  const ids = { id: deps.newId(), writeId: deps.newId() };
  const numbers = { version: 1, queueNumber: 0, overbooked: 0, createdAt: now, updatedAt: now };
  const texts = { patientId: '', queueLabel: '', doctorName: '', sessionName: '', notes: '', createdBy: '' };
  const payload = eventPayload(
    { ...untouched, ...place, ...ids, ...numbers, ...texts, ...unsaid, seriesId: null },
    'system',
  );
  const until = heldUntil(now, startsAt, config, clinicTime);
  if (until === null) return [];
  return [
    offerSeat(db, {
      ...ids,
      ...place,
      bookingCode: newBookingCode(),
      heldUntil: until,
      freedId: freed?.id ?? null,
      freedWriteId: freed?.writeId ?? null,
      freedPatientId: freed?.patientId ?? null,
      ...offerRules(deps, now),
    }),
    recordOffer(db, { ...ids, requestId, payload: JSON.stringify(payload), now }),
  ];
};

/**
 * Offers the seat that a booking leaves with this write, in its batch. Before it the offers end that are over: else
 * they would keep those who wait from this seat, and the doctor from being free.
 */
export const offerFreed = (
  asking: Asking,
  left: BookingRow,
  { writeId }: Pick<BookingRow, 'writeId'>,
): readonly Statement[] => {
  const { id, patientId, doctorId, sessionId } = left;
  const offer = buildOffer(asking, left, { id, writeId, patientId });
  if (offer.length === 0) return [];
  return [...withoutLapsed(asking, { writeId, doctorId, patientId }, sessionId), ...offer];
};
