// The waitlist in the batches of bookings: a seat that comes free is offered, and an offer that is over gives its seat back.

import type { Statement } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { newBookingCode } from '../record/code.ts';
import { heldUntil } from '../record/offer-rules.ts';
import type { BookingRow } from '../record/queries.ts';
import { untouched } from '../record/rules.ts';
import { eventPayload } from '../record/views.ts';
import { offerSeat, recordOffer } from './offer-queries.ts';

/** Where a seat is free. */
export type FreeSlot = Pick<
  BookingRow,
  'doctorId' | 'sessionId' | 'scheduleDate' | 'scheduleTime' | 'startsAt' | 'endsAt'
>;

interface Asking {
  deps: Pick<Deps, 'db' | 'config' | 'clinicTime' | 'newId'>;
  now: number;
  requestId: string;
}

/** How an offer of a slot is made now, with its id and that of its write: by nothing where nobody could be told in time. */
export const offerOf = (
  { deps, now, requestId }: Asking,
  { doctorId, sessionId, scheduleDate, scheduleTime, startsAt, endsAt }: FreeSlot,
  freed: Pick<BookingRow, 'id' | 'writeId' | 'patientId'> | null = null,
): { id: string; writeId: string; statements: readonly Statement[] } => {
  const { db, config, clinicTime } = deps;
  const place = { doctorId, sessionId, scheduleDate, scheduleTime, startsAt, endsAt };
  const ids = { id: deps.newId(), writeId: deps.newId() };
  const offered = {
    ...untouched,
    ...place,
    ...ids,
    version: 1,
    patientId: '',
    queueNumber: 0,
    queueLabel: '',
  };
  const texts = { doctorName: '', sessionName: '', notes: '', overbooked: 0, createdBy: '', seriesId: null };
  const payload = eventPayload({ ...offered, ...texts, createdAt: now, updatedAt: now }, 'system');
  const until = heldUntil(now, startsAt, {
    minutes: config.OFFER_MINUTES,
    quiet: config.QUIET_HOURS,
    clock: clinicTime,
  });
  if (until === null) return { ...ids, statements: [] };
  const statements = [
    offerSeat(db, {
      ...ids,
      ...place,
      bookingCode: newBookingCode(),
      heldUntil: until,
      freedId: freed?.id ?? null,
      freedWriteId: freed?.writeId ?? null,
      freedPatientId: freed?.patientId ?? null,
      zone: clinicTime.zone,
      today: clinicTime.dateOf(now),
      minNotice: config.MIN_NOTICE_MINUTES ?? null,
      maxAdvance: config.MAX_ADVANCE_DAYS ?? null,
      now,
    }),
    recordOffer(db, { ...ids, requestId, payload: JSON.stringify(payload), now }),
  ];
  return { ...ids, statements };
};

/** Offers the seat that a booking leaves with this write, in its batch; one that has begun is nobody's any more. */
export const offerFreed = (
  asking: Asking,
  left: BookingRow,
  { writeId }: Pick<BookingRow, 'writeId'>,
): readonly Statement[] =>
  left.startsAt <= asking.now
    ? []
    : offerOf(asking, left, { id: left.id, writeId, patientId: left.patientId }).statements;
