import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { around, queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { afterAct } from './act.ts';
import type { Schemas } from './bookings.ts';
import { isDesk, now } from './clinic.ts';
import { lookAgain, putBooking, waitlistKey } from './day.ts';
import { useRead } from './read.ts';

export type Entry = Schemas['WaitlistEntry'];
/** An entry for which a seat is held. */
export type Offered = Entry & { offer: NonNullable<Entry['offer']> };

export const waitlistMs = 15_000;

/** Everybody who waits, by session and in the order of the offers. Only the desk reads it. */
export const useWaitlist = (everyMs = waitlistMs) =>
  useRead({
    queryKey: waitlistKey,
    queryFn: () => readAll((query) => take(api.v1.admin.waitlist.$get({ query }))),
    refetchInterval: around(everyMs),
    enabled: isDesk(),
  });

/** The seats that are held now, soonest end first. */
export const listOffered = (entries: readonly Entry[] | undefined): Offered[] =>
  (entries ?? [])
    .filter((one): one is Offered => one.offer !== null && Date.parse(one.offer.held_until) > now.value)
    .sort((a, b) => (a.offer.held_until < b.offer.held_until ? -1 : 1));

export const waitlistChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: waitlistKey });

/** The seat that is held becomes a booking: on the telephone the patient has said yes. */
export const acceptOffer = async ({ id, patient, offer }: Offered, key: string): Promise<void> => {
  const { data } = await take(
    api.v1.waitlist[':id'].accept.$post({
      param: { id },
      json: { booking_id: offer.booking_id },
      header: { 'Idempotency-Key': key },
    }),
  );
  // What is still to be answered is read again right below.
  putBooking({ ...data, patient, to_answer: null });
  await settled(offer.booking_id);
};

/** Declines the offer: the next entry gets it. */
export const declineOffer = async ({ id, offer }: Offered, key: string): Promise<void> => {
  await take(
    api.v1.waitlist[':id'].decline.$post({
      param: { id },
      json: { booking_id: offer.booking_id },
      header: { 'Idempotency-Key': key },
    }),
  );
  await settled(offer.booking_id);
};

const settled = async (bookingId: string): Promise<void> => {
  afterAct(bookingId);
  void lookAgain();
  await waitlistChanged();
};
